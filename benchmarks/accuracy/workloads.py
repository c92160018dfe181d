# SPDX-License-Identifier: Apache-2.0
"""Before/after pairs: one fault each, and the change that removes it.

    PAIRS["layernorm_unfused"].build("before")()     one step of the half with the fault

A build function is called with one half and makes only that half, so that a before-half can be recorded where the
after-half has never run. Both halves start from the same seed; a step returns a tensor when both should compute the
same.
Sizes are for a GPU of some 100 GB/s of host link, TB/s of memory and 10^2 SMs.
"""
import dataclasses
from typing import Callable, Optional

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

import models

DEVICE = models.DEVICE
BF16 = torch.bfloat16
PAIRS = {}


@dataclasses.dataclass
class Pair:
    """`change` in words, as a change of `rooflab whatif` where there is one, and the rule meant to find the fault
    (None where the pair was written without knowing the rules)."""

    build: Callable
    change: str
    rooflab_change: Optional[str]
    rule: Optional[str]
    after_units: int = 1  # units of work in one step of the after-half, where the before-half does one
    most_steps: int = 200
    block_ms: float = 80.0
    own_workers: bool = False  # processes of its own keep the cores busy: the host's speed cannot be probed beside them


def pair(change, rooflab_change, rule, pairs=PAIRS, **more):
    def register(build):
        pairs[build.__name__] = Pair(build, change, rooflab_change, rule, **more)
        return build

    return register


def randn(*shape, dtype=torch.float32, scale=1.0):
    return torch.randn(*shape, device=DEVICE, dtype=dtype) * scale


@pair("leave freed memory with the caching allocator (no empty_cache in the step)", None, "allocator_stalls")
def allocator_stalls(half):
    x, weight = randn(64 << 20), randn(4096, 4096, dtype=BF16)

    def work():
        kept = [x]
        for _ in range(10):  # ten live activations of 256 MiB
            kept.append(torch.tanh(kept[-1]))
        return kept[-1][:4096].clone() + (weight @ weight)[0].float()

    def step():
        result = work()
        if half == "before":
            torch.cuda.empty_cache()
        return result

    return step


@pair("stay in bf16 instead of casting to fp32 and back round every operation", None, "dtype_conversions")
def dtype_conversions(half):
    x = randn(65536, 1024, dtype=BF16)
    weights = [randn(1024, 1024, dtype=BF16, scale=1 / 32) for _ in range(4)]

    @torch.no_grad()
    def before():
        h = x
        for weight in weights:
            h = F.gelu(h.float()).to(BF16) @ weight
            h = torch.add(h.float(), x.float(), alpha=0.5).to(BF16)
        return h

    @torch.no_grad()
    def after():
        h = x
        for weight in weights:
            h = F.gelu(h) @ weight
            h = torch.add(h, x, alpha=0.5)
        return h

    return before if half == "before" else after


@pair("one batched GEMM instead of 48 sequential ones of nine 128 x 128 tiles each", None, "few_tiles")
def few_tiles(half):
    a, b = randn(48, 384, 8192, dtype=BF16), randn(48, 8192, 384, dtype=BF16, scale=1 / 90)
    out = torch.empty(48, 384, 384, device=DEVICE, dtype=BF16)

    def before():
        for i in range(48):
            torch.mm(a[i], b[i], out=out[i])
        return out

    def after():
        return torch.bmm(a, b, out=out)

    return before if half == "before" else after


@pair("four streams for twelve independent scans that fill eight SMs each", None, "stream_serialised")
def stream_serialised(half):
    inputs = [randn(8, 131072) for _ in range(12)]
    outputs = [torch.empty_like(x) for x in inputs]
    streams = [torch.cuda.Stream() for _ in range(4)] if half == "after" else []

    def before():
        for x, y in zip(inputs, outputs):
            torch.cumsum(x, dim=1, out=y)
        return outputs[-1]

    def after():
        current = torch.cuda.current_stream()
        for stream in streams:
            stream.wait_stream(current)
        for i, (x, y) in enumerate(zip(inputs, outputs)):
            with torch.cuda.stream(streams[i % 4]):
                torch.cumsum(x, dim=1, out=y)
        for stream in streams:
            current.wait_stream(stream)
        return outputs[-1]

    return before if half == "before" else after


@pair("warm every shape before the loop instead of compiling a new one in each step", None, "compile_stalls",
      most_steps=1, block_ms=1.0)
def compile_stalls(half):
    from torch._dynamo import config

    for name in ("recompile_limit", "cache_size_limit", "accumulated_recompile_limit", "accumulated_cache_size_limit"):
        if hasattr(config, name):
            setattr(config, name, 4096)
    weight = randn(1024, 1024, dtype=BF16, scale=1 / 32)

    @torch.compile(dynamic=False)
    def layer(x):
        y = F.gelu(x @ weight)
        return torch.softmax(y.float() * 0.5 + x.float(), dim=-1).to(BF16)

    # The halves never share a shape: a code object's compiled versions are kept for the whole process.
    lengths = iter(range(8192, 1 << 20, 64)) if half == "before" else iter([])
    warmed = [randn(4096 + 64 * i, 1024, dtype=BF16) for i in range(4)] if half == "after" else []
    for x in warmed:
        layer(x)

    def before():
        layer(randn(next(lengths), 1024, dtype=BF16))

    def after():
        warmed.append(warmed.pop(0))
        layer(warmed[0])

    return before if half == "before" else after


