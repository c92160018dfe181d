#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/ACCURACY.md: how well predictions held, from the recordings and the speed-ups measured.

    ./dev bench accuracy

Inputs: pairs.json here (fitted pairs), tests/data/h200/blind*/ (predictions.json, and the measured
times in truth.json), every PyTorch recording under tests/data, and public ones under ROOFLAB_CASES,
without which the page is not written. The same inputs give the same page, byte for byte.
"""

import json
import math
import os
import statistics
import sys

import rooflab

CASES = os.environ.get("ROOFLAB_CASES", "")
DATA = os.path.join(rooflab.ROOT, "tests", "data", "h200")
PUBLIC = ("public/tensorboard", "public/tracelens", "public/hta")
# The interval holds the truth in 80 % of cases (DESIGN section 4).
ALPHA = 0.2
# Whoever always says "2x", with an interval of the same make: a factor of two to either side.
BASELINE = {"low": 1.0, "likely": 2.0, "high": 4.0}
WORST_REPRODUCTION = 0.02


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def located(path):
    return os.path.join(CASES, path) if path.startswith("public/") else os.path.join(rooflab.ROOT, path)


# ---- predictions


def of_rule(findings, rule):
    return next((f["gain"] for f in findings if f["rule"] == rule and f["gain"]), None)


def predicted(pair):
    """(gain or None, how it was asked)"""
    paths = [located(path) for path in pair["before"]]
    if len(paths) > 1:
        gain = of_rule(rooflab.why_findings(paths), pair["finding"])
        return gain, f"finding `{pair['finding']}`"
    answer = rooflab.gains(paths[0], [pair["change"]])
    if answer is None or not answer["reproduction"]["suitable"]:
        return None, "unsuitable for gains"
    gain = of_rule(answer["findings"], pair["finding"])
    if gain:
        return gain, f"finding `{pair['finding']}`"
    return answer["asked"][pair["change"]], f"change `{pair['change']}`"


def fitted_rows():
    rows = []
    for pair in load(os.path.join(rooflab.ROOT, "benchmarks", "accuracy", "pairs.json"))["pairs"]:
        gain, how = predicted(pair)
        rows.append({"name": pair["name"], "made": pair["made"], "gain": gain, "how": how, "measured": pair["measured"]})
    return rows


def blind_sets():
    """(folder, rows) of each set of blind pairs that has been timed: tests/data/h200/blind, blind_b ..."""
    sets = [(name, blind_rows(os.path.join(DATA, name))) for name in sorted(os.listdir(DATA)) if name.startswith("blind")]
    return [(name, rows) for name, rows in sets if rows]


def blind_rows(folder):
    files = [os.path.join(folder, name) for name in ("truth.json", "predictions.json")]
    if not all(os.path.exists(path) for path in files):
        return []
    truth, predictions = (load(path) for path in files)
    rows = []
    for name, pair in sorted(truth["pairs"].items()):
        p = predictions["predictions"].get(name)
        if p is None:
            continue  # not blind: no prediction was committed
        gain, how = p.get("change_gain"), f"change `{p.get('change')}`"
        if gain is None:
            wanted = of_rule(p.get("findings", []), pair.get("rule"))
            gain, how = wanted, f"finding `{pair.get('rule')}`"
        if gain is None and p.get("top"):
            gain, how = p["top"]["gain"], f"first finding `{p['top']['rule']}`"
        if not p.get("suitable", True):
            gain, how = None, "unsuitable for gains"
        rows.append({"name": name, "made": pair["change"], "gain": gain, "how": how, "measured": pair["speedup_range"]})
    return rows


# ---- scores


def middle(measured):
    return math.sqrt(measured[0] * measured[1])


def meets(gain, measured):
    low = 1.0 if gain["bound"] else gain["low"]
    return low <= measured[1] and measured[0] <= gain["high"]


def holds(gain, value):
    return (1.0 if gain["bound"] else gain["low"]) <= value <= gain["high"]


def near(gain, measured):
    """The likely gain is within 25 % of the measured range."""
    return measured[0] * 0.75 <= gain["likely"] <= measured[1] * 1.25


def interval_score(gain, measured):
    """Gneiting and Raftery (2007), of the logarithm of the speed-up: smaller is better."""
    low, high, x = math.log(gain["low"]), math.log(gain["high"]), math.log(middle(measured))
    return (high - low) + 2 / ALPHA * max(0.0, low - x) + 2 / ALPHA * max(0.0, x - high)


def width(gain):
    """high-1 over low-1; None where the interval reaches down to no gain at all."""
    return (gain["high"] - 1) / (gain["low"] - 1) if gain["low"] > 1 else None


def share(part, whole):
    return f"{part} of {whole} ({100 * part / whole:.0f} %)" if whole else "none"


def summary(rows):
    asked = [r for r in rows if r["gain"] and not r["gain"]["bound"]]
    bounds = [r for r in rows if r["gain"] and r["gain"]["bound"]]
    missing = [r for r in rows if not r["gain"]]
    lines = []
    if asked:
        count = len(asked)
        widths = [width(r["gain"]) for r in asked]
        known = sorted(math.inf if w is None else w for w in widths)
        median = statistics.median(known)
        ours = statistics.mean(interval_score(r["gain"], r["measured"]) for r in asked)
        base = statistics.mean(interval_score(BASELINE, r["measured"]) for r in asked)
        lines += [
            "| figure | value | goal |",
            "|---|---|---|",
            f"| intervals that meet the measured range | {share(sum(meets(r['gain'], r['measured']) for r in asked), count)} | 80 % |",
            f"| intervals that hold the measured midpoint | {share(sum(holds(r['gain'], middle(r['measured'])) for r in asked), count)} | 80 % |",
            f"| likely gain within 25 % of the measured range | {share(sum(near(r['gain'], r['measured']) for r in asked), count)} | |",
            f"| median width, (high - 1) / (low - 1) | {'no gain is inside the median interval' if math.isinf(median) else f'{median:.2f}'} | at most 2 |",
            f"| mean interval score (80 %, log speed-up; smaller is better) | {ours:.2f} | below the next line |",
            f"| the same of a constant \"2x (1.0-4.0x)\" | {base:.2f} | |",
        ]
    if bounds:
        held = sum(holds(r["gain"], middle(r["measured"])) for r in bounds)
        lines += ["", f"Bounds (\"at most\") that held: {share(held, len(bounds))}; they are in none of the figures above."]
    if missing:
        lines += ["", "Not predicted: " + ", ".join(r["name"] for r in missing) + "."]
    return lines


def inside(row):
    gain, measured = row["gain"], row["measured"]
    if not gain:
        return "-"
    if holds(gain, middle(measured)):
        return "yes"
    return "range met" if meets(gain, measured) else "**no**"


def pair_table(rows):
    lines = ["| pair | change made | predicted from | predicted | measured | inside |", "|---|---|---|---|---|---|"]
    for row in rows:
        gain = row["gain"]
        if not gain:
            text = "not predicted"
        elif gain["bound"]:
            text = f"at most {gain['high']:.2f}x"
        else:
            text = f"{gain['likely']:.2f}x ({gain['low']:.2f}-{gain['high']:.2f}x)"
        low, high = row["measured"]
        measured = f"{low:.2f}x" if low == high else f"{low:.2f}-{high:.2f}x"
        lines.append(f"| {row['name']} | {row['made']} | {row['how']} | {text} | {measured} | {inside(row)} |")
    return lines


# ---- reproduction


def traces(folder):
    found = []
    for place, _, names in os.walk(folder):
        found += [os.path.join(place, name) for name in names if name.endswith(".json.gz")]
    return sorted(found)


def reproduction_rows():
    paths = [(path, os.path.relpath(path, rooflab.ROOT)) for path in traces(DATA) if f"{os.sep}jax{os.sep}" not in path]
    for folder in PUBLIC:
        paths += [(path, os.path.relpath(path, CASES)) for path in traces(os.path.join(CASES, folder))]
    rows = []
    for path, name in paths:
        answer = rooflab.gains(path)
        if answer is None or answer["reproduction"]["recorded_ns"] <= 0:
            rows.append((name, None))
        else:
            rows.append((name, answer))
    return rows


def reproduction_section(rows):
    known = [(name, answer) for name, answer in rows if answer]
    signed = lambda a: a["reproduction"]["simulated_ns"] / a["reproduction"]["recorded_ns"] - 1
    outside = [name for name, a in known if abs(signed(a)) > WORST_REPRODUCTION]
    lines = [
        f"{len(known)} recordings, {len(outside)} outside 2 %"
        + (": " + ", ".join(outside) + ". Those are marked unsuitable and get no gains." if outside else "."),
        "",
        "| recording | step recorded | step simulated | error |",
        "|---|---|---|---|",
    ]
    for name, a in known:
        r = a["reproduction"]
        lines.append(f"| {name} | {r['recorded_ns'] / 1e6:.3f} ms | {r['simulated_ns'] / 1e6:.3f} ms | {100 * signed(a):+.2f} % |")
    without = [name for name, a in rows if not a]
    if without:
        lines += ["", "Without device work, or unreadable: " + ", ".join(without) + "."]
    return lines


def deflation_section():
    costs = load(os.path.join(rooflab.ROOT, "data", "recorders", "torch_profiler.json"))
    lines = [
        f"{costs['tool']}; k in {costs['unit']}. Source: {costs['source']} ({costs['date']}).",
        "",
        "| recorded | k low | k likely | k high |",
        "|---|---|---|---|",
    ]
    return lines + [f"| {m['mode']} | {m['low']:.2f} | {m['likely']:.2f} | {m['high']:.2f} |" for m in costs["modes"]]


HEAD = """# How accurate the predictions are

