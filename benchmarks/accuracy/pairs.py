# SPDX-License-Identifier: Apache-2.0
"""Records and times before/after pairs of kinds that no rule was fitted to.

    python3 benchmarks/accuracy/pairs.py --half before --out results     recordings of the faults: before*.tar
    python3 benchmarks/accuracy/pairs.py --time --out results            both halves, unprofiled: pairs_truth.json
    python3 benchmarks/accuracy/pairs.py --after-traces --out results    recordings of the changed halves: after*.tar
    python3 benchmarks/accuracy/pairs.py --list
    python3 benchmarks/accuracy/pairs.py --set b ...                     the same with the second set (workloads_b.py)
    python3 benchmarks/accuracy/pairs.py --set c ...                     and with the third (workloads_c.py)

A pair is blind when its before-recording and rooflab's prediction are committed before --time is first run: --half
before never builds an after-half. Times are wall times a unit of work, both halves interleaved in one process, in
alternating order. A pair that fails, or whose halves compute different things, is reported and the rest goes on.
"""
import argparse
import json
import math
import os
import statistics
import sys
import tarfile
import tempfile
import time
import traceback

# Nothing compiled by an earlier run may be found: compile_stalls is about compiling.
CACHE = tempfile.TemporaryDirectory(prefix="inductor_")
os.environ["TORCHINDUCTOR_CACHE_DIR"] = CACHE.name
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"

import torch  # noqa: E402: after the environment that it reads

import recording  # noqa: E402
import workloads  # noqa: E402
import workloads_b  # noqa: E402
import workloads_c  # noqa: E402

SETS = {"a": workloads.PAIRS, "b": workloads_b.PAIRS, "c": workloads_c.PAIRS}

ROUNDS = 9
LEAST_ROUNDS = 7
MOST_TAR_BYTES = 15 << 20
MOST_TRACE_BYTES = 8 << 20
MOST_DIFFERENCE = 0.1  # bf16 rounding through a few layers stays well below
ACTIVE = 6
WARM_STEPS = 3


def build(pair, half):
    """One half from the seed, its first result (for the comparison), and some warm steps."""
    recording.settle()
    step = pair.build(half)
    first = step()
    first = first.detach().float().cpu() if isinstance(first, torch.Tensor) else None
    for _ in range(WARM_STEPS - 1):
        step()
    torch.cuda.synchronize()
    return step, first


def difference(a, b):
    """Relative distance of the two halves' first results; None where they are not comparable."""
    if a is None or b is None:
        return None
    apart = float((a - b).norm() / a.norm())
    if not math.isfinite(apart) or apart > MOST_DIFFERENCE:
        raise RuntimeError(f"the halves compute different things: {apart}")
    return apart


class Times:
    """Times both halves of each pair; `document` is complete after every pair."""

    def __init__(self, pairs, out):
        self.pairs = pairs
        self.path = os.path.join(out, "pairs_truth.json")
        self.host = recording.HostSpeed()
        self.document = {"machine": recording.machine(), "host_probe_ms": round(self.host.best, 3), "pairs": {}}

    def run(self, name, limit):
        pair = self.pairs[name]
        halves = {half: build(pair, half) for half in ("before", "after")}
        apart = difference(halves["before"][1], halves["after"][1])
        units = {"before": 1, "after": pair.after_units}
        steps = {h: recording.steps_for(halves[h][0], pair.block_ms, 1, pair.most_steps) for h in halves}
        if name == "compile_stalls":
            steps["after"] = 50  # a warmed step is too short a block
        ms = {"before": [], "after": []}
        slow_rounds = 0  # the host slowed down meanwhile: timed again
        for turn in range(3 * ROUNDS):
            times, steady = {}, True
            for half in ("before", "after") if turn % 2 == 0 else ("after", "before"):
                steady = pair.own_workers or (self.host.at_full() and steady)
                halves[half][0]()
                times[half] = recording.block_ms(halves[half][0], steps[half]) / units[half]
                steady = self.host.steady() and steady
            if not steady and not pair.own_workers:
                slow_rounds += 1
                continue
            for half, value in times.items():
                ms[half].append(value)
            if len(ms["before"]) >= ROUNDS or (limit.over() and len(ms["before"]) >= LEAST_ROUNDS):
                break
        if len(ms["before"]) < 3:
            raise RuntimeError(f"the host was slow in {slow_rounds} rounds")
        ratios = [b / a for b, a in zip(ms["before"], ms["after"])]
        self.document["pairs"][name] = {
            "change": pair.change,
            "rooflab_change": pair.rooflab_change,
            "rule": pair.rule,
            "unit": "sample" if pair.after_units > 1 else "step",
            "rounds": len(ratios),
            "slow_rounds": slow_rounds,
            "block_steps": [steps["before"], steps["after"]],
            "before_ms": recording.min_med_max(ms["before"]),
            "after_ms": recording.min_med_max(ms["after"]),
            "speedup": round(statistics.median(ratios), 4),
            "speedup_range": [round(recording.quantile(ratios, q), 4) for q in (0.1, 0.9)],
            "result_difference": apart,
        }
        self.write()

    def write(self):
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(self.document, file, indent=1)

    def table(self):
        print(f"\n{'pair':24} {'before ms':>26} {'after ms':>26} {'speed-up':>8} {'10..90 %':>15} {'difference':>10}")
        for name, p in self.document["pairs"].items():
            before, after = (" ".join(f"{v:8.3f}" for v in p[k]) for k in ("before_ms", "after_ms"))
            low, high = p["speedup_range"]
            apart = p["result_difference"]
            apart = "-" if apart is None else f"{apart:.1e}"
            print(f"{name:24} {before} {after} {p['speedup']:8.3f} {low:7.3f} {high:7.3f} {apart:>10}")


