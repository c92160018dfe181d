# SPDX-License-Identifier: Apache-2.0
"""Records four healthy workloads, and times each unprofiled and profiled in turn.

    python3 benchmarks/accuracy/record_healthy.py --out results [--only NAME...] [--list] [--seconds 330]

Writes NAME.json.gz and healthy_truth.json. Healthy means that the GPU is busy when nobody records and that its time
goes to kernels at their roof; the printed busy estimate (device time a recorded step over an unprofiled step) says
whether that came true on the machine at hand. A workload that fails is reported and the rest goes on.
"""
import argparse
import json
import os
import sys
import time
import traceback

import torch
import torch.nn.functional as F

import models
import recording
from models import BF16, DEVICE

WORKLOADS = {}
BLOCK_MS = 400.0
ROUNDS = 3
MOST_BYTES = 4 << 20  # a recording that is committed


def workload(what, active):
    def register(build):
        WORKLOADS[build.__name__] = (what, active, build)
        return build

    return register


@workload("large weights and key-value cache read once a step in one CUDA graph: limited by device memory", 8)
def cuda_graph_decode():
    step = models.DecodeStep(batch=64, context=4096, depth=12)
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.no_grad(), torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.no_grad(), torch.cuda.graph(graph):
        step()
    return lambda keep=step: graph.replay()  # `keep`: the graph's tensors must live


@workload("BERT-large-like encoder training, bf16, SDPA, fused AdamW, 64 x 512 tokens: GEMMs", 6)
def bert_large_batch():
    model = models.Transformer(30522, 512, width=1024, heads=16, depth=24).to(DEVICE, BF16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    batches = [torch.randint(30522, (64, 512), device=DEVICE) for _ in range(2)]
    masked = torch.randint(512, (64, 76), device=DEVICE)  # 15 % of the tokens are predicted
    at = torch.arange(64, device=DEVICE).unsqueeze(1)

    def step():
        batches.append(batches.pop(0))
        tokens = batches[0]
        optimizer.zero_grad(set_to_none=True)
        x = model.blocks(model.tokens(tokens) + model.positions(model.places))
        logits = model.head(model.norm(x[at, masked]))
        F.cross_entropy(logits.flatten(0, 1), tokens[at, masked].flatten()).backward()
        optimizer.step()

    return step


@workload("decoder training under DistributedDataParallel, NCCL, one rank: nothing to wait for", 6)
def ddp_single_device():
    import torch.distributed as dist

    os.environ.setdefault("NCCL_SOCKET_IFNAME", "lo")  # one rank needs no network, and there may be none
    if not dist.is_initialized():
        dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)
    model = models.Transformer(32000, 1024, width=1536, heads=12, depth=12, causal=True).to(DEVICE, BF16)
    model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[0], gradient_as_bucket_view=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    batches = [torch.randint(32000, (16, 1024), device=DEVICE) for _ in range(2)]

    def step():
        batches.append(batches.pop(0))
        optimizer.zero_grad(set_to_none=True)
        logits = model(batches[0])
        F.cross_entropy(logits.flatten(0, 1), batches[1].flatten()).backward()
        optimizer.step()

    return step


@workload("ResNet-50 training, bf16 autocast, channels_last, torch.compile, fused SGD, batch 384 at 224 x 224", 6)
def conv_training_channels_last_compiled():
    torch.backends.cudnn.benchmark = True
    model = models.resnet50().to(DEVICE, memory_format=torch.channels_last)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9, fused=True)
    images = torch.randn(384, 3, 224, 224, device=DEVICE).to(memory_format=torch.channels_last)
    labels = torch.randint(1000, (384,), device=DEVICE)

    @torch.compile
    def loss_of(images, labels):
        with torch.autocast("cuda", dtype=BF16):
            return F.cross_entropy(model(images), labels)

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss_of(images, labels).backward()
        optimizer.step()

    return step


def measure(name, out, truth):
    what, active, build = WORKLOADS[name]
    recording.settle()
    started = time.monotonic()
    step = build()
    for _ in range(4):  # compiles, tunes, fills the allocator
        step()
    torch.cuda.synchronize()
    ready = time.monotonic()
    steps = recording.steps_for(step, BLOCK_MS, least=4)
    unprofiled, profiled, path = [], [], ""
    for _ in range(ROUNDS):
        unprofiled.append(recording.block_ms(step, steps))
        path, ms = recording.record(step, name, out, active)
        if os.path.getsize(path) > MOST_BYTES and active > 3:
            active = max(3, int(active * MOST_BYTES / os.path.getsize(path)))
            path, ms = recording.record(step, name, out, active)
        profiled.append(ms)
    figures = recording.device_figures(path)
    un, pro = recording.min_med_max(unprofiled), recording.min_med_max(profiled)
    truth[name] = {
        "what": what,
        "steps": active,
        "unprofiled_ms_min_med_max": un,
        "profiled_ms_min_med_max": pro,
        "inflation": round(pro[1] / un[1], 3),
        "device_busy_ms": round(figures["busy_ms"], 4),
        "gpu_busy_profiled": round(figures["busy_ratio"], 4),
        "gpu_busy_unprofiled_estimate": round(min(1.0, figures["busy_ms"] / un[1]), 4),
    }
    print(
        f"{name}: ready in {ready - started:.0f} s, measured in {time.monotonic() - ready:.0f} s, "
        f"{figures['kernels']:.0f} kernels a step, {os.path.getsize(path)} bytes",
        flush=True,
    )
    if os.path.getsize(path) > MOST_BYTES:
        raise RuntimeError(f"recording of {os.path.getsize(path)} bytes, over {MOST_BYTES}")


def main():
    parser = argparse.ArgumentParser(description="Records healthy workloads with torch.profiler.")
    parser.add_argument("--out", default=os.environ.get("OUT", "."))
    parser.add_argument("--seconds", type=float, default=330.0, help="no workload is begun after this time")
    parser.add_argument("--only", nargs="+", choices=list(WORKLOADS), default=list(WORKLOADS))
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        for name, (what, _, _) in WORKLOADS.items():
            print(f"{name}: {what}")
        return 0
    if not torch.cuda.is_available():
        sys.exit("record_healthy.py: needs a GPU")
    os.makedirs(arguments.out, exist_ok=True)
    truth, failures = {}, {}

    def report():
        with open(os.path.join(arguments.out, "healthy_truth.json"), "w", encoding="utf-8") as file:
            json.dump({"machine": recording.machine(), "healthy": truth}, file, indent=1)
        head = f"{'workload':38} {'unprof ms':>10} {'prof ms':>10} {'inflation':>9}"
        print(f"\n{head} {'busy unprof':>11} {'busy prof':>9}")
        for name, t in truth.items():
            un, pro = t["unprofiled_ms_min_med_max"][1], t["profiled_ms_min_med_max"][1]
            busy = f"{t['gpu_busy_unprofiled_estimate']:11.3f} {t['gpu_busy_profiled']:9.3f}"
            print(f"{name:38} {un:10.3f} {pro:10.3f} {t['inflation']:9.3f} {busy}")
        for name, why in failures.items():
            print(f"FAILED {name}: {why}")
        sys.stdout.flush()

    limit = recording.Limit(arguments.seconds, report)
    for name in arguments.only:
        if limit.over():
            failures[name] = "not reached: time limit"
            continue
        try:
            measure(name, arguments.out, truth)
        except Exception as error:  # noqa: BLE001: one workload must not stop the rest; it is reported
            failures[name] = repr(error)[:300]
            traceback.print_exc()
    limit.done()
    report()
    if "torch.distributed" in sys.modules and torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