Generated by `./dev bench accuracy` from the recordings in tests/data and the speed-ups measured on an H200; do not edit.

A gain is the predicted speed-up of unprofiled wall time per step, from a simulation of the recording with one change
made, on host time without the recorder's cost: likely (low-high), meant to hold the truth in 80 % of cases. What was
measured is the same change made in the program, both halves timed without a profiler; a range is that of all runs.
"""


def page():
    fitted, sets = fitted_rows(), blind_sets()
    lines = [HEAD, "## Blind pairs", ""]
    lines += ["The prediction was committed with the recording before the changed half was run. It is never made anew."]
    if len(sets) > 1:
        lines += ["", "All sets together:", ""] + summary([row for _, rows in sets for row in rows])
    for name, rows in sets:
        lines += ["", f"### tests/data/h200/{name}", ""] + summary(rows) + [""] + pair_table(rows)
    if not sets:
        lines += ["", "None has been timed yet."]
    lines += ["", "## Fitted pairs", ""]
    lines += ["Known while rules, ceilings and the recorder's cost were set: these show that the model can say it, not that it knows.", ""]
    lines += summary(fitted) + [""] + pair_table(fitted)
    lines += ["", "## Reproduction", ""]
    lines += ["The simulation without any change against the recording: the same step, from host times, durations and six latencies a file.", ""]
    lines += reproduction_section(reproduction_rows())
    lines += ["", "## The recorder's cost", ""] + deflation_section()
    return "\n".join(lines) + "\n"


def main():
    if not os.path.isdir(os.path.join(CASES, "public")):
        print("accuracy: ROOFLAB_CASES names no folder with public/: docs/ACCURACY.md is left as it is", file=sys.stderr)
        return 0
    text = page()
    with open(os.path.join(rooflab.ROOT, "docs", "ACCURACY.md"), "w", encoding="utf-8") as file:
        file.write(text)
    print("\n".join(line for line in text.splitlines() if "error" not in line)[:6000])
    return 0


if __name__ == "__main__":
    sys.exit(main())
