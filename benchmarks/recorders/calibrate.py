# SPDX-License-Identifier: Apache-2.0
"""What torch.profiler costs the host, by recording mode, on this machine.

    python3 benchmarks/recorders/calibrate.py --seconds 220 --out results

Runs host-bound workloads of different kinds in turn unprofiled and profiled (A B A B ...), and fits

    overhead a step = k x (median launch call of the trace) x (host records a step)

for every mode: k comes out as one number a workload, so its spread says how far one k can be trusted. Models with
separate costs for driver calls and operators are fitted beside it and judged by the same error. Refuses to run without a
GPU: the launch call is the unit. A workload that fails is reported and left out; it never stops the rest.
"""
import argparse
import collections
import gc
import itertools
import json
import os
import platform
import statistics
import sys
import tempfile
import threading
import time
import traceback

import torch
import torch.nn.functional as F
from torch import nn
from torch.profiler import ProfilerActivity, profile

DEVICE = "cuda"
CPU, CUDA = ProfilerActivity.CPU, ProfilerActivity.CUDA
MODES = {
    "cuda_only": dict(activities=[CUDA]),
    "cpu_cuda": dict(activities=[CPU, CUDA]),
    "cpu_cuda_shapes": dict(activities=[CPU, CUDA], record_shapes=True),
    "cpu_cuda_stacks": dict(activities=[CPU, CUDA], with_stack=True),
    "cpu_cuda_memory": dict(activities=[CPU, CUDA], profile_memory=True),
}
HOST_RECORDS = ("cpu_op", "cuda_runtime", "cuda_driver", "user_annotation", "python_function")
DEVICE_RECORDS = ("kernel", "gpu_memcpy", "gpu_memset")
LAUNCH_CALLS = ("cudaLaunchKernel", "cuLaunchKernel")

# A block is long against the clock and the closing synchronisation, short against the machine's drift, and its trace
# (some 10^4 events) is read in a fraction of a second.
BLOCK_MS = 40.0
BLOCK_STEPS = (8, 300)
WARM_STEPS = 3
LEAST_ROUNDS, MOST_ROUNDS = 3, 7
# Below this share of the unprofiled step, records x launch call is too little for the overhead to stand out of the noise
# whatever k is; such rows are printed but not fitted. The test looks at records only, never at the overhead measured.
# Chosen after a first run, in which four records a step gave a "k" of 1.46 in cuda_only.
LEAST_EXPOSURE = 0.1

WORKLOADS = {}


def workload(kind):
    """Registers a function that builds a workload and returns its step; `kind` is host_bound or mixed."""

    def register(build):
        WORKLOADS[build.__name__] = (kind, build)
        return build

    return register


@workload("host_bound")
def elementwise_chain():
    x = torch.randn(1024, device=DEVICE)

    def step():
        for _ in range(120):
            x.mul_(1.0001)
            x.add_(0.0001)

    return step


