# SPDX-License-Identifier: Apache-2.0
"""How near PyTorch's own kernels come to a device's peaks: what data/ceilings/kernels.json is set from.

    python3 benchmarks/ceilings/library_kernels.py --bandwidth 4.8e12 --matrix 989e12 --tf32 494e12 --out results

Each row is one operator at one size: device time of its kernels (CUDA events round a graph-free burst of launches,
median of 15, random inputs that do not fit the cache), and the share of the peak that the least traffic (each input read
once, each result written once) or the needed arithmetic makes of it. The peaks are the dense data-sheet ones of the
device. Writes library_kernels.json: rows, and the 10 %, 50 % and 90 % quantiles of each ceiling.
"""
import argparse
import json
import math
import os
import statistics
import sys

import torch
import torch.nn.functional as F

DEVICE = "cuda"
BF16, FP16, FP32 = torch.bfloat16, torch.float16, torch.float32
ROWS = []


def time_ns(step, least=6, most=60):
    """Device time of one call, in a burst long enough to hide the launches."""
    for _ in range(3):
        step()
    torch.cuda.synchronize()
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    step()
    end.record()
    torch.cuda.synchronize()
    calls = int(min(max(3.0 / max(start.elapsed_time(end), 1e-3), least), most))
    samples = []
    for _ in range(15):
        start.record()
        for _ in range(calls):
            step()
        end.record()
        torch.cuda.synchronize()
        samples.append(start.elapsed_time(end) / calls * 1e6)
    return statistics.median(samples)


def row(ceiling, what, step, bytes_=0.0, flops=0.0, peak=0.0):
    try:
        ns = time_ns(step)
    except RuntimeError as error:  # no kernel for these sizes, or no room: said, and left out
        print(f"left out: {ceiling} {what}: {str(error).splitlines()[0][:100]}")
        return
    share = (bytes_ / ns * 1e9 / PEAKS["bandwidth"]) if bytes_ else (flops / ns * 1e9 / peak)
    ROWS.append({"ceiling": ceiling, "what": what, "us": round(ns / 1e3, 2), "share": round(share, 3)})


def randn(*shape, dtype=FP32):
    return torch.randn(*shape, device=DEVICE, dtype=FP32).to(dtype)


def size_of(*tensors):
    return float(sum(t.numel() * t.element_size() for t in tensors))


def name_of(dtype):
    return str(dtype).split(".")[1]


