# SPDX-License-Identifier: Apache-2.0
"""Models that the recordings run, written in torch.nn alone: no weights or data are fetched.

    from models import Block, resnet50, DecodeStep
"""
import torch
import torch.nn.functional as F
from torch import nn

DEVICE = "cuda"
BF16 = torch.bfloat16


class Block(nn.Module):
    """A pre-norm transformer block; `fused=False` writes the attention out as matmul, softmax, matmul."""

    def __init__(self, width, heads, causal=False, fused=True):
        super().__init__()
        self.heads, self.causal, self.fused = heads, causal, fused
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def attend(self, q, k, v):
        if self.fused:
            return F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        scores = (q @ k.transpose(-2, -1)) * q.shape[-1] ** -0.5
        return torch.softmax(scores, dim=-1) @ v

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        y = self.attend(q, k, v).transpose(1, 2).reshape(batch, length, width)
        x = x + self.proj(y)
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Transformer(nn.Module):
    """Token embedding, blocks, and logits over the vocabulary."""

    def __init__(self, vocabulary, length, width, heads, depth, causal=False):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(vocabulary, width), nn.Embedding(length, width)
        self.blocks = nn.Sequential(*[Block(width, heads, causal) for _ in range(depth)])
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, vocabulary)
        self.register_buffer("places", torch.arange(length))

    def forward(self, tokens):
        x = self.tokens(tokens) + self.positions(self.places)
        return self.head(self.norm(self.blocks(x)))


class Bottleneck(nn.Module):
    """1x1, 3x3, 1x1 convolutions with batch norm, and the shortcut."""

    def __init__(self, inside, width, stride):
        super().__init__()
        outside = 4 * width
        self.main = nn.Sequential(
            nn.Conv2d(inside, width, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, outside, 1, bias=False),
            nn.BatchNorm2d(outside),
        )
        self.shortcut = nn.Identity()
        if stride != 1 or inside != outside:
            self.shortcut = nn.Sequential(
                nn.Conv2d(inside, outside, 1, stride=stride, bias=False), nn.BatchNorm2d(outside)
            )

    def forward(self, x):
        return F.relu(self.main(x) + self.shortcut(x), inplace=True)


def resnet50(classes=1000, depths=(3, 4, 6, 3)):
    """The 50-layer residual network of He et al. (2015), stride in the 3x3 convolution."""
    layers = [nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True)]
    layers.append(nn.MaxPool2d(3, stride=2, padding=1))
    inside = 64
    for stage, depth in enumerate(depths):
        width = 64 << stage
        for index in range(depth):
            layers.append(Bottleneck(inside, width, 2 if stage > 0 and index == 0 else 1))
            inside = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inside, classes))


class DecodeStep:
    """One token for every sequence of a batch through a Llama-like decoder with a full key-value cache.

    Weights and cache are read once a step, so device memory limits it. The position stays the cache's last, which
    keeps every step alike and fit for a CUDA graph. No gradients, no sampling but the greedy choice.
    """

    def __init__(self, batch, context, depth, width=4096, hidden=14336, heads=32, groups=8, vocabulary=32000):
        self.batch, self.heads, self.groups, self.size = batch, heads, groups, width // heads
        self.last = context - 1

        def weight(rows, columns):
            return torch.randn(rows, columns, device=DEVICE, dtype=BF16) * rows**-0.5

        self.layers = []
        for _ in range(depth):
            self.layers.append(
                dict(
                    norm1=torch.ones(width, device=DEVICE, dtype=BF16),
                    norm2=torch.ones(width, device=DEVICE, dtype=BF16),
                    qkv=weight(width, (heads + 2 * groups) * self.size),
                    out=weight(width, width),
                    gate_up=weight(width, 2 * hidden),
                    down=weight(hidden, width),
                    keys=torch.randn(batch, groups, context, self.size, device=DEVICE, dtype=BF16),
                    values=torch.randn(batch, groups, context, self.size, device=DEVICE, dtype=BF16),
                )
            )
        self.embedding = torch.randn(vocabulary, width, device=DEVICE, dtype=BF16)
        self.head = weight(width, vocabulary)
        self.norm = torch.ones(width, device=DEVICE, dtype=BF16)
        self.tokens = torch.randint(vocabulary, (batch,), device=DEVICE)

    def attend(self, layer, x):
        """The heads of a group share keys and values: they are that group's queries, all at the last position."""
        split = [self.heads * self.size, self.groups * self.size, self.groups * self.size]
        q, k, v = (x @ layer["qkv"]).split(split, dim=-1)
        layer["keys"][:, :, self.last].copy_(k.view(self.batch, self.groups, self.size))
        layer["values"][:, :, self.last].copy_(v.view(self.batch, self.groups, self.size))
        q = q.reshape(self.batch, self.groups, self.heads // self.groups, self.size)
        y = F.scaled_dot_product_attention(q, layer["keys"], layer["values"])
        return y.reshape(self.batch, self.heads * self.size)

    def __call__(self):
        x = self.embedding[self.tokens]
        width = x.shape[-1]
        for layer in self.layers:
            y = self.attend(layer, F.rms_norm(x, (width,), layer["norm1"]))
            x = torch.addmm(x, y, layer["out"])
            gate, up = (F.rms_norm(x, (width,), layer["norm2"]) @ layer["gate_up"]).chunk(2, dim=-1)
            x = torch.addmm(x, F.silu(gate) * up, layer["down"])
        logits = F.rms_norm(x, (width,), self.norm) @ self.head
        self.tokens.copy_(logits.argmax(dim=-1))
