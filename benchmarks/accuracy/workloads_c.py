# SPDX-License-Identifier: Apache-2.0
"""A third set of before/after pairs, written without knowledge of the rules: `pairs.py --set c`.

    PAIRS["rmsnorm_by_hand"].build("before")()     one step of the half with the fault

Build functions are as in workloads.py: one half each, from the same seed, a tensor returned where both halves should
compute the same. `rule` is only filled in where a pair of the first set names it. All work has a fixed size: nothing
is measured while a half is built.
"""
import functools
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

import models
import workloads

DEVICE = models.DEVICE
BF16, FP16 = torch.bfloat16, torch.float16
PAIRS = {}
pair = functools.partial(workloads.pair, pairs=PAIRS)
randn = workloads.randn


def on_device(make):
    """The module that `make` returns, its parameters drawn on the device: large ones take seconds on the host."""
    with torch.device(DEVICE):
        return make()


@pair("F.rms_norm instead of pow, mean, rsqrt and two products", "fuse", "unfused_elementwise")
def rmsnorm_by_hand(half):
    """Eight residual linear layers over 32 sequences of 2048 tokens."""
    width, layers = 1536, 8
    x = randn(65536, width, dtype=BF16)
    weights = [randn(width, width, dtype=BF16, scale=width**-0.5) for _ in range(layers)]
    scales = [1 + randn(width, dtype=BF16, scale=0.1) for _ in range(layers)]

    def by_hand(h, scale):
        inverse = torch.rsqrt(h.pow(2).mean(dim=-1, keepdim=True) + 1e-6)
        return h * inverse * scale

    def library(h, scale):
        return F.rms_norm(h, (width,), scale, 1e-6)

    norm = by_hand if half == "before" else library

    @torch.no_grad()
    def step():
        h = x
        for weight, scale in zip(weights, scales):
            h = h + F.linear(norm(h, scale), weight)
        return h[:4096]

    return step


@pair("torch.compile for the gate and for the scaled residual", "fuse", "unfused_elementwise")
def swiglu_eager(half):
    """Gated feed-forward layers with a scale on the hidden units and one on the branch, 65536 tokens."""
    width, hidden, layers = 768, 3072, 6
    x = randn(65536, width, dtype=BF16)
    ups = [randn(2 * hidden, width, dtype=BF16, scale=width**-0.5) for _ in range(layers)]
    downs = [randn(width, hidden, dtype=BF16, scale=hidden**-0.5) for _ in range(layers)]
    hidden_scales = [1 + randn(hidden, dtype=BF16, scale=0.1) for _ in range(layers)]
    branch_scales = [0.5 + randn(width, dtype=BF16, scale=0.05) for _ in range(layers)]

    def gated(both, scale):
        gate, up = both.chunk(2, dim=-1)
        return F.silu(gate) * up * scale

    def joined(h, branch, scale):
        return h + branch * scale

    if half == "after":
        gated, joined = torch.compile(gated), torch.compile(joined)

    @torch.no_grad()
    def step():
        h = x
        for up, down, hidden_scale, branch_scale in zip(ups, downs, hidden_scales, branch_scales):
            h = joined(h, F.linear(gated(F.linear(h, up), hidden_scale), down), branch_scale)
        return h[:4096]

    return step