def streams():
    """Fused elementwise chains as a compiler makes them, by the number of large tensors read."""
    for dtype in (FP32, BF16):
        n = (1 << 28) // (4 if dtype == FP32 else 2)
        xs = [randn(n // 4096, 4096, dtype=dtype) for _ in range(4)]
        bias = randn(4096, dtype=dtype)
        chains = {
            "copy": (lambda x: x * 1.5 + 1, 1),
            "bias, gelu": (lambda x, b=bias: F.gelu(x + b), 1),
            "bias, gelu, mask, scale, residual": (lambda x, y, z, b=bias: F.gelu(x + b) * y * 1.1 + z, 3),
            "gated": (lambda x, y: F.silu(x) * y, 2),
            "four inputs": (lambda x, y, z, w: torch.tanh(x) * y + torch.sigmoid(z) * w, 4),
        }
        for name, (chain, count) in chains.items():
            compiled = torch.compile(chain, dynamic=False)
            row("streaming", f"compiled {name} {name_of(dtype)}", lambda: compiled(*xs[:count]), size_of(*xs[:count], xs[0]))
        row("streaming", f"eager add {name_of(dtype)}", lambda: xs[0] + xs[1], size_of(*xs[:3]))


def reductions():
    for dtype in (FP32, BF16):
        for width in (512, 1024, 2048, 4096, 8192, 16384, 32768, 131072):
            x = randn((1 << 28) // x_bytes(dtype) // width, width, dtype=dtype)
            moved = 2 * size_of(x)
            tag = f"{tuple(x.shape)} {name_of(dtype)}"
            row("row_reduction", f"softmax {tag}", lambda: torch.softmax(x, dim=-1), moved)
            row("row_reduction", f"log_softmax {tag}", lambda: torch.log_softmax(x, dim=-1), moved)
            if width <= 16384:
                w, b = randn(width, dtype=dtype), randn(width, dtype=dtype)
                row("row_reduction", f"layer_norm {tag}", lambda: F.layer_norm(x, (width,), w, b), moved)
                row("row_reduction", f"rms_norm {tag}", lambda: F.rms_norm(x, (width,), w), moved)
    for width in (1024, 8192):
        x = randn((1 << 28) // 2 // width, width, dtype=BF16)
        w, b = randn(width, dtype=BF16), randn(width, dtype=BF16)
        norm = torch.compile(lambda x: F.layer_norm(x, (width,), w, b), dynamic=False)
        row("row_reduction", f"compiled layer_norm {tuple(x.shape)} bfloat16", lambda: norm(x), 2 * size_of(x))
        soft = torch.compile(lambda x: torch.softmax(x, dim=-1), dynamic=False)
        row("row_reduction", f"compiled softmax {tuple(x.shape)} bfloat16", lambda: soft(x), 2 * size_of(x))


def x_bytes(dtype):
    return 4 if dtype == FP32 else 2


def attention():
    for head in (64, 128):
        for length in (256, 512, 1024, 2048, 4096, 8192):
            batch = max(1, (16384 * 2) // length)
            heads = 2048 // head
            q, k, v = (randn(batch, heads, length, head, dtype=BF16).requires_grad_() for _ in range(3))
            for causal in (False, True):
                flops = 4.0 * batch * heads * length * length * head / (2 if causal else 1)
                tag = f"batch {batch}, {heads} heads of {head}, length {length}{', causal' if causal else ''}"
                with torch.no_grad():
                    row(
                        "attention_forward", tag,
                        lambda: F.scaled_dot_product_attention(q, k, v, is_causal=causal), 0, flops, PEAKS["matrix"],
                    )
                out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
                grad = torch.randn_like(out)
                row(
                    "attention_backward", tag,
                    lambda: torch.autograd.grad(out, (q, k, v), grad, retain_graph=True), 0, 2.5 * flops, PEAKS["matrix"],
                )
                del out, grad


def products():
    for dtype, peak in ((BF16, "matrix"), (FP32, "tf32")):
        for m, n, k in ((1024, 1024, 1024), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 8192, 8192),
                        (16384, 1024, 1024), (16384, 4096, 1024), (16384, 1024, 4096), (8192, 2048, 8192),
                        (32768, 768, 3072), (512, 4096, 4096), (2048, 50304, 1024)):
            pairs = [(randn(m, k, dtype=dtype), randn(k, n, dtype=dtype)) for _ in range(3)]
            turn = [0]

            def product():
                a, b = pairs[turn[0] % 3]
                turn[0] += 1
                return a @ b

            row("matrix_product", f"{m} x {n} x {k} {name_of(dtype)}", product, 0, 2.0 * m * n * k, PEAKS[peak])


def convolutions():
    shapes = ((64, 64, 56, 3), (128, 128, 28, 3), (256, 256, 14, 3), (512, 512, 7, 3), (256, 64, 56, 1), (64, 256, 56, 1),
              (512, 128, 28, 1), (1024, 256, 14, 1), (128, 128, 56, 3), (192, 384, 28, 3))
    for dtype in (BF16, FP16):
        for cin, cout, size, kernel in shapes:
            x = randn(128, cin, size, size, dtype=dtype).to(memory_format=torch.channels_last)
            w = randn(cout, cin, kernel, kernel, dtype=dtype).to(memory_format=torch.channels_last)
            flops = 2.0 * 128 * size * size * cin * cout * kernel * kernel
            moved = size_of(x) + 128 * cout * size * size * 2.0
            needed = max(flops / PEAKS["matrix"], moved / PEAKS["bandwidth"])
            row("convolution", f"{cin}->{cout} {size}x{size} kernel {kernel} {name_of(dtype)}",
                lambda: F.conv2d(x, w, padding=kernel // 2), 0, needed * PEAKS["matrix"], PEAKS["matrix"])


def normalisations():
    """Batch normalisation over channels-last tensors. Inference reads and writes once; in training the statistics read
    the tensor once more: their time is what training takes beyond inference."""
    for channels, size in ((64, 112), (64, 56), (256, 56), (128, 28), (512, 28), (1024, 14), (2048, 7)):
        for dtype in (BF16, FP32):
            x = randn(128, channels, size, size, dtype=dtype).to(memory_format=torch.channels_last)
            module = torch.nn.BatchNorm2d(channels).to(DEVICE, dtype)
            tag = f"{channels} of {size}x{size} {name_of(dtype)}"
            with torch.no_grad():
                module.eval()
                row("channel_norm_apply", f"{tag}, inference", lambda: module(x), 2 * size_of(x))
                inference = ROWS[-1]["us"]
                module.train()
                row("channel_norm", f"{tag}, training", lambda: module(x), 3 * size_of(x))
            statistics_us = ROWS[-1]["us"] - inference
            share = size_of(x) / (statistics_us * 1e-6) / PEAKS["bandwidth"]
            ROWS.append({"ceiling": "channel_statistics", "what": tag, "us": round(statistics_us, 2), "share": round(share, 3)})


def optimizers():
    for sizes in ([(4096, 4096)] * 8, [(1024, 1024)] * 96, [(256, 256)] * 300):
        for name, make, passes in (
            ("AdamW", lambda p: torch.optim.AdamW(p, fused=True), 7),
            ("SGD momentum", lambda p: torch.optim.SGD(p, lr=1e-3, momentum=0.9, fused=True), 5),
        ):
            parameters = [torch.nn.Parameter(randn(*s)) for s in sizes]
            for p in parameters:
                p.grad = torch.randn_like(p)
            optimizer = make(parameters)
            row("optimizer", f"{name} {len(sizes)} x {sizes[0]}", optimizer.step, passes * size_of(*parameters))


def link():
    for size in (1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28):
        host = torch.empty(size, dtype=torch.uint8, pin_memory=True)
        there = torch.empty(size, dtype=torch.uint8, device=DEVICE)
        for name, step in (("to device", lambda: there.copy_(host, non_blocking=True)),
                           ("to host", lambda: host.copy_(there, non_blocking=True))):
            row("host_link", f"pinned {size >> 20} MiB {name}", step, 0, float(size), PEAKS["link"])


PARTS = {
    "streams": streams, "reductions": reductions, "attention": attention, "products": products,
    "convolutions": convolutions, "normalisations": normalisations, "optimizers": optimizers, "link": link,
}
PEAKS = {}


def quantile(values, q):
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def main():
    parser = argparse.ArgumentParser(description="Shares of the peaks that library kernels reach.")
    parser.add_argument("--bandwidth", type=float, required=True, help="bytes/s")
    parser.add_argument("--matrix", type=float, required=True, help="dense 16-bit FLOP/s")
    parser.add_argument("--tf32", type=float, required=True, help="dense TF32 FLOP/s")
    parser.add_argument("--link", type=float, default=64e9, help="bytes/s of the host link")
    parser.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--out", default=os.environ.get("OUT", "."))
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("library_kernels.py: needs a GPU")
    PEAKS.update(bandwidth=arguments.bandwidth, matrix=arguments.matrix, tf32=arguments.tf32, link=arguments.link)
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    for part in arguments.only:
        PARTS[part]()
        torch.cuda.empty_cache()
    summary = {}
    for ceiling in dict.fromkeys(r["ceiling"] for r in ROWS):
        shares = [r["share"] for r in ROWS if r["ceiling"] == ceiling]
        summary[ceiling] = {"rows": len(shares)} | {f"q{int(q * 100)}": round(quantile(shares, q), 3) for q in (0.1, 0.5, 0.9)}
    device = f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, CUDA {torch.version.cuda}"
    with open(os.path.join(arguments.out, "library_kernels.json"), "w", encoding="utf-8") as file:
        json.dump({"machine": device, "peaks": PEAKS, "ceilings": summary, "rows": ROWS}, file, indent=1)
    for r in ROWS:
        print(f"{r['ceiling']:20} {r['share']:6.3f} {r['us']:10.1f} us  {r['what']}")
    print(device)
    for ceiling, s in summary.items():
        print(f"{ceiling:20} {s}")


if __name__ == "__main__":
    main()