class Block(nn.Module):
    """A pre-norm transformer block."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads)
        q, k, v = qkv.permute(2, 0, 3, 1, 4).unbind(0)
        y = F.scaled_dot_product_attention(q, k, v)
        x = x + self.proj(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


@workload("host_bound")
def transformer_inference_batch1():
    model = nn.Sequential(*[Block(512, 8) for _ in range(12)]).to(DEVICE, torch.bfloat16).eval()
    x = torch.randn(1, 32, 512, device=DEVICE, dtype=torch.bfloat16)

    @torch.no_grad()
    def step():
        model(x)

    return step


def small_training(optimizer_of):
    layers = [nn.Sequential(nn.Linear(256, 256), nn.LayerNorm(256), nn.GELU()) for _ in range(16)]
    model = nn.Sequential(*layers).to(DEVICE)
    optimizer = optimizer_of(model.parameters())
    x = torch.randn(32, 256, device=DEVICE)

    def step():
        optimizer.zero_grad(set_to_none=True)
        model(x).square().mean().backward()
        optimizer.step()

    return step


@workload("host_bound")
def training_adam_foreach():
    return small_training(lambda p: torch.optim.Adam(p, lr=1e-4, foreach=True))


@workload("host_bound")
def training_sgd_loop():
    return small_training(lambda p: torch.optim.SGD(p, lr=1e-4, momentum=0.9, foreach=False))


class Nested(nn.Module):
    """A module in a module in a module, each slicing, indexing and concatenating."""

    def __init__(self, depth):
        super().__init__()
        self.norm = nn.LayerNorm(64)
        self.register_buffer("order", torch.randperm(64))
        self.inner = Nested(depth - 1) if depth > 1 else nn.Identity()

    def forward(self, x):
        y = torch.cat((x[:, 1::2], x[:, ::2]), dim=1)[:, self.order]
        return self.inner(self.norm(y)) + y.transpose(0, 1).transpose(0, 1)


@workload("host_bound")
def nested_modules_indexing():
    model = Nested(24).to(DEVICE).eval()
    x = torch.randn(16, 64, device=DEVICE)

    @torch.no_grad()
    def step():
        model(x)

    return step


@workload("host_bound")
def item_syncs():
    x = torch.randn(256, device=DEVICE)

    def step():
        total = 0.0
        for _ in range(40):
            total += torch.sin(x).sum().item()
        return total

    return step


@workload("host_bound")
def views_few_launches():
    x = torch.randn(64, 64, 8, device=DEVICE)

    def step():
        y = x
        for i in range(40):
            y = y.view(4096, 8).unsqueeze(0).expand(2, -1, -1)[0].view(64, 64, 8)
            y = y.permute(2, 0, 1).permute(1, 2, 0)
            if i % 10 == 9:
                y = y + 1.0
        return y

    return step


@workload("host_bound")
def conv_inference_batch1():
    layers = []
    for _ in range(20):
        layers += [nn.Conv2d(32, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU()]
    model = nn.Sequential(*layers).to(DEVICE).eval()
    x = torch.randn(1, 32, 32, 32, device=DEVICE)

    @torch.no_grad()
    def step():
        model(x)

    return step


@workload("host_bound")
def recurrent_backward():
    w = (torch.randn(64, 64, device=DEVICE) * 0.1).requires_grad_()
    u = (torch.randn(64, 64, device=DEVICE) * 0.1).requires_grad_()
    x = torch.randn(8, 64, device=DEVICE)

    def step():
        w.grad = u.grad = None
        h = torch.zeros_like(x)
        for _ in range(30):
            h = 0.9 * h + torch.tanh(x @ w + h @ u)
        h.square().mean().backward()

    return step


@workload("mixed")
def mixed_training():
    model = nn.Sequential(*[Block(512, 8) for _ in range(6)]).to(DEVICE, torch.bfloat16)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)
    x = torch.randn(16, 256, 512, device=DEVICE, dtype=torch.bfloat16)

    def step():
        optimizer.zero_grad(set_to_none=True)
        model(x).float().square().mean().backward()
        optimizer.step()

    return step


@workload("mixed")
def mixed_elementwise_copies():
    x = torch.randn(4 << 20, device=DEVICE)
    host = torch.randn(1 << 20).pin_memory()
    target = torch.empty(1 << 20, device=DEVICE)

    def step():
        for i in range(60):
            x.mul_(1.0001)
            if i % 10 == 0:
                target.copy_(host, non_blocking=True)

    return step


def block_us(step, steps):
    """Wall time a step over a block that starts and ends with an idle device."""
    torch.cuda.synchronize()
    start = time.perf_counter_ns()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter_ns() - start) / steps / 1e3


def profiled_block(step, steps, mode, path):
    """The same block under the profiler, after a few steps that are recorded but not timed, and its figures a step."""
    with profile(**MODES[mode]) as prof:
        for _ in range(WARM_STEPS):
            step()
        torch.cuda.synchronize()
        begin = time.time_ns()
        wall = block_us(step, steps)
        end = time.time_ns()
    prof.export_chrome_trace(path)
    figures = read_trace(path, steps, begin, end)
    os.remove(path)
    figures["profiled_us"] = wall
    return figures


def read_trace(path, steps, begin_ns, end_ns):
    """Host records, launch calls and device time a step, of the records that began in the timed block."""
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    base = document.get("baseTimeNanoseconds", 0)
    low, high = (begin_ns - base) / 1e3, (end_ns - base) / 1e3
    events = [e for e in document["traceEvents"] if "cat" in e and "ts" in e]
    inside = [e for e in events if low <= float(e["ts"]) <= high]
    window = "block"
    if not any(e["cat"] in HOST_RECORDS for e in inside):  # another clock: count the warm steps too
        inside, steps, window = events, steps + WARM_STEPS, "whole trace"
    counts = collections.Counter()
    launch_us, device_us = [], 0.0
    for event in inside:
        category, name = event["cat"], event.get("name", "")
        if event.get("ph") == "X" and category in HOST_RECORDS:
            counts[category] += 1
            if category in ("cuda_runtime", "cuda_driver") and name.startswith(LAUNCH_CALLS):
                launch_us.append(float(event["dur"]))
        elif event.get("ph") == "X" and category in DEVICE_RECORDS:
            device_us += float(event["dur"])
        elif name == "[memory]":
            counts["memory"] += 1
    if not launch_us:
        raise RuntimeError("no launch call recorded: is another CUPTI subscriber active?")
    figures = {category: counts[category] / steps for category in HOST_RECORDS + ("memory",)}
    figures["records"] = sum(figures[c] for c in HOST_RECORDS)
    figures["launches"] = len(launch_us) / steps
    figures["launch_us"] = statistics.median(launch_us)
    figures["device_us"] = device_us / steps
    figures["window"] = window
    return figures


def quantile(values, q):
    """Linear between the order statistics."""
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def summarise(name, kind, mode, pairs):
    """Medians over the repetitions of one workload in one mode."""
    row = {"workload": name, "kind": kind, "mode": mode, "repetitions": len(pairs), "window": pairs[-1][1]["window"]}
    row["unprofiled_us"] = statistics.median(a for a, _ in pairs)
    for key in ("profiled_us", "records", "launches", "launch_us", "device_us", "memory") + HOST_RECORDS:
        row[key] = statistics.median(b[key] for _, b in pairs)
    row["overhead_us"] = row["profiled_us"] - row["unprofiled_us"]
    row["k"] = row["overhead_us"] / (row["launch_us"] * row["records"])
    row["exposure"] = row["launch_us"] * row["records"] / row["unprofiled_us"]
    row["fitted"] = kind == "host_bound" and row["exposure"] >= LEAST_EXPOSURE
    row["k_of_repetitions"] = [(b["profiled_us"] - a) / (b["launch_us"] * b["records"]) for a, b in pairs]
    row["unprofiled_us_of_repetitions"] = [a for a, _ in pairs]
    row["profiled_us_of_repetitions"] = [b["profiled_us"] for _, b in pairs]
    row["device_busy_unprofiled"] = row["device_us"] / row["unprofiled_us"]
    return row


# Terms of the models: what a row's overhead is a sum of, in launch calls or (`_us`) in microseconds.
MODELS = {
    "one k": ("launch", ("records",)),
    "launches, ops": ("launch", ("launches", "cpu_op")),
    "calls, ops, python, memory": ("launch", ("calls", "ops", "python_function", "memory")),
    "one us": ("us", ("records",)),
    "calls, ops, python, memory in us": ("us", ("calls", "ops", "python_function", "memory")),
}


def term(row, name):
    if name == "calls":
        return row["cuda_runtime"] + row["cuda_driver"]
    if name == "ops":
        return row["cpu_op"] + row["user_annotation"]
    return row[name]


def solve(matrix, right):
    """Gauss with pivots; None when singular."""
    n = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        if abs(rows[pivot][i]) < 1e-12:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


def fit(rows, model):
    """Non-negative least squares of overhead over unprofiled time: the error that matters is that of the step."""
    unit, names = MODELS[model]
    names = [n for n in names if any(term(r, n) > 0 for r in rows)]
    if len(names) == 1:  # one factor: the median, which one odd workload cannot move
        ratios = [r["overhead_us"] / scale(r, unit) / term(r, names[0]) for r in rows if term(r, names[0]) > 0]
        return dict(zip(names, [statistics.median(ratios)]))
    best, best_error = {}, float("inf")
    for size in range(1, len(names) + 1):
        for chosen in itertools.combinations(names, size):
            x = [[term(r, n) * scale(r, unit) / r["unprofiled_us"] for n in chosen] for r in rows]
            y = [r["overhead_us"] / r["unprofiled_us"] for r in rows]
            normal = [[sum(a[i] * a[j] for a in x) for j in range(size)] for i in range(size)]
            values = solve(normal, [sum(a[i] * b for a, b in zip(x, y)) for i in range(size)])
            if values is None or min(values) < 0:
                continue
            error = sum((b - sum(v * c for v, c in zip(values, a))) ** 2 for a, b in zip(x, y))
            if error < best_error:
                best, best_error = dict(zip(chosen, values)), error
    return best


def scale(row, unit):
    return row["launch_us"] if unit == "launch" else 1.0


def predict_us(row, model, values):
    unit, _ = MODELS[model]
    return scale(row, unit) * sum(v * term(row, n) for n, v in values.items())


def judge(rows, model):
    """The fit, and how well it gives back the unprofiled step of a workload it has not seen (leave one out)."""
    ratios = []
    for row in rows:
        others = [r for r in rows if r is not row]
        if len(others) < 2:
            return {"model": model, "values": fit(rows, model)}
        ratios.append((row["profiled_us"] - predict_us(row, model, fit(others, model))) / row["unprofiled_us"])
    return {
        "model": model,
        "values": fit(rows, model),
        "step_ratio_q10": quantile(ratios, 0.1),
        "step_ratio_median": statistics.median(ratios),
        "step_ratio_q90": quantile(ratios, 0.9),
        "worst": max(ratios, key=lambda r: abs(r - 1.0)),
    }


def machine():
    cpu = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return {
        "gpu": torch.cuda.get_device_name(),
        "cpu": cpu,
        "cores": os.cpu_count(),
        "torch": torch.__version__,
        "cuda": torch.version.cuda,
        "python": platform.python_version(),
    }


class Calibration:
    """Everything measured so far; can be reported at any moment, so that a time limit loses nothing."""

    def __init__(self, out):
        self.out = out
        self.pairs = collections.defaultdict(list)
        self.first, self.pristine, self.failures, self.notes = {}, {}, {}, []

    def rows(self):
        ready = [(n, m, p) for (n, m), p in list(self.pairs.items()) if p]
        return [summarise(n, WORKLOADS[n][0], m, list(p)) for n, m, p in ready]

    def report(self):
        rows = self.rows()
        modes = {}
        for mode in MODES:
            fitted = [r for r in rows if r["mode"] == mode and r["fitted"]]
            if fitted:
                k = [r["k"] for r in fitted]
                modes[mode] = {
                    "k_median": statistics.median(k),
                    "k_q10": quantile(k, 0.1),
                    "k_q90": quantile(k, 0.9),
                    "workloads": len(k),
                    "models": [judge(fitted, model) for model in MODELS],
                }
        document = {
            "machine": machine(),
            "model": "overhead_us = k * median launch call us * host records, all a step",
            "modes": modes,
            "rows": rows,
            "unprofiled_us_when_built": self.first,
            "unprofiled_us_before_any_profiling": self.pristine,
            "failures": self.failures,
            "notes": self.notes,
        }
        path = os.path.join(self.out, "calibration.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
        self.print_tables(document)
        print(f"\nwrote {path}", flush=True)

    def print_tables(self, document):
        print("\nunprofiled us/step when built, in a second sweep before any profiling, and between profiled blocks")
        for name, pristine in self.pristine.items():
            between = [r["unprofiled_us"] for r in document["rows"] if r["workload"] == name]
            if between:
                print(f"  {name:30} {self.first[name]:9.1f} {pristine:9.1f} {statistics.median(between):9.1f}")
        head = f"{'workload':30} {'mode':16} {'unprof us':>9} {'prof us':>9} {'records':>8} {'launches':>8}"
        print(f"\n{head} {'launch us':>9} {'k':>6} {'k reps':>13} {'busy':>5}")
        for r in document["rows"]:
            reps = f"{min(r['k_of_repetitions']):.2f}..{max(r['k_of_repetitions']):.2f}"
            print(
                f"{r['workload']:30} {r['mode']:16} {r['unprofiled_us']:9.1f} {r['profiled_us']:9.1f} "
                f"{r['records']:8.1f} {r['launches']:8.1f} {r['launch_us']:9.2f} {r['k']:6.3f} {reps:>13} "
                f"{r['device_busy_unprofiled']:5.2f}"
                + ("" if r["kind"] == "host_bound" else "  (mixed: not fitted)")
                + ("" if r["fitted"] or r["kind"] != "host_bound" else "  (too few records: not fitted)")
                + ("" if r["repetitions"] >= LEAST_ROUNDS else f"  ({r['repetitions']} repetitions only)")
            )
        print("\nfits over the host-bound workloads; step ratio = predicted / measured unprofiled step, leave one out")
        for mode, m in document["modes"].items():
            spread = f"10 % {m['k_q10']:.3f}, 90 % {m['k_q90']:.3f}"
            print(f"{mode}: k {m['k_median']:.3f} ({spread}; {m['workloads']} workloads)")
            for j in m["models"]:
                values = ", ".join(f"{n} {v:.3f}" for n, v in j["values"].items())
                error = "too few workloads to judge"
                if "worst" in j:
                    error = " ".join(f"{j['step_ratio_' + q]:.2f}" for q in ("q10", "median", "q90"))
                    error += f" worst {j['worst']:.2f}"
                print(f"    {j['model']:34} {error:32} {values}")
        for name, why in self.failures.items():
            print(f"FAILED {name}: {why}")
        for note in self.notes:
            print(f"note: {note}")


def prepare(calibration, names, deadline):
    """Builds, warms and times every workload before the profiler is first used; returns steps ready to run."""
    ready = {}
    for name in names:
        if time.monotonic() > deadline:
            calibration.failures[name] = "not reached: time limit"
            continue
        try:
            torch.manual_seed(1)
            step = WORKLOADS[name][1]()
            for _ in range(10):
                step()
            estimate = min(block_us(step, 5), block_us(step, 5))
            steps = int(min(max(BLOCK_MS * 1e3 / estimate, BLOCK_STEPS[0]), BLOCK_STEPS[1]))
            calibration.first[name] = statistics.median(block_us(step, steps) for _ in range(3))
            ready[name] = (step, steps)
            print(f"{name}: {calibration.first[name]:.1f} us/step, blocks of {steps} steps", flush=True)
        except Exception as error:  # noqa: BLE001: one workload must not stop the rest; it is reported
            calibration.failures[name] = repr(error)[:300]
            traceback.print_exc()
    for name, (step, steps) in ready.items():  # once more in the warm process: only this can be compared with later
        for _ in range(WARM_STEPS):
            step()
        calibration.pristine[name] = statistics.median(block_us(step, steps) for _ in range(3))
    return ready


def measure(calibration, ready, modes, deadline):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        for turn in range(MOST_ROUNDS):
            started = time.monotonic()
            for name, mode in itertools.product(list(ready), modes):
                step, steps = ready[name]
                if time.monotonic() > deadline:
                    calibration.notes.append(f"time limit in round {turn + 1}")
                    return
                try:
                    for _ in range(WARM_STEPS):
                        step()
                    unprofiled = block_us(step, steps)
                    figures = profiled_block(step, steps, mode, path)
                    calibration.pairs[name, mode].append((unprofiled, figures))
                except Exception as error:  # noqa: BLE001: as above
                    calibration.failures[f"{name} {mode}"] = repr(error)[:300]
                    traceback.print_exc()
            gc.collect()
            took = time.monotonic() - started
            print(f"round {turn + 1}: {took:.1f} s", flush=True)
            if turn + 1 >= LEAST_ROUNDS and time.monotonic() + took > deadline:
                return


def main():
    parser = argparse.ArgumentParser(description="Calibrates what torch.profiler costs the host.")
    parser.add_argument("--seconds", type=float, default=220.0, help="total time limit")
    parser.add_argument("--out", default=os.environ.get("OUT", "."), help="folder of calibration.json")
    parser.add_argument("--workloads", nargs="*", choices=list(WORKLOADS), default=list(WORKLOADS))
    parser.add_argument("--modes", nargs="*", choices=list(MODES), default=list(MODES))
    arguments = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("calibrate.py: needs a GPU: the model's unit is the launch call")
    os.makedirs(arguments.out, exist_ok=True)
    deadline = time.monotonic() + arguments.seconds
    calibration = Calibration(arguments.out)

    def give_up():
        calibration.notes.append("stopped by the watchdog: a step did not come back")
        calibration.report()
        os._exit(3)

    watchdog = threading.Timer(arguments.seconds + 20.0, give_up)
    watchdog.daemon = True
    watchdog.start()
    gc.disable()  # a collection inside a block would be booked to the profiler
    torch.set_float32_matmul_precision("high")
    ready = prepare(calibration, arguments.workloads, deadline)
    measure(calibration, ready, arguments.modes, deadline)
    watchdog.cancel()
    calibration.report()
    return 0 if calibration.pairs and not calibration.failures else 1


if __name__ == "__main__":
    sys.exit(main())
