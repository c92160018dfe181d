# SPDX-License-Identifier: Apache-2.0
"""A second set of before/after pairs, written without knowledge of the rules: `pairs.py --set b`.

    PAIRS["softmax_by_hand"].build("before")()     one step of the half with the fault

Build functions are as in workloads.py: one half each, from the same seed, a tensor returned where both halves should
compute the same. `rule` is only filled in where a pair of the first set names it.
"""
import functools
import time

import torch
import torch.nn.functional as F
from torch import nn

import models
import workloads

DEVICE = models.DEVICE
BF16, FP16 = torch.bfloat16, torch.float16
PAIRS = {}
pair = functools.partial(workloads.pair, pairs=PAIRS)
randn = workloads.randn


@pair("F.softmax instead of max, subtract, exp, sum, divide", "fuse", "unfused_elementwise")
def softmax_by_hand(half):
    """Class probabilities of an ensemble, two members in fp32 and two in bf16."""
    ensemble = [randn(8192, 32768, dtype=dtype, scale=2.0) for dtype in (torch.float32, BF16) for _ in range(2)]

    def by_hand(x):
        e = torch.exp(x - x.amax(dim=-1, keepdim=True))
        return e / e.sum(dim=-1, keepdim=True)

    def library(x):
        return F.softmax(x, dim=-1)

    softmax = by_hand if half == "before" else library

    @torch.no_grad()
    def step():
        rows = [softmax(logits)[:64] for logits in ensemble]
        return torch.cat([r.float() for r in rows])

    return step


@pair("torch.compile for the chain bias, GELU, dropout mask, scale, residual", "fuse", "unfused_elementwise")
def gelu_chain(half):
    """Residual layers over 64 sequences of 2048 tokens, the mask of a dropout kept fixed."""
    x, layers = randn(131072, 1024, dtype=BF16), 6
    weights = [randn(1024, 1024, dtype=BF16, scale=1 / 32) for _ in range(layers)]
    biases = [randn(1024, dtype=BF16, scale=0.1) for _ in range(layers)]
    mask = (torch.rand(131072, 1024, device=DEVICE) < 0.9).to(BF16)

    def tail(h, bias, residual):
        h = F.gelu(h + bias)
        h = h * mask
        h = h * (1 / 0.9)
        return h + residual

    if half == "after":
        tail = torch.compile(tail)

    @torch.no_grad()
    def step():
        h = x
        for weight, bias in zip(weights, biases):
            h = tail(h @ weight, bias, h)
        return h[:4096]

    return step


@pair("channels_last for the model and its input", "channels-last", "layout_transforms")
def bottlenecks_nchw(half):
    layout = torch.channels_last if half == "after" else torch.contiguous_format
    model = models.resnet50(depths=(2, 3, 4, 2)).to(DEVICE, FP16).eval().to(memory_format=layout)
    x = randn(96, 3, 224, 224, dtype=FP16).to(memory_format=layout)

    @torch.no_grad()
    def step():
        return model(x)

    return step


@pair("pad width, hidden size and vocabulary to multiples of 64", "align-gemm", None)
def odd_gemm_sizes(half):
    """Scores 16384 tokens: feed-forward layers of width 1023 and a head over 50257 words, zero padding in the after."""
    width, hidden, vocabulary, depth = 1023, 4093, 50257, 4

    def padded(size):
        return size if half == "before" else (size + 63) // 64 * 64

    def weight(rows, columns):
        w = randn(rows, columns, dtype=BF16, scale=columns**-0.5)
        return F.pad(w, (0, padded(columns) - columns, 0, padded(rows) - rows)).contiguous()

    layers = [(weight(hidden, width), weight(width, hidden)) for _ in range(depth)]
    head = weight(vocabulary, width)
    x = F.pad(randn(16384, width, dtype=BF16), (0, padded(width) - width)).contiguous()

    @torch.no_grad()
    def step():
        h = x
        for up, down in layers:
            h = h + F.linear(F.gelu(F.linear(h, up)), down)
        return F.linear(h, head)[:256, :vocabulary]

    return step


@pair("allow TF32 for fp32 matrix products", "tensor-cores", None)
def fp32_without_tf32(half):
    layers = []
    for _ in range(5):
        layers += [nn.Linear(2048, 2048), nn.ReLU()]
    model = nn.Sequential(*layers, nn.Linear(2048, 1000)).to(DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9, fused=True)
    x, target = randn(4096, 2048), torch.randint(1000, (4096,), device=DEVICE)
    precision = "highest" if half == "before" else "high"

    def step():
        torch.set_float32_matmul_precision(precision)  # in the step: it is global, and the halves take turns
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(x), target)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


