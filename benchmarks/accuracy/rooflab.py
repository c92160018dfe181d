# SPDX-License-Identifier: Apache-2.0
"""Runs accuracy_gains (gains.cpp) on a recording; None where the file cannot be read."""

import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BIN = os.environ.get("BIN", os.path.join(ROOT, "build", "release", "bin"))


def gains(path, changes=()):
    run = subprocess.run([os.path.join(BIN, "accuracy_gains"), path, *changes], capture_output=True, text=True)
    return json.loads(run.stdout) if run.returncode == 0 else None


def rounded_gain(gain):
    if gain is None:
        return None
    return {key: round(value, 3) if isinstance(value, float) else value for key, value in gain.items()}


def rounded(finding):
    return finding and {**finding, "gain": rounded_gain(finding["gain"])}


def why_findings(paths):
    """Findings of several files joined as the ranks of one run; empty where rooflab takes them one by one."""
    run = subprocess.run([os.path.join(BIN, "rooflab"), "why", "--json", *paths], capture_output=True, text=True)
    try:
        data = json.loads(run.stdout).get("data")
    except (ValueError, AttributeError):
        return []
    return data.get("findings", []) if isinstance(data, dict) else []