class Recordings:
    """Records one half of each pair and packs the files into HALF.tar, or HALF1.tar and on if that is too large."""

    def __init__(self, pairs, half, out):
        self.pairs, self.half, self.out = pairs, half, out
        self.host = recording.HostSpeed()
        self.folder = tempfile.TemporaryDirectory()
        self.files, self.rows = [], []

    def run(self, name, _):
        pair = self.pairs[name]
        step, _ = build(pair, self.half)
        for _ in range(6):
            full = self.host.at_full()
            path, ms = recording.record(step, f"{name}.{self.half}", self.folder.name, ACTIVE)
            if self.host.steady() and full:
                break
        else:
            raise RuntimeError("the host was slow during each of six recordings")
        if os.path.getsize(path) > MOST_TRACE_BYTES:
            path, ms = recording.record(step, f"{name}.{self.half}", self.folder.name, 3)
        self.files.append(path)
        self.rows.append((name, ms, recording.device_figures(path), os.path.getsize(path)))

    def write(self):
        groups, room = [[]], MOST_TAR_BYTES
        for path in self.files:
            size = os.path.getsize(path) + 1024  # header and padding
            if size > room and groups[-1]:
                groups.append([])
                room = MOST_TAR_BYTES
            groups[-1].append(path)
            room -= size
        for index, group in enumerate(groups):
            suffix = "" if len(groups) == 1 else str(index + 1)
            with tarfile.open(os.path.join(self.out, f"{self.half}{suffix}.tar"), "w") as tar:
                for path in group:
                    entry = tarfile.TarInfo(os.path.basename(path))
                    entry.size = os.path.getsize(path)
                    with open(path, "rb") as file:
                        tar.addfile(entry, file)

    def table(self):
        print(f"\nhost probe, best: {self.host.best:.3f} ms")
        print(f"{'recording':34} {'profiled ms':>11} {'busy ms':>9} {'busy':>6} {'kernels':>8} {'bytes':>9}")
        for name, ms, figures, size in self.rows:
            print(
                f"{name + '.' + self.half:34} {ms:11.3f} {figures['busy_ms']:9.3f} {figures['busy_ratio']:6.3f} "
                f"{figures['kernels']:8.1f} {size:9d}"
            )


def run_all(names, jobs, seconds):
    """Every job over every pair; what was done is written and printed whatever happens."""
    failures = {}

    def report():
        for job in jobs:
            job.write()
            job.table()
        for what, why in failures.items():
            print(f"FAILED {what}: {why}")
        sys.stdout.flush()

    limit = recording.Limit(seconds, report)
    for job in jobs:
        for name in names:
            label = f"{type(job).__name__} {getattr(job, 'half', '')} {name}"
            if limit.over():
                failures[label] = "not reached: time limit"
                continue
            started = time.monotonic()
            try:
                job.run(name, limit)
                print(f"{label}: {time.monotonic() - started:.1f} s", flush=True)
            except Exception as error:  # noqa: BLE001: one pair must not stop the rest; it is reported
                failures[label] = repr(error)[:300]
                traceback.print_exc()
    limit.done()
    report()
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description="Before/after pairs: recordings and times.")
    parser.add_argument("--set", choices=list(SETS), default="a", help="which pairs: workloads.py, _b.py or _c.py")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--half", choices=["before"], help="record the before-halves; no after-half is built")
    parser.add_argument("--time", action="store_true", help="time both halves unprofiled and interleaved")
    parser.add_argument("--after-traces", action="store_true", help="record the after-halves")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these pairs of the set")
    parser.add_argument("--out", default=os.environ.get("OUT", "."))
    parser.add_argument("--seconds", type=float, default=220.0, help="no pair is begun after this time")
    arguments = parser.parse_args()
    pairs = SETS[arguments.set]
    names = arguments.only or list(pairs)
    unknown = [name for name in names if name not in pairs]
    if unknown:
        parser.error(f"not in set {arguments.set}: {' '.join(unknown)} (see --list)")
    if arguments.list:
        for name, pair in pairs.items():
            print(f"{name:24} {pair.rule or '-':24} {pair.rooflab_change or '-':26} {pair.change}")
        return 0
    if arguments.half and (arguments.time or arguments.after_traces):
        parser.error("--half before runs alone: the after-halves must not have run")
    if not (arguments.half or arguments.time or arguments.after_traces):
        parser.error("nothing to do: --half before, --time, --after-traces or --list")
    if not torch.cuda.is_available():
        sys.exit("pairs.py: needs a GPU")
    os.makedirs(arguments.out, exist_ok=True)
    jobs = []
    if arguments.half:
        jobs.append(Recordings(pairs, "before", arguments.out))
    if arguments.time:  # before any profiling in this process
        jobs.append(Times(pairs, arguments.out))
    if arguments.after_traces:
        jobs.append(Recordings(pairs, "after", arguments.out))
    return run_all(names, jobs, arguments.seconds)


if __name__ == "__main__":
    sys.exit(main())