@pair("SGD(fused=True) instead of foreach=False", "fused-optimizer", "unfused_optimizer", block_ms=200.0)
def sgd_many_parameters(half):
    layers = [nn.Sequential(nn.Linear(256, 256), nn.LayerNorm(256), nn.ReLU()) for _ in range(75)]
    model = nn.Sequential(*layers).to(DEVICE)  # 300 parameters
    how = dict(foreach=False, fused=False) if half == "before" else dict(fused=True)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9, **how)
    x, target = randn(16384, 256), randn(16384, 256)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.mse_loss(model(x), target)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


@pair("F.scaled_dot_product_attention(is_causal=True) instead of scores, mask, softmax, product", "fused-attention",
      "unfused_attention")
def causal_attention_by_hand(half):
    """Three attention layers of 16 heads of 128 over 8 sequences of 2048 tokens."""
    batch, length, width, heads = 8, 2048, 2048, 16
    weights = [[randn(n * width, width, dtype=FP16, scale=width**-0.5) for n in (3, 1)] for _ in range(3)]
    x = randn(batch, length, width, dtype=FP16)
    future = torch.ones(length, length, device=DEVICE, dtype=torch.bool).triu(1)

    def by_hand(q, k, v):
        scores = (q @ k.transpose(-2, -1)) * q.shape[-1] ** -0.5
        return torch.softmax(scores.masked_fill(future, float("-inf")), dim=-1) @ v

    def library(q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    attend = by_hand if half == "before" else library

    @torch.no_grad()
    def step():
        h = x
        for qkv, out in weights:
            parts = F.linear(h, qkv).view(batch, length, 3, heads, width // heads)
            q, k, v = parts.permute(2, 0, 3, 1, 4).unbind(0)
            h = h + F.linear(attend(q, k, v).transpose(1, 2).reshape(batch, length, width), out)
        return h

    return step


@pair("pack the 64 tensors into one pinned buffer and copy that", "coalesce-copies", None)
def many_small_copies(half):
    """A ranking model whose features arrive as 64 host tensors of 32 KiB a batch."""
    rows, columns, count, width = 1024, 8, 64, 4096
    batches = [[torch.randn(rows, columns) for _ in range(count)] for _ in range(4)]
    first = randn(count * columns, width, dtype=BF16, scale=(count * columns) ** -0.5)
    weights = [randn(width, width, dtype=BF16, scale=(2 / width) ** 0.5) for _ in range(24)]
    turn = [0]

    def compute(parts):
        h = torch.cat(parts, dim=1).to(BF16) @ first
        for weight in weights:
            h = torch.relu(h) @ weight
        return h

    @torch.no_grad()
    def before():
        batch = batches[turn[0] % 4]
        turn[0] += 1
        return compute([part.to(DEVICE) for part in batch])

    if half == "before":
        return before

    buffers = [torch.empty(count, rows, columns, pin_memory=True) for _ in range(2)]
    copied = [torch.cuda.Event() for _ in range(2)]

    @torch.no_grad()
    def after():
        i = turn[0]
        turn[0] += 1
        copied[i % 2].synchronize()  # the copy of two steps ago has left the buffer
        torch.stack(batches[i % 4], out=buffers[i % 2])
        packed = buffers[i % 2].to(DEVICE, non_blocking=True)
        copied[i % 2].record()
        return compute(packed.unbind(0))

    return after


@pair("capture the whole training step in a CUDA graph", "graph-launches", None)
def launch_limited_training(half):
    """A small language model, 8 sequences of 64 tokens: kernels of some microseconds."""
    vocabulary, length = 1024, 64
    model = models.Transformer(vocabulary, length, 256, 4, 6, causal=True).to(DEVICE)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True, capturable=True)
    data = torch.randint(vocabulary, (16, 8, length + 1), device=DEVICE)
    turn = [0]

    def train(tokens):
        optimizer.zero_grad(set_to_none=True)
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, vocabulary), tokens[:, 1:].reshape(-1))
        loss.backward()
        optimizer.step()
        return loss.detach()

    def batch():
        turn[0] += 1
        return data[(turn[0] - 1) % 16]

    if half == "before":
        return lambda: train(batch())

    tokens = data[0].clone()
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            train(tokens)
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    optimizer.zero_grad(set_to_none=True)
    with torch.cuda.graph(graph):
        loss = train(tokens)

    def after(keep=(model, optimizer)):  # the graph's tensors must live
        tokens.copy_(batch())
        graph.replay()
        return loss

    return after


