# SPDX-License-Identifier: Apache-2.0
"""What the recording scripts share: timing blocks of steps, recording them with torch.profiler, the time limit.

    path, ms = record(step, "layernorm.before", folder, active=6)
    print(device_figures(path)["busy_ratio"])

A block starts and ends with an idle device. A recording starts with an idle device too: the last warm-up step is
drained, so that every recorded kernel has its launch in the file.
"""
import gc
import gzip
import json
import os
import platform
import tempfile
import threading
import time

import torch
import torch.profiler

DEVICE_RECORDS = ("kernel", "gpu_memcpy", "gpu_memset")


def block_ms(step, steps):
    """Unprofiled wall time a step."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) * 1e3 / steps


def steps_for(step, target_ms, least=2, most=200):
    """Steps for a block of about `target_ms`; runs the step a few times."""
    estimate = block_ms(step, 1)
    if estimate * 4 < target_ms:
        estimate = block_ms(step, 3)
    return int(min(max(target_ms / max(estimate, 1e-3), least), most))


def record(step, name, folder, active=6, warmup=2):
    """Records `active` steps (CPU and CUDA, shapes, ProfilerStep marks) to folder/name.json.gz: path, ms a step."""
    target = os.path.join(folder, name + ".json.gz")

    def export(profiler):
        # Exported from inside a temporary folder: the trace holds the path it was exported to.
        home = os.getcwd()
        with tempfile.TemporaryDirectory() as temporary:
            os.chdir(temporary)
            try:
                profiler.export_chrome_trace(name + ".json")
            finally:
                os.chdir(home)
            with open(os.path.join(temporary, name + ".json"), "rb") as file:
                data = file.read()
        with open(target, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
            file.write(data)

    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    schedule = torch.profiler.schedule(wait=0, warmup=warmup, active=active, repeat=1)
    with torch.profiler.profile(
        activities=activities, schedule=schedule, on_trace_ready=export, record_shapes=True
    ) as profiler:
        for index in range(warmup):
            step()
            if index + 1 == warmup:
                torch.cuda.synchronize()
            profiler.step()
        start = time.perf_counter()
        for index in range(active):
            step()
            if index + 1 == active:
                torch.cuda.synchronize()
                elapsed = time.perf_counter() - start
            profiler.step()
    return target, elapsed * 1e3 / active


def device_figures(path):
    """Device busy time a step, the busy share from the first step's begin to the last device work, kernels a step."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    marks = [e for e in events if e.get("cat") == "user_annotation" and e["name"].startswith("ProfilerStep")]
    work = [e for e in events if e.get("ph") == "X" and e.get("cat") in DEVICE_RECORDS]
    if not work or not marks:
        return {"busy_ms": 0.0, "busy_ratio": 0.0, "kernels": 0.0, "steps": len(marks)}
    busy, reached = 0.0, float("-inf")
    for start, end in sorted((float(e["ts"]), float(e["ts"]) + float(e["dur"])) for e in work):
        busy += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    window = reached - min(float(e["ts"]) for e in marks)
    return {
        "busy_ms": busy / 1e3 / len(marks),
        "busy_ratio": busy / window if window > 0 else 0.0,
        "kernels": sum(e["cat"] == "kernel" for e in work) / len(marks),
        "steps": len(marks),
    }


def quantile(values, q):
    """Linear between the order statistics."""
    ordered = sorted(values)
    at = q * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def host_probe_ms():
    """A fixed loop in pure Python, best of three: how fast the host runs now."""
    best = float("inf")
    for _ in range(3):
        start, sums = time.perf_counter(), {}
        for i in range(20000):
            sums[i % 997] = 0.98 * sums.get(i % 997, 1.0) + 0.02 * i
        best = min(best, time.perf_counter() - start)
    return best * 1e3


class HostSpeed:
    """Some hosts change their speed by half within seconds. `at_full()` waits (at most `patience` seconds) until a fixed
    loop is within 15 % of the fastest seen; `steady()` says whether it still is, so that work between can be repeated."""

    SLOWER = 1.15

    def __init__(self, patience=20.0):
        self.patience = patience
        self.best = host_probe_ms()
        end = time.monotonic() + 4.0  # a host that has been idle may take a second to speed up
        while time.monotonic() < end:
            self.best = min(self.best, host_probe_ms())

    def steady(self):
        now = host_probe_ms()
        self.best = min(self.best, now)
        return now <= self.SLOWER * self.best

    def at_full(self):
        end = time.monotonic() + self.patience
        while not self.steady():
            if time.monotonic() > end:
                return False
        return True


def min_med_max(values):
    return [round(quantile(values, q), 4) for q in (0.0, 0.5, 1.0)]


def settle():
    """The same defaults for every workload, and the memory of the last one back."""
    gc.collect()
    torch.cuda.empty_cache()
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.benchmark = False


def machine():
    cpu = platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            cpu = next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return (
        f"{torch.cuda.get_device_name()}, {os.cpu_count()} x {cpu}, "
        f"PyTorch {torch.__version__}, CUDA {torch.version.cuda}"
    )


class Limit:
    """A total time: `over()` between workloads; a step that never comes back ends in `report` and exit status 3."""

    def __init__(self, seconds, report):
        self.end = time.monotonic() + seconds
        self.report = report
        self.timer = threading.Timer(seconds + 30.0, self.give_up)
        self.timer.daemon = True
        self.timer.start()

    def over(self):
        return time.monotonic() > self.end

    def left(self):
        return self.end - time.monotonic()

    def give_up(self):
        print("stopped: over the time limit and a workload did not come back", flush=True)
        self.report()
        os._exit(3)

    def done(self):
        self.timer.cancel()