@pair("F.layer_norm instead of its formula in elementwise and reduction kernels", "fuse", "unfused_elementwise")
def layernorm_unfused(half):
    x = randn(32768, 4096)
    scales, shifts = [randn(4096) for _ in range(2)], [randn(4096) for _ in range(2)]

    def by_hand(x, scale, shift):
        centred = x - x.mean(dim=-1, keepdim=True)
        variance = (centred * centred).mean(dim=-1, keepdim=True)
        return centred * torch.rsqrt(variance + 1e-5) * scale + shift

    def library(x, scale, shift):
        return F.layer_norm(x, (x.shape[-1],), scale, shift, 1e-5)

    norm = by_hand if half == "before" else library

    def step():
        h = x
        for scale, shift in zip(scales, shifts):
            h = norm(h, scale, shift)
        return h

    return step


@pair("F.scaled_dot_product_attention instead of softmax(QK^T)V", "fused-attention", "unfused_attention")
def attention_unfused(half):
    model = nn.Sequential(*[models.Block(1024, 16, fused=half == "after") for _ in range(2)]).to(DEVICE, BF16)
    x = randn(4, 4096, 1024, dtype=BF16)

    @torch.no_grad()
    def step():
        return model(x)

    return step


@pair("Adam(fused=True) instead of foreach=False", "fused-optimizer", "unfused_optimizer", block_ms=200.0)
def optimizer_unfused(half):
    layers = [nn.Sequential(nn.Linear(512, 512), nn.LayerNorm(512), nn.GELU()) for _ in range(50)]
    model = nn.Sequential(*layers).to(DEVICE)
    how = dict(foreach=False, fused=False) if half == "before" else dict(fused=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4, **how)
    x = randn(4096, 512)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


@pair("channels_last for the model and its input", "channels-last", "layout_transforms")
def channels_last(half):
    layers, inside = [], 64
    for width in (64, 128, 256):
        for stride in (2, 1, 1):
            layers += [nn.Conv2d(inside, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)]
            inside = width
    layout = torch.channels_last if half == "after" else torch.contiguous_format
    model = nn.Sequential(*layers).to(DEVICE, BF16).to(memory_format=layout)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, fused=True)
    x = randn(128, 64, 112, 112, dtype=BF16).to(memory_format=layout)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = model(x).float().square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


@pair("keep the activations (they fit) instead of recomputing them", None, "recompute", block_ms=200.0)
def recompute(half):
    blocks = nn.ModuleList([models.Block(2048, 16, causal=True) for _ in range(8)]).to(DEVICE, BF16)
    optimizer = torch.optim.AdamW(blocks.parameters(), lr=1e-4, fused=True)
    x = randn(8, 1024, 2048, dtype=BF16).requires_grad_()

    def step():
        optimizer.zero_grad(set_to_none=True)
        x.grad = None
        h = x
        for block in blocks:
            h = checkpoint(block, h, use_reentrant=False) if half == "before" else block(h)
        loss = h.float().square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


@pair("add the losses up on the device and read them once a step", "remove-sync", "host_sync")
def host_sync_small(half):
    weight = randn(2048, 2048, dtype=BF16, scale=1 / 45)
    batches = [randn(2048, 2048, dtype=BF16) for _ in range(32)]

    def loss_of(batch):
        return (torch.relu(batch @ weight) - batch).square().mean().float()

    @torch.no_grad()
    def before():
        total = 0.0
        for batch in batches:
            total += loss_of(batch).item()
        return torch.tensor(total)

    @torch.no_grad()
    def after():
        total = torch.zeros((), device=DEVICE)
        for batch in batches:
            total += loss_of(batch)
        return torch.tensor(total.item())

    return before if half == "before" else after


@pair("pinned batches copied on a side stream one step ahead, instead of a pageable copy in the step",
      "pin-copies,overlap-copies", "pageable_copies")
def pinned_loader(half):
    weight = randn(4096, 4096, dtype=BF16, scale=1 / 64)
    batches = [torch.randn(4096, 4096) for _ in range(4)]  # 64 MiB each
    if half == "after":
        batches = [batch.pin_memory() for batch in batches]
    turn = [0]

    def compute(batch):
        h = batch.to(BF16)
        for _ in range(20):
            h = h @ weight
        return h

    @torch.no_grad()
    def before():
        batch = batches[turn[0] % 4].to(DEVICE)
        turn[0] += 1
        return compute(batch)

    if half == "before":
        return before

    side = torch.cuda.Stream()
    buffers = [batches[0].to(DEVICE), torch.empty(4096, 4096, device=DEVICE)]

    @torch.no_grad()
    def after():
        i = turn[0]
        turn[0] += 1
        current = torch.cuda.current_stream()
        current.wait_stream(side)  # this step's batch has arrived
        side.wait_stream(current)  # the step that read the other buffer is over
        with torch.cuda.stream(side):
            buffers[(i + 1) % 2].copy_(batches[(i + 1) % 4], non_blocking=True)
        return compute(buffers[i % 2])

    return after


@pair("sixteen samples a batch instead of one", "batch 16", "small_batch_inference", after_units=16)
def small_batch_inference(half):
    model = nn.Sequential(*[models.Block(768, 12) for _ in range(12)]).to(DEVICE, BF16).eval()
    x = randn(16 if half == "after" else 1, 128, 768, dtype=BF16)

    @torch.no_grad()
    def step():
        model(x)

    return step