@pair("leave the logging between the steps out", "remove-host range:log_metrics", None, block_ms=120.0)
def log_metrics(half):
    layers = []
    for _ in range(6):
        layers += [nn.Linear(4096, 4096), nn.GELU()]
    model = nn.Sequential(*layers).to(DEVICE, BF16)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, fused=True)
    x, target = randn(4096, 4096, dtype=BF16), randn(4096, 4096, dtype=BF16)
    values, averages = {}, {}

    def log():
        """Running averages of host metrics and one line each, in Python."""
        lines = []
        for name, value in values.items():
            averages[name] = 0.98 * averages.get(name, value) + 0.02 * value
            lines.append(f"{name}={averages[name]:.6g}")
        return "\n".join(lines)

    def seconds():
        start = time.perf_counter()
        log()
        return time.perf_counter() - start

    # As many metrics as take this host about 7 ms.
    values.update({f"metric{i}": 0.1 * i for i in range(1000)})
    count = int(1000 * 7e-3 / min(seconds() for _ in range(20)))
    values.update({f"metric{i}": 0.1 * i for i in range(1000, count)})

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.mse_loss(model(x), target)
        loss.backward()
        optimizer.step()
        if half == "before":
            with torch.profiler.record_function("log_metrics"):
                log()
        return loss.detach()

    return step


@pair("add loss, accuracy and gradient norm up on the device and read them every ten steps", "remove-sync", "host_sync")
def item_each_step(half):
    vocabulary, length = 8192, 512
    model = models.Transformer(vocabulary, length, 768, 12, 6, causal=True).to(DEVICE, BF16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    data = torch.randint(vocabulary, (8, length + 1), device=DEVICE)
    tokens, targets = data[:, :-1].contiguous(), data[:, 1:].reshape(-1)
    totals, seen, turn = [0.0, 0.0, 0.0], torch.zeros(3, device=DEVICE), [0]

    def step():
        optimizer.zero_grad(set_to_none=True)
        logits = model(tokens).view(-1, vocabulary)
        loss = F.cross_entropy(logits, targets)
        if half == "before":
            totals[0] += loss.item()
        hits = (logits.argmax(dim=-1) == targets).float().mean()
        if half == "before":
            totals[1] += hits.item()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        if half == "before":
            totals[2] += norm.item()
        optimizer.step()
        if half == "after":
            seen.add_(torch.stack([loss.detach().float(), hits, norm.float()]))
            turn[0] += 1
            if turn[0] % 10 == 0:
                totals[:] = seen.tolist()
        return loss.detach()

    return step


@pair("pinned buffers, filled on a side stream while the next step computes, instead of a pageable copy in the step",
      "pin-copies,overlap-copies", "pageable_copies")
def pageable_results(half):
    """Embeddings of 8192 documents a step, 64 MiB, wanted on the host."""
    x = randn(8192, 4096, dtype=BF16)
    weights = [randn(4096, 4096, dtype=BF16, scale=(2 / 4096) ** 0.5) for _ in range(12)]
    checksum = [0.0]

    def compute():
        h = x
        for weight in weights:
            h = torch.relu(h) @ weight
        return h

    def consume(host):
        checksum[0] += float(host[0, 0])

    @torch.no_grad()
    def before():
        h = compute()
        consume(h.cpu())
        return h[:256]

    if half == "before":
        return before

    side = torch.cuda.Stream()
    buffers = [torch.empty(8192, 4096, dtype=BF16, pin_memory=True) for _ in range(2)]
    pending, turn = {}, [0]  # slot: the result being copied, kept alive, and the event after its copy

    @torch.no_grad()
    def after():
        i = turn[0]
        turn[0] += 1
        h = compute()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            buffers[i % 2].copy_(h, non_blocking=True)
            pending[i % 2] = (h, side.record_event())
        last = (i + 1) % 2
        if last in pending:
            pending.pop(last)[1].synchronize()
            consume(buffers[last])
        return h[:256]

    return after
