#!/usr/bin/env python3
"""Exact odds beside icepool and dyce, in one run: equal fractions, median times, ratios.

    python3 -m venv /tmp/peers && /tmp/peers/bin/pip install icepool dyce
    cargo build --release --manifest-path benches/peers/Cargo.toml
    /tmp/peers/bin/python benches/peers.py [PATH OF THE BINARY]

Medians of many runs with warm caches, theirs and ours; the first column is ours with everything worked
out anew each time. icepool and ours follow exploding dice for twelve rolls, dyce, which takes far longer,
for two. Fails where a fraction differs or icepool, warm beside warm, is less than ten times slower.
"""

import json
import subprocess
import sys
import time
import warnings
from fractions import Fraction
from pathlib import Path

import dyce
import icepool
from dyce import H, P
from icepool import d

HERE = Path(__file__).parent
warnings.simplefilter("ignore")  # dyce calls its explosions experimental


def median(call):
    """The median time of a call, in microseconds, after two that warm what can be warmed."""
    began = time.perf_counter()
    call()
    call()
    one = (time.perf_counter() - began) / 2
    times = []
    for _ in range(min(2001, max(5, int(0.5 / one)))):
        began = time.perf_counter()
        call()
        times.append((time.perf_counter() - began) * 1e6)
    return sorted(times)[len(times) // 2]


def outcome_of(margin):
    """The outcome of Gnosis for what the hero has more than the Pain Pool."""
    if margin >= 7:
        return "critical-success"
    if margin > 0:
        return "success"
    if margin == 0:
        return "tie"
    return "failure" if margin > -7 else "critical-failure"


def icepool_castle():
    hero = (
        d(12).pool(2).highest(1).sum()
        + d(10).pool(3).highest(1).sum()
        + d(8).pool(4).highest(1).sum()
    )
    pain = d(10).pool(5).highest(3).sum()
    return (hero - pain).map(outcome_of)


def dyce_castle():
    hero = (2 @ P(12)).at(-1) + (3 @ P(10)).at(-1) + (4 @ P(8)).at(-1)
    margin = hero - (5 @ P(10)).at(slice(-3, None))
    return margin.apply(outcome_of)


# With two explosions at most, a die shows 29 or less only if its chain ended, so that totals up to there
# are those of the unlimited chain; with twelve, those up to 119, where our twelve rolls end.
EXACT_TO = {"icepool": 119, "dyce": 29}

CASES = {
    "castle of Gnosis": (icepool_castle, dyce_castle),
    "d8 + 3d6 keep 2": (
        lambda: icepool.Pool([d(8), d(6), d(6), d(6)]).highest(2).sum(),
        lambda: P(8, 6, 6, 6).at(slice(-2, None)),
    ),
    "10d10 keep 5": (
        lambda: d(10).pool(10).highest(5).sum(),
        lambda: (10 @ P(10)).at(slice(-5, None)),
    ),
    "10d10 keep 5, exploding": (
        lambda: d(10).explode(depth=12).pool(10).highest(5).sum(),
        lambda: (10 @ P(dyce.explode_n(H(10), n=2))).at(slice(-5, None)),
    ),
    "4d6 keep 3": (
        lambda: d(6).pool(4).highest(3).sum(),
        lambda: (4 @ P(6)).at(slice(-3, None)),
    ),
    "100d6": (lambda: 100 @ d(6), lambda: 100 @ H(6)),
}


def fractions(counts):
    """Counts by outcome as fractions by outcome, without those that never come."""
    total = sum(counts.values())
    return {value: Fraction(ways, total) for value, ways in counts.items() if ways}


def our_fractions(case):
    if "outcomes" in case:
        told = {name: Fraction(chance) for name, chance in case["outcomes"]}
        return {name: chance for name, chance in told.items() if chance}
    whole = int(case["whole"])
    return {value: Fraction(int(ways), whole) for value, ways in case["ways"]}


def main():
    binary = sys.argv[1] if len(sys.argv) > 1 else HERE / "peers/target/release/peers"
    ours = json.loads(subprocess.check_output([binary, "--json"]))
    print(f"icepool {icepool.__version__}, dyce {dyce.__version__}; medians in µs")
    print(f"{'':<25}{'ours':>9}{'warm':>8}{'icepool':>10}{'ratio':>9}{'dyce':>12}{'ratio':>9}  equal")
    failed = False
    for case in ours:
        name, mine = case["case"], our_fractions(case)
        line, equal = f"{name:<25}{case['cold']:>9.1f}{case['warm']:>8.2f}", []
        for peer, run, width in zip(("icepool", "dyce"), CASES[name], (10, 12)):
            theirs = fractions(dict(run().items()))
            limit = EXACT_TO[peer] if "exploding" in name else None
            values = [v for v in mine.keys() | theirs.keys() if limit is None or v <= limit]
            same = all(mine.get(value) == theirs.get(value) for value in values)
            took = median(run)
            ratio = took / case["warm"]
            line += f"{took:>{width}.1f}{ratio:>9.1f}"
            equal.append("yes" if same else "NO")
            failed |= not same or (peer == "icepool" and ratio < 10)
        print(f"{line}  {', '.join(equal)}", flush=True)
    sys.exit(1 if failed else 0)


main()
