# SPDX-License-Identifier: Apache-2.0
"""One program seen by three tools: a training loop that parses JSON in Python between its steps.

    python3 benchmarks/joined/record.py --trace OUT            trace.json.gz and samples.perf.txt of one run
    ncu --set full --csv --page raw --print-units base --clock-control none \\
        python3 benchmarks/joined/record.py --plain > OUT/ncu_raw.csv     counters of the same kernels

The trace is torch.profiler's. Samples are taken by a timer of the process (ITIMER_REAL, 1 kHz) on the main thread's Python
stack, with CLOCK_MONOTONIC, and written in the text form of `perf script -F comm,pid,tid,time,period,event,ip,sym,dso`; the
first line names the pair of clocks (monotonic, Unix) that was read together. perf itself is not needed; C frames are not
in the samples.
"""
import argparse
import gzip
import json
import json.decoder
import json.scanner
import os
import random
import signal
import threading
import time

import torch
from torch import nn

BATCH, FEATURES, STEPS = 256, 64, 8


class PythonDecoder(json.JSONDecoder):
    """The decoder without its C parts: what a slow parser looks like."""

    def __init__(self):
        super().__init__()
        self.parse_string = json.decoder.py_scanstring
        self.scan_once = json.scanner.py_make_scanner(self)


def make_lines():
    rng = random.Random(1)
    return [json.dumps({f"feature{i}": rng.gauss(0, 1) for i in range(FEATURES)}) for _ in range(BATCH)]


def parse_json(line, decoder):
    return decoder.decode(line)


def load_batch(lines, decoder):
    rows = [list(parse_json(line, decoder).values()) for line in lines]
    return torch.tensor(rows)


class Program:
    def __init__(self):
        torch.manual_seed(1)
        self.model = nn.Sequential(nn.Linear(FEATURES, 4096), nn.GELU(), nn.Linear(4096, 4096), nn.GELU(), nn.Linear(4096, 1)).cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=1e-3)
        self.lines, self.decoder = make_lines(), PythonDecoder()

    def step(self):
        with torch.profiler.record_function("load_batch"):
            batch = load_batch(self.lines, self.decoder)
        x = batch.cuda()
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.model(x).square().mean()
        loss.backward()
        self.optimizer.step()


class Sampler:
    """The main thread's Python stack at every tick."""

    def __init__(self, hertz):
        self.hertz = hertz
        self.samples = []

    def tick(self, _signal, frame):
        now, stack = time.monotonic_ns(), []
        while frame is not None:
            stack.append((frame.f_code.co_qualname, frame.f_code.co_filename, frame.f_lineno))
            frame = frame.f_back
        self.samples.append((now, stack))

    def __enter__(self):
        self.clocks = (time.monotonic_ns(), time.time_ns())
        signal.signal(signal.SIGALRM, self.tick)
        signal.setitimer(signal.ITIMER_REAL, 1 / self.hertz, 1 / self.hertz)
        return self

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0)

    def write(self, path):
        pid, tid, period = os.getpid(), threading.get_native_id(), int(1e9 / self.hertz)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"# clock-pair: monotonic {self.clocks[0]} unix {self.clocks[1]}\n")
            for now, stack in self.samples:
                file.write(f"python3 {pid}/{tid} {now // 10**9}.{now % 10**9:09d}: {period} cpu-clock:\n")
                for name, filename, line in stack:
                    file.write(f"\t0 {name} ({os.path.basename(filename)}:{line})\n")
                file.write("\n")


def record(out):
    os.makedirs(out, exist_ok=True)
    program = Program()
    for _ in range(3):
        program.step()
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    schedule = torch.profiler.schedule(wait=0, warmup=2, active=STEPS, repeat=1)
    sampler = Sampler(1000)
    with torch.profiler.profile(activities=activities, schedule=schedule, record_shapes=True) as profiler:
        for _ in range(2):
            program.step()
            torch.cuda.synchronize()
            profiler.step()
        with sampler:
            for _ in range(STEPS):
                program.step()
                profiler.step()
            torch.cuda.synchronize()
    os.chdir(out)
    profiler.export_chrome_trace("trace.json")
    with open("trace.json", "rb") as plain, open("trace.json.gz", "wb") as raw:
        with gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
            file.write(plain.read())
    os.remove("trace.json")
    sampler.write("samples.perf.txt")
    print(f"{len(sampler.samples)} samples, pid {os.getpid()}")


def main():
    parser = argparse.ArgumentParser(description="Records one program for a joined answer.")
    parser.add_argument("--trace", metavar="OUT", help="write trace.json.gz and samples.perf.txt there")
    parser.add_argument("--plain", action="store_true", help="run two steps, for ncu")
    arguments = parser.parse_args()
    if arguments.trace:
        record(arguments.trace)
    elif arguments.plain:
        program = Program()
        for _ in range(2):
            program.step()
        torch.cuda.synchronize()
    else:
        parser.error("--trace OUT or --plain")


if __name__ == "__main__":
    main()