class EncoderBlock(nn.Module):
    """A block of a vision transformer; `fused=False` writes the attention over all patches out."""

    def __init__(self, width, heads, fused):
        super().__init__()
        self.heads, self.fused, self.scale = heads, fused, (width // heads) ** -0.5
        self.norm1, self.norm2 = nn.LayerNorm(width, eps=1e-6), nn.LayerNorm(width, eps=1e-6)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def attention(self, x):
        batch, patches, width = x.shape
        qkv = self.qkv(x).reshape(batch, patches, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        if self.fused:
            y = F.scaled_dot_product_attention(q, k, v)
        else:
            q = q * self.scale
            y = (q @ k.transpose(-2, -1)).softmax(dim=-1) @ v
        return self.proj(y.transpose(1, 2).reshape(batch, patches, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


def patches_of(images, size=16):
    """(batch, 3, height, width) as (batch, patches, 3 * size * size)."""
    batch, channels, height, width = images.shape
    tiles = images.view(batch, channels, height // size, size, width // size, size).permute(0, 2, 4, 1, 3, 5)
    return tiles.reshape(batch, (height // size) * (width // size), channels * size * size)


@pair("F.scaled_dot_product_attention instead of scores, softmax, product", "fused-attention", "unfused_attention")
def vit_attention_by_hand(half):
    """An image encoder, 48 images of 384 x 384: 576 patches, 12 heads of 64."""

    def make():
        blocks = [EncoderBlock(768, 12, fused=half == "after") for _ in range(10)]
        return nn.Sequential(nn.Linear(768, 768), *blocks, nn.LayerNorm(768))

    model = on_device(make).to(BF16).eval()
    images = randn(48, 3, 384, 384, dtype=BF16)

    @torch.no_grad()
    def step():
        return model(patches_of(images)).mean(dim=1)

    return step


class CausalBlock(nn.Module):
    """A block of a small language model with the causal mask as a buffer."""

    def __init__(self, width, heads, length, fused):
        super().__init__()
        self.heads, self.fused = heads, fused
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.register_buffer("past", torch.ones(length, length).tril().view(1, 1, length, length))

    def attention(self, x):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
            for part in self.qkv(x).split(width, dim=2)
        )
        if self.fused:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.shape[-1]))
            scores = scores.masked_fill(self.past[:, :, :length, :length] == 0, float("-inf"))
            y = F.softmax(scores, dim=-1) @ v
        return self.proj(y.transpose(1, 2).contiguous().view(batch, length, width))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


@pair("F.scaled_dot_product_attention(is_causal=True) in training instead of scores, mask, softmax, product",
      "fused-attention", "unfused_attention")
def gpt_training_attention(half):
    """Training of a small language model, 8 sequences of 1024 tokens, 12 heads of 64."""
    vocabulary, width, length = 8192, 768, 1024

    def make():
        blocks = [CausalBlock(width, 12, length, fused=half == "after") for _ in range(4)]
        return nn.Sequential(nn.Embedding(vocabulary, width), *blocks, nn.LayerNorm(width),
                             nn.Linear(width, vocabulary, bias=False))

    model = on_device(make).to(BF16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    data = torch.randint(vocabulary, (8, length + 1), device=DEVICE)
    tokens, targets = data[:, :-1].contiguous(), data[:, 1:].reshape(-1)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(tokens).view(-1, vocabulary), targets)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def double_conv(inside, width):
    layers = []
    for channels in (inside, width):
        layers += [nn.Conv2d(channels, width, 3, padding=1, bias=False), nn.BatchNorm2d(width), nn.SiLU(inplace=True)]
    return nn.Sequential(*layers)


class UNet(nn.Module):
    """Three levels down and up again, with the connections across."""

    def __init__(self, inside, classes, widths=(64, 128, 256, 512)):
        super().__init__()
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        for width in widths[:-1]:
            self.down.append(double_conv(inside, width))
            inside = width
        self.bottom = double_conv(inside, widths[-1])
        inside = widths[-1]
        for width in reversed(widths[:-1]):
            self.up.append(double_conv(inside + width, width))
            inside = width
        self.head = nn.Conv2d(inside, classes, 1)

    def forward(self, x):
        across = []
        for level in self.down:
            x = level(x)
            across.append(x)
            x = F.max_pool2d(x, 2)
        x = self.bottom(x)
        for level in self.up:
            x = F.interpolate(x, scale_factor=2.0, mode="nearest")
            x = level(torch.cat([across.pop(), x], dim=1))
        return self.head(x)


@pair("channels_last for the model and its input", "channels-last", "layout_transforms")
def unet_nchw(half):
    """Segmentation of 16 tiles of 256 x 256 in four bands."""
    layout = torch.channels_last if half == "after" else torch.contiguous_format
    model = on_device(lambda: UNet(4, 8)).eval()
    for module in model.modules():
        if isinstance(module, nn.Conv2d):
            nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
    model = model.to(BF16).to(memory_format=layout)
    tiles = randn(16, 4, 256, 256, dtype=BF16).to(memory_format=layout)

    @torch.no_grad()
    def step():
        return model(tiles)

    return step


class FeedForward(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(self.norm(x))))


@pair("allow TF32 for the fp32 matrix products of inference", "tensor-cores", None)
def fp32_inference(half):
    """Six transformer feed-forward layers in fp32 over 12 sequences of 512 tokens."""
    model = on_device(lambda: nn.Sequential(*[FeedForward(1280) for _ in range(6)])).eval()
    x = randn(12, 512, 1280)
    precision = "highest" if half == "before" else "high"

    @torch.no_grad()
    def step():
        torch.set_float32_matmul_precision(precision)  # in the step: it is global, and the halves take turns
        return model(x)

    return step


@pair("pad features, hidden units and classes to multiples of 64", "align-gemm", None)
def odd_classifier(half):
    """Classes of 16384 samples of 2050 features through hidden layers of 4099 and 2731 units, fp16."""
    sizes, classes = (2050, 4099, 2731, 4099, 1001), 1001

    def missing(size):
        return 0 if half == "before" else -size % 64

    layers = []
    for inside, outside in zip(sizes, sizes[1:]):
        weight = randn(outside, inside, dtype=FP16, scale=(2 / inside) ** 0.5)
        bias = randn(outside, dtype=FP16, scale=0.1)
        weight = F.pad(weight, (0, missing(inside), 0, missing(outside))).contiguous()
        layers.append((weight, F.pad(bias, (0, missing(outside))).contiguous()))
    x = F.pad(randn(16384, sizes[0], dtype=FP16), (0, missing(sizes[0]))).contiguous()

    @torch.no_grad()
    def step():
        h = x
        for index, (weight, bias) in enumerate(layers):
            h = F.linear(h if index == 0 else torch.relu(h), weight, bias)
        return h[:512, :classes]

    return step


@pair("Adam(fused=True) instead of foreach=False for large layers", "fused-optimizer", "unfused_optimizer",
      block_ms=200.0)
def adam_large_layers(half):
    """Twelve layers of 4096 units, 200 million parameters: the updates take the device milliseconds."""

    def make():
        layers = [nn.Sequential(nn.LayerNorm(4096), nn.Linear(4096, 4096), nn.GELU()) for _ in range(12)]
        return nn.Sequential(*layers)

    model = on_device(make)
    how = dict(foreach=False, fused=False) if half == "before" else dict(fused=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-5, **how)
    x, target = randn(1024, 4096), randn(1024, 4096)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.mse_loss(model(x), target)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


@pair("pack the 200 tensors into one pinned buffer and copy that", "coalesce-copies", None)
def feature_copies(half):
    """A recommendation model whose 200 sparse features arrive as a host tensor of 8 KiB each a batch."""
    batch_size, features, rows, size, width = 2048, 200, 20000, 32, 4096
    batches = [
        [torch.randint(rows, (batch_size,), dtype=torch.int32) for _ in range(features)] for _ in range(4)
    ]
    table = randn(features * rows, size, dtype=BF16)
    offsets = (torch.arange(features, device=DEVICE, dtype=torch.int32) * rows).view(features, 1)
    first = randn(features * size, width, dtype=BF16, scale=(features * size) ** -0.5)
    weights = [randn(width, width, dtype=BF16, scale=(2 / width) ** 0.5) for _ in range(12)]
    last = randn(width, 64, dtype=BF16, scale=width**-0.5)
    turn = [0]

    def compute(parts):
        vectors = F.embedding(torch.stack(parts) + offsets, table)
        h = vectors.transpose(0, 1).reshape(batch_size, features * size) @ first
        for weight in weights:
            h = torch.relu(h) @ weight
        return torch.relu(h) @ last

    @torch.no_grad()
    def before():
        batch = batches[turn[0] % 4]
        turn[0] += 1
        return compute([part.to(DEVICE) for part in batch])

    if half == "before":
        return before

    buffers = [torch.empty(features, batch_size, dtype=torch.int32, pin_memory=True) for _ in range(2)]
    copied = [torch.cuda.Event() for _ in range(2)]

    @torch.no_grad()
    def after():
        i = turn[0]
        turn[0] += 1
        copied[i % 2].synchronize()  # the copy of two steps ago has left the buffer
        torch.stack(batches[i % 4], out=buffers[i % 2])
        packed = buffers[i % 2].to(DEVICE, non_blocking=True)
        copied[i % 2].record()
        return compute(list(packed.unbind(0)))

    return after


@pair("pinned batches copied on a side stream one step ahead, instead of a pageable copy in the step",
      "pin-copies,overlap-copies", "pageable_copies")
def pageable_images(half):
    """128 images of 256 x 256 in fp32 a step, 96 MiB, through an image encoder."""

    def make():
        blocks = [models.Block(768, 12) for _ in range(8)]
        return nn.Sequential(nn.Linear(768, 768), *blocks, nn.LayerNorm(768))

    model = on_device(make).to(BF16).eval()
    batches = [torch.rand(128, 3, 256, 256) for _ in range(4)]
    if half == "after":
        batches = [batch.pin_memory() for batch in batches]
    turn = [0]

    def compute(images):
        return model(patches_of(images.to(BF16))).mean(dim=1)

    @torch.no_grad()
    def before():
        images = batches[turn[0] % 4].to(DEVICE)
        turn[0] += 1
        return compute(images)

    if half == "before":
        return before

    side = torch.cuda.Stream()
    buffers = [batches[0].to(DEVICE), torch.empty(128, 3, 256, 256, device=DEVICE)]

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


class CachedBlock(nn.Module):
    """A decoder block for one new token, always at the last position of a full key-value cache."""

    def __init__(self, width, heads, context):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.register_buffer("keys", torch.randn(1, heads, context, self.size))
        self.register_buffer("values", torch.randn(1, heads, context, self.size))

    def forward(self, x):
        q, k, v = self.qkv(self.norm1(x)).view(3, 1, self.heads, 1, self.size).unbind(0)
        self.keys[:, :, -1:].copy_(k)
        self.values[:, :, -1:].copy_(v)
        y = F.scaled_dot_product_attention(q, self.keys, self.values)
        x = x + self.proj(y.reshape(1, self.heads * self.size))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


@pair("capture the decoding step in a CUDA graph and replay it", "graph-launches", None)
def single_sequence_decoding(half):
    """One token a step for one sequence: 36 layers of 1280 units, 1024 tokens of cache, fp16."""
    vocabulary, width = 50304, 1280

    def make():
        blocks = [CachedBlock(width, 20, 1024) for _ in range(36)]
        return nn.Sequential(nn.Embedding(vocabulary, width), *blocks, nn.LayerNorm(width),
                             nn.Linear(width, vocabulary, bias=False))

    model = on_device(make).to(FP16).eval()
    start = torch.full((1,), 17, device=DEVICE, dtype=torch.int64)
    token = start.clone()

    @torch.no_grad()
    def decode():
        logits = model(token)
        token.copy_(logits.argmax(dim=-1))
        return logits

    if half == "before":
        return decode

    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            decode()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        logits = decode()
    token.copy_(start)  # the cache's last position is written before it is read

    def after(keep=(model, token)):  # the graph's tensors must live
        graph.replay()
        return logits

    return after


@pair("no synchronisation and no item() in the step: the block statistics stay on the device", "remove-sync",
      "host_sync", block_ms=120.0)
def watched_blocks(half):
    """Training that waits for each of its eight blocks and reads the size of what came out."""
    width = 896
    blocks = on_device(lambda: nn.ModuleList([models.Block(width, 14, causal=True) for _ in range(8)])).to(BF16)
    optimizer = torch.optim.AdamW(blocks.parameters(), lr=1e-5, fused=True)
    x, target = randn(6, 1024, width, dtype=BF16), randn(6, 1024, width, dtype=BF16)
    seen, read = torch.zeros(8, device=DEVICE), [0.0] * 8

    def step():
        optimizer.zero_grad(set_to_none=True)
        h, sizes = x, []
        for index, block in enumerate(blocks):
            h = block(h)
            size = h.detach().abs().mean().float()
            if half == "before":
                torch.cuda.synchronize()
                read[index] = size.item()
            sizes.append(size)
        seen.copy_(torch.stack(sizes))
        loss = F.mse_loss(h, target)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


class Spectrograms(Dataset):
    """Synthetic clips of one second at 16 kHz as 98 frames of 80 log band energies, computed on the host."""

    def __init__(self, length, classes):
        self.length, self.classes = length, classes
        self.window = np.hanning(400).astype(np.float32)
        self.edges = np.linspace(0, 256, 81).astype(np.int64)[:-1]

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        rng = np.random.default_rng(index)
        clip = rng.standard_normal(16000, dtype=np.float32)
        frames = np.lib.stride_tricks.sliding_window_view(clip, 400)[::160] * self.window
        spectrum = np.fft.rfft(frames, n=512, axis=1)
        power = spectrum.real**2 + spectrum.imag**2
        bands = np.log(np.add.reduceat(power, self.edges, axis=1) + 1e-6)
        return bands.astype(np.float32), int(rng.integers(self.classes))


class ClipClassifier(nn.Module):
    def __init__(self, classes, width, heads, depth):
        super().__init__()
        self.embed = nn.Linear(80, width)
        self.blocks = nn.Sequential(*[models.Block(width, heads) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, classes)

    def forward(self, frames):
        return self.head(self.norm(self.blocks(self.embed(frames)).mean(dim=1)))


def endless(loader):
    while True:
        yield from loader


# A block is long beside the 16 batches that the workers hold ready while the other half runs.
@pair("four persistent workers with four batches each ready, instead of loading in the step", "loader-workers 4", None,
      block_ms=600.0, own_workers=True)
def loading_in_step(half):
    """Training on spectrograms, 32 clips a step; the data set does not end within a run."""
    classes = 35
    model = on_device(lambda: ClipClassifier(classes, 1280, 20, 4)).to(BF16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    how = dict(num_workers=0)
    if half == "after":
        how = dict(num_workers=4, persistent_workers=True, prefetch_factor=4, multiprocessing_context="fork")
    batches = endless(DataLoader(Spectrograms(10**7, classes), batch_size=32, shuffle=False, **how))

    def step():
        frames, labels = next(batches)
        optimizer.zero_grad(set_to_none=True)
        logits = model(frames.to(DEVICE).to(BF16))
        loss = F.cross_entropy(logits, labels.to(DEVICE))
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


class Meter:
    """The last value, the mean of the last twenty and of all."""

    def __init__(self):
        self.recent, self.total, self.count = [0.0] * 20, 0.0, 0

    def update(self, value):
        self.recent[self.count % 20] = value
        self.total += value
        self.count += 1

    def __str__(self):
        return f"{sum(self.recent) / 20:.4f} ({self.total / self.count:.4f})"


@pair("leave the meters between the steps out", "remove-host range:update_meters", None, block_ms=120.0)
def update_meters(half):
    """An autoencoder, and 4800 meters in Python that are brought up to date after each step."""
    sizes, layers = (4096, 2048, 1024, 512, 1024, 2048, 4096), []
    for inside, outside in zip(sizes, sizes[1:]):
        layers += [nn.Linear(inside, outside), nn.SiLU()]
    model = nn.Sequential(*layers[:-1]).to(DEVICE, BF16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-5, fused=True)
    x = randn(16384, 4096, dtype=BF16)
    meters = {f"class{i // 3}/{('precision', 'recall', 'f1')[i % 3]}": Meter() for i in range(4800)}

    def update():
        for index, meter in enumerate(meters.values()):
            meter.update(0.001 * index)
        return "  ".join(f"{name}: {meter}" for name, meter in meters.items())

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = F.mse_loss(model(x), x)
        loss.backward()
        optimizer.step()
        if half == "before":
            with torch.profiler.record_function("update_meters"):
                update()
        return loss.detach()

    return step
