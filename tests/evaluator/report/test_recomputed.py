"""Every number of report.json, worked out a second time from the lines of attempts.jsonl alone, by other people's code.

statsmodels and scipy have Wilson, McNemar's test, Holm and Student's interval; sums over all signs, verdicts over all
that discarded trials could have been, and the formulas of docs/statistics.md are written out here once more.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, norm
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from evaluator.journal import AttemptLine, RunFile, load_run, read_attempts
from evaluator.report.build import build
from evaluator.taxonomy import Discard
from miner.record import as_data

Row = dict[str, Any]
OnDisk = Callable[..., Path]
NAMES = ["search_replace", "whole_file", "unified_diff"]
SIZES = ["inside", "near", "past"]
Z = float(norm.ppf(0.975))
PASSED = {"valid": True, "applied": True, "tests": "pass"}
ENDS: dict[str, Row] = {
    "resolved": PASSED,
    "excused": PASSED | {"unintended_changes": ("a.py::x",), "excused": ("a.py::x",)},
    "silent": PASSED | {"unintended_changes": ("a.py::f", "b.py::g"), "failure_category": "unintended_change",
                        "detail": "removed"},
    "wrong": {"applied": True, "tests": "fail", "failure_category": "wrong_change", "detail": "tests_fail"},
    "both": {"applied": True, "tests": "fail", "failure_category": "wrong_change", "detail": "tests_fail",
             "unintended_changes": ("a.py::f",)},
    "cut": {"failure_category": "truncated", "detail": "stop_length"},
    "unread": {"failure_category": "malformed", "detail": "no_edit"},
    "unfit": {"failure_category": "not_applied", "detail": "anchor_missing"},
    "broken": {"applied": True, "failure_category": "misapplied", "detail": "broken_syntax"},
}  # fmt: skip
RETRIED = ["cut", "unread", "unfit", "broken"]
SHAPES: dict[str, Row] = {
    "plain": {}, "one format": {"formats": 1}, "one task": {"tasks": 1}, "two formats": {"formats": 2},
    "all resolved": {"ends": ["resolved"]}, "none resolved": {"ends": ["wrong", "cut", "silent"]},
    "repeats": {"repeats": 3}, "discards": {"lost": 0.08},
    "repeats and discards": {"repeats": 3, "lost": 0.04, "tasks": 7},
    "much discarded": {"lost": 0.6}, "all discarded": {"lost": 1.0}, "unpriced": {"price": "none"},
    "partly priced": {"price": "some"}, "four repositories": {"repositories": 4, "repeats": 2},
    "unseen cells": {"mix": "unseen"}, "no mix": {"mix": "none"}, "unfinished": {"ended": 0.8},
    "excused": {"ends": ["resolved", "excused", "excused", "wrong"]}, "far apart": {"spread": True, "tasks": 14},
    "enough for policies": {"tasks": 31}, "policies of two formats": {"tasks": 26, "formats": 2, "price": "none"},
    "policies over repeats": {"tasks": 27, "repeats": 2, "lost": 0.01, "price": "some"},
    "policies of what all resolve": {"tasks": 25, "ends": ["resolved"]},
    "far apart with repeats": {"spread": True, "tasks": 10, "repeats": 2, "lost": 0.03},
}  # fmt: skip


def made(seed: int, *, formats: int = 3, tasks: int = 9, repeats: int = 1, repositories: int = 2, lost: float = 0.0,
         ends: Sequence[str] = tuple(ENDS), price: str = "all", mix: str = "seen", ended: float = 1.0,
         spread: bool = False) -> tuple[RunFile, list[AttemptLine]]:  # fmt: skip
    """A run of random ends; `spread`: the first format resolves nearly all, the last nearly nothing."""
    draw = random.Random(seed)
    ids = [f"repo{n % repositories}/{n}-x" for n in range(tasks)]
    facts = {name: {"stratum": draw.choice(SIZES[:2] if mix == "unseen" else SIZES), "large": draw.random() < 0.3,
                    "rewrite_tokens": draw.choice([900, 5_000, 8_000, 30_000]),
                    "tags": draw.sample(["crlf", "tabs"], draw.randrange(3))} for name in ids}
    cells = [{"repository": f"repo{r}", "stratum": s, "changes": draw.randrange(1, 30)}
             for r in range(repositories) for s in SIZES if mix != "none"]  # fmt: skip
    run = RunFile.model_validate({
        "set_digest": "d" * 64, "cap": 8000, "model": "m", "simulated": False, "formats": NAMES[:formats],
        "attempts": 3, "seed": 1, "fixtures": ids, "started": "2026-01-02", "version": "0", "repeats": repeats,
        "tasks": facts, "mix": cells,
    })  # fmt: skip
    lines: list[AttemptLine] = []
    for name, n, fmt in product(ids, range(1, repeats + 1), run.formats):
        if draw.random() >= ended:
            continue
        pool = ends if not spread else ["resolved"] * 9 + ["wrong"] if fmt == NAMES[0] else ["wrong"] * 9 + ["excused"]
        last = draw.choice(pool)
        tried = [draw.choice(RETRIED) for _ in range(2)] if last in RETRIED else [
            draw.choice(RETRIED) for _ in range(draw.randrange(3))
        ]  # fmt: skip
        if draw.random() < lost:
            tried, last = tried[:1], "discarded"
        for attempt, end in enumerate([*tried, last], 1):
            unpriced = price == "none" or (price == "some" and draw.random() < 0.02)
            line = AttemptLine.model_validate({
                "fixture": name, "format": fmt, "model": "m", "repeat": n, "attempt": attempt, "valid": False,
                "served_model": "m-1", "latency_ms": draw.randrange(100, 90_000), "edits": 3,
                "edits_applied": draw.randrange(4), "output_tokens": draw.randrange(5_000),
                "input_tokens": draw.randrange(1, 9_000), "cached_tokens": (None, 0, 1)[len(lines) % 3],
                "counted_here": len(lines) % 4 == 0, "input_counted_here": len(lines) % 5 == 0,
                "cost_usd": None if unpriced else draw.random(), "paid_usd": None if unpriced else draw.random() / 2,
                **(ENDS[end] if end in ENDS else {"discarded": draw.choice(list(Discard)), "error": "x"}),
            })  # fmt: skip
            if draw.random() < 0.05 and end != "discarded":  # a call that was lost, and made again
                lines.append(line.model_copy(update={"discarded": Discard.INFRA_ERROR, "failure_category": None}))
                line = line.model_copy(update={"call": 2, "output_tokens": 7})
            lines.append(line)
    draw.shuffle(lines)
    return run, lines


# --- the second calculation: rows are dictionaries of JSON ---


def wilson(p: float, n: float) -> tuple[float, float]:
    low, high = proportion_confint(p * n, n, method="wilson")
    return max(0.0, float(low)), min(1.0, float(high))


def effective(means: Sequence[float]) -> float:
    """n_eff of rule 3."""
    n, p, s2 = len(means), float(np.mean(means)), float(np.var(means))
    return n * p * (1 - p) / s2 if s2 > 1e-12 else n


def ends_of(means: Sequence[float]) -> tuple[float, float]:
    """Rule 3's interval: neither end beyond that of as many tasks that all pass, or all fail."""
    low, high = wilson(float(np.mean(means)), effective(means))
    return min(low, wilson(1, len(means))[0]), max(high, wilson(0, len(means))[1])


def mean_of(means: Sequence[float]) -> Row | None:
    if not means:
        return None
    low, high = ends_of(means)
    return {"value": float(np.mean(means)), "low": low, "high": high}


def verdict(rows: Sequence[Row]) -> tuple[list[Row], bool | None, bool]:
    """The attempts that count, whether it resolved (None: discarded), and whether it ended."""
    last = {}
    for row in sorted(rows, key=lambda r: (r["attempt"], r["call"])):
        last[row["attempt"]] = row
    counted = [last[n] for n in sorted(last)]
    end = counted[-1]
    if end["discarded"]:
        return counted, None, True
    resolved = end["failure_category"] is None
    goes_on = end["failure_category"] in ("truncated", "malformed", "not_applied", "misapplied")
    return counted, resolved, not goes_on or end["attempt"] == 3


def z_star_ends(strata: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Yan and Su's ends; (weight, mean, n) of strata with tasks."""
    v = np.array([p * (1 - p) / n for _, p, n in strata])
    if not v.any():
        centres = [(p * n + Z * Z / 2) / (n + Z * Z) for _, p, n in strata]
        v = np.array([c * (1 - c) / (n + Z * Z) for c, (_, _, n) in zip(centres, strata, strict=True)])
    w = np.array([s[0] for s in strata])
    star = Z * np.sqrt((w**2 * v).sum()) / (w * np.sqrt(v)).sum()
    ends = [proportion_confint(p * n, n, alpha=2 * norm.sf(star), method="wilson") for _, p, n in strata]
    return float(sum(a * low for a, (low, _) in zip(w, ends, strict=True))), float(
        sum(a * high for a, (_, high) in zip(w, ends, strict=True))
    )


def strata_of(run: Row, means: Mapping[str, float]) -> list[tuple[float, list[str]]]:
    whole = sum(cell["changes"] for cell in run["mix"])
    return [
        (cell["changes"] / whole,
         [f for f in means if f.split("/")[0] == cell["repository"] and run["tasks"][f]["stratum"] == cell["stratum"]])
        for cell in run["mix"]
    ]  # fmt: skip


def with_n(strata: Sequence[tuple[float, list[str]]], means: Mapping[str, float]) -> list[tuple[float, float, float]]:
    """(weight, mean, effective n) of the strata that have tasks, n at most what repeats add over all of them."""
    seen = [(w, [means[f] for f in names]) for w, names in strata if names]
    within = sum(len(v) * float(np.var(v)) for _, v in seen)
    most = max(1.0, sum(len(v) * np.mean(v) * (1 - np.mean(v)) for _, v in seen) / within) if within > 1e-12 else 1.0
    return [(w, float(np.mean(v)), min(effective(v), len(v) * most)) for w, v in seen]


def history(run: Row, means: Mapping[str, float]) -> Row | None:
    strata = with_n(parts := strata_of(run, means), means)
    if not strata:
        return None
    unseen = sum(w for w, names in parts if not names)
    low, high = z_star_ends(strata)
    value = sum(w * p for w, p, _ in strata)
    return {"least": value, "most": value + unseen, "low": low, "high": min(1.0, high + unseen), "unseen": unseen}


def squared_and_added(p: float, ends: tuple[float, float], q: float, others: tuple[float, float], phi: float) -> Row:
    (l1, u1), (l2, u2) = ends, others
    down = (p - l1) ** 2 - 2 * phi * (p - l1) * (u2 - q) + (u2 - q) ** 2
    up = (u1 - p) ** 2 - 2 * phi * (u1 - p) * (q - l2) + (q - l2) ** 2
    return {"value": p - q, "low": max(-1, p - q - max(down, 0) ** 0.5), "high": min(1, p - q + max(up, 0) ** 0.5)}


def covariance(x: Sequence[float], y: Sequence[float]) -> float:
    """With divisor n, less Newcombe's correction where it is positive."""
    found = float(np.cov(x, y, ddof=0)[0, 1])
    return max(found - 1 / (2 * len(x)), 0.0) if found > 0 else found


def difference(x: Sequence[float], y: Sequence[float]) -> Row:
    p, q, spread = float(np.mean(x)), float(np.mean(y)), float(np.std(x) * np.std(y))
    phi = max(-1.0, min(1.0, covariance(x, y) / spread)) if spread > 1e-12 else 0.0
    return squared_and_added(p, wilson(p, effective(x)), q, wilson(q, effective(y)), phi)


def history_difference(run: Row, x: Mapping[str, float], y: Mapping[str, float]) -> Row | None:
    parts = strata_of(run, x)
    first, second = with_n(parts, x), with_n(parts, y)
    if not first:
        return None
    p, q = (sum(w * mean for w, mean, _ in margin) for margin in (first, second))
    together = sum(w * w * covariance([x[f] for f in names], [y[f] for f in names]) / len(names)
                   for w, names in parts if names)  # fmt: skip
    spread = np.prod([sum(w * w * m * (1 - m) / n for w, m, n in margin) for margin in (first, second)]) ** 0.5
    phi = max(-1.0, min(1.0, together / spread)) if spread > 1e-12 else 0.0
    found = squared_and_added(p, z_star_ends(first), q, z_star_ends(second), phi)
    unseen = sum(w for w, names in parts if not names)
    return {"least": found["value"] - unseen, "most": found["value"] + unseen, "unseen": unseen,
            "low": max(-1.0, found["low"] - unseen), "high": min(1.0, found["high"] + unseen)}  # fmt: skip


Results = Mapping[tuple[str, int], Mapping[str, bool | None]]


def per_task(blocks: Results, name: str) -> dict[str, float]:
    found: dict[str, list[bool | None]] = defaultdict(list)
    for (fixture, _), row in blocks.items():
        found[fixture].append(row[name])
    return {fixture: sum(map(bool, values)) / len(values) for fixture, values in found.items()}


def exact_p(blocks: Results, a: str, b: str) -> float:
    """Over all signs of the tasks' differences, in sixtieths; at one repeat the binomial test of the disagreements."""
    x, y = per_task(blocks, a), per_task(blocks, b)
    if len(x) == len(blocks):
        ahead, behind = (sum(one[f] > other[f] for f in x) for one, other in ((x, y), (y, x)))
        return float(binomtest(ahead, ahead + behind).pvalue) if ahead + behind else 1.0
    return over_all_signs(tuple(sorted(round(60 * (x[f] - y[f])) for f in x if x[f] != y[f])))


@cache
def over_all_signs(steps: tuple[int, ...]) -> float:
    sums = np.zeros(1)
    for step in steps:
        sums = np.concatenate([sums + step, sums - step])
    return float(np.mean(np.abs(sums) >= abs(sum(steps))))


def winners(blocks: Results, formats: Sequence[str]) -> list[tuple[float, float, str | None]]:
    """Per pair p, Holm's p, and who resolves more."""
    pairs = list(combinations(formats, 2))
    ps = [exact_p(blocks, a, b) for a, b in pairs]
    adjusted = [min(1.0, float(p)) for p in multipletests(ps, method="holm")[1]]
    found = []
    for (a, b), p, q in zip(pairs, ps, adjusted, strict=True):
        ahead = sum(per_task(blocks, a).values()) > sum(per_task(blocks, b).values())
        found.append((p, q, (a if ahead else b) if q <= 0.05 else None))
    return found


def counts_of(run: Row, ended: Sequence[tuple[str, list[Row], bool | None]], rows: Iterable[Row]) -> Row:
    """One format's numbers; `ended`: fixture, attempts, verdict; `rows`: all its lines."""
    known = [(f, attempts, bool(r)) for f, attempts, r in ended if r is not None]
    lost = [attempts[-1]["discarded"] for _, attempts, r in ended if r is None]
    lasts = [attempts[-1] for _, attempts, _ in known]
    everything = [a for _, attempts, _ in known for a in attempts]
    tasks: dict[str, list[int]] = {f: [0, 0] for f, _, _ in ended}
    for f, _, good in known:
        tasks[f] = [tasks[f][0] + good, tasks[f][1] + 1]
    means = {f: k / n for f, (k, n) in tasks.items() if n}
    k = run["repeats"]
    solved = [None if c == m < k else float(c == m) for c, m in tasks.values()]
    worst, best = [c / k for c, _ in tasks.values()], [(c + k - m) / k for c, m in tasks.values()]
    over = {id(a): set(a["unintended_changes"]) - set(a["excused"]) for a in everything}
    silent = [bool(a["valid"] and over[id(a)]) for a in lasts]
    by_repository: dict[str, dict[str, float]] = defaultdict(dict)
    for f, value in means.items():
        by_repository[f.split("/")[0]][f] = value
    tested = [a for a in lasts if a["applied"] and a["tests"] is not None]
    crossed = Counter((a["tests"] == "pass", bool(over[id(a)])) for a in tested)
    priced = bool(known) and all(a["cost_usd"] is not None for a in everything)
    spent = [sum(a["cost_usd"] for a in attempts) for _, attempts, _ in known] if priced else []
    paid = [row["paid_usd"] for row in rows if row["paid_usd"] is not None]
    told = [a for a in everything if a["cached_tokens"] is not None]
    latencies = sorted(a["latency_ms"] for a in everything)
    return {
        "planned": len(run["fixtures"]) * k, "trials": len(known), "tasks": len(means),
        "resolved": sum(r for _, _, r in known), "this_set": mean_of(list(means.values())),
        "every_repeat": mean_of([s for s in solved if s is not None]) if k > 1 else None,
        "every_repeat_unknown": solved.count(None) if k > 1 else 0,
        "history": history(run, means) if run["mix"] else None,
        "bounds": [ends_of(worst)[0], ends_of(best)[1]] if lost else None,
        "discarded": dict(Counter(lost)), "silent": sum(silent),
        "silent_defects": mean_of([float(np.mean([s for s, (f, _, _) in zip(silent, known, strict=True) if f == one]))
                                   for one in means]),
        "applied": sum(a["applied"] for a in everything),
        "reached_applier": sum(a["applied"] or a["failure_category"] == "not_applied" for a in everything),
        "edits": sum(attempts[0]["edits"] for _, attempts, _ in known),
        "edits_applied": sum(attempts[0]["edits_applied"] for _, attempts, _ in known),
        "failed": dict(Counter(a["failure_category"] for a in lasts if a["failure_category"])),
        "details": dict(Counter(a["detail"] for a in lasts if a["failure_category"])),
        "first": dict(Counter(attempts[0]["failure_category"] for _, attempts, _ in known
                              if attempts[0]["failure_category"])),
        "first_resolved": sum(not attempts[0]["failure_category"] for _, attempts, _ in known),
        "tests_by_unintended": {"pass_clean": crossed[True, False], "pass_unintended": crossed[True, True],
                                "fail_clean": crossed[False, False], "fail_unintended": crossed[False, True]},
        "strict_would_change": sum(r and bool(a["unintended_changes"])
                                   for a, (_, _, r) in zip(lasts, known, strict=True)),
        "attempts": len(everything), "mean_attempts": len(everything) / len(known) if known else None,
        "output_tokens": median([sum(a["output_tokens"] for a in attempts) for _, attempts, _ in known]),
        "input_tokens": median([sum(a["input_tokens"] for a in attempts) for _, attempts, _ in known]),
        "cached_share": sum(a["cached_tokens"] for a in told) / sum(a["input_tokens"] for a in told) if told else None,
        "counted_here": sum(a["counted_here"] or a["input_counted_here"] for a in everything) if known else None,
        "latency_p50": float(np.percentile(latencies, 50)) if latencies else None,
        "latency_p95": float(np.percentile(latencies, 95)) if latencies else None,
        "cost_total": sum(spent) if priced else None, "paid_total": sum(paid) if paid else None,
        "cost_per_task": sum(spent) / len(spent) if priced else None,
        "cost_per_resolved": cost_of([f for f, _, _ in known], spent, means) if priced else None,
        "repositories": {
            "new_repository": student([float(np.mean(list(v.values()))) for v in by_repository.values()]),
            "per_repository": {name: {"k": sum(tasks[f][0] for f in v), "n": sum(tasks[f][1] for f in v)}
                               for name, v in by_repository.items()},
            "leave_one_out": {name: float(np.mean([m for f, m in means.items() if f not in v]))
                              for name, v in by_repository.items()} if len(by_repository) > 1 else {},
        },
        "sizes": groups(SIZES, known, lambda f: [run["tasks"][f]["stratum"]]),
        "change": groups(["small", "large"], known, lambda f: [("small", "large")[run["tasks"][f]["large"]]]),
        "tags": groups(sorted({t for f in run["tasks"].values() for t in f["tags"]}), known,
                       lambda f: run["tasks"][f]["tags"]),
    }  # fmt: skip


def median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if values else None


def student(means: Sequence[float]) -> Row | None:
    if len(means) < 2 or not np.ptp(means):  # repositories that are all alike make no other certain
        return None
    found, value = DescrStatsW(means), float(np.mean(means))
    low, high = found.tconfint_mean()
    return {"value": value, "low": max(0.0, float(low)), "high": min(1.0, float(high))}


def cost_of(fixtures: Sequence[str], spent: Sequence[float], means: Mapping[str, float]) -> Row | None:
    c = np.array([np.mean([usd for f, usd in zip(fixtures, spent, strict=True) if f == one]) for one in means])
    r, n = np.array(list(means.values())), len(means)
    if not r.any():
        return None
    rho = float(c.sum() / r.sum())
    if n == 1:
        return {"value": rho, "low": None, "high": None}
    log_se = float(np.sqrt(((c - rho * r) ** 2).sum() / (n * (n - 1))) / r.mean() / rho)
    return {"value": rho, "low": rho * np.exp(-Z * log_se), "high": rho * np.exp(Z * log_se)}


def groups(names: Sequence[str], known: Sequence[tuple[str, list[Row], bool]], of: Callable[[str], Sequence[str]]
           ) -> list[Row]:  # fmt: skip
    return [
        {"name": name, "resolved": {"k": sum(r for f, _, r in known if name in of(f)),
                                    "n": sum(name in of(f) for f, _, _ in known)}}
        for name in names
    ]  # fmt: skip


# --- the comparison ---


def same(found: Any, wanted: Any, where: str) -> None:
    """Equal, numbers but for rounding; zeroes of counts may be left out."""
    if isinstance(wanted, dict):
        for key in wanted.keys() | (found or {}).keys():
            if key != "source":
                same((found or {}).get(key, 0), wanted.get(key, 0), f"{where}.{key}")
    elif isinstance(wanted, list | tuple):
        assert len(found) == len(wanted), where
        for n, (one, other) in enumerate(zip(found, wanted, strict=True)):
            same(one, other, f"{where}[{n}]")
    elif wanted is None or isinstance(wanted, str | bool):
        assert found == wanted, where
    else:
        assert found == pytest.approx(wanted, abs=1e-9), where


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", SHAPES)
def test_every_number_comes_out_a_second_time(shape: str, seed: int, on_disk: OnDisk) -> None:
    folder = on_disk(*made(100 * seed + len(shape), **SHAPES[shape]))
    rows = [json.loads(text) for text in (folder / "attempts.jsonl").read_text().splitlines()]
    settings = load_run(folder)
    report = json.loads(json.dumps(as_data(build(settings, read_attempts(folder / "attempts.jsonl"), margin=0.1))))
    run = report["run"]

    trials: dict[tuple[str, str, int], list[Row]] = defaultdict(list)
    for row in rows:
        trials[row["fixture"], row["format"], row["repeat"]].append(row)
    ended = {key: (attempts, good) for key, of in trials.items() for attempts, good, over in [verdict(of)] if over}
    for f in report["formats"]:
        mine = [(fixture, *found) for (fixture, name, _), found in ended.items() if name == f["name"]]
        wanted = counts_of(run, mine, [row for (fixture, name, n), of in trials.items() for row in of
                                       if name == f["name"] and (fixture, name, n) in ended])  # fmt: skip
        for key, value in wanted.items():
            same(f[key], value, f"{shape}: {f['name']}.{key}")
        assert set(f) - set(wanted) == {"name", "apply_rate", "anchored", "bought"}
        if f["apply_rate"]:
            assert f["apply_rate"]["low"] <= f["applied"] / f["reached_applier"] <= f["apply_rate"]["high"]

    planned = len(run["fixtures"]) * run["repeats"] * len(run["formats"])
    assert (report["ended"], report["planned"]) == (len(ended), planned)
    if len(ended) < planned or len(run["formats"]) < 2:
        assert report["pairs"] == []
        assert bool(report["not_compared"]) is (len(ended) < planned and len(run["formats"]) > 1)
        assert report["policies"] == []
        return
    same_pairs(report, run, ended)
    assert bool(report["policies"]) is ("policies" in shape)
    same(report["policies"], policies_of(run, ended), "policies")


Ended = Mapping[tuple[str, str, int], tuple[list[Row], bool | None]]


def policies_of(run: Row, ended: Ended) -> list[Row]:
    """Rule 10: each policy and each single format as (score, cost) of a task, chosen and scored in five folds."""
    repeats, names = range(1, run["repeats"] + 1), run["formats"]
    complete = {f: found for f in sorted(run["fixtures"]) if (found := [
        n for n in repeats if all(ended[f, name, n][1] is not None for name in names)])}  # fmt: skip
    tasks = list(complete)
    if len(tasks) < 25:
        return []
    seen_in = ("truncated", "malformed", "not_applied", "misapplied")

    def trial(f: str, name: str, n: int) -> tuple[float, float, bool]:
        attempts, good = ended[f, name, n]
        cost = sum(np.nan if a["cost_usd"] is None else a["cost_usd"] for a in attempts)
        return float(bool(good)), cost, attempts[-1]["failure_category"] in seen_in

    def chained(f: str, first: str, second: str, n: int) -> tuple[float, float]:
        one, other = trial(f, first, n), trial(f, second, n)
        return (other[0], one[1] + other[1]) if one[2] else one[:2]

    def over(f: str, of: Callable[[int], tuple[float, ...]]) -> tuple[float, float]:
        rows = [of(n) for n in complete[f]]
        return float(np.mean([row[0] for row in rows])), float(np.mean([row[1] for row in rows]))

    size = {f: run["tasks"][f]["rewrite_tokens"] / run["cap"] for f in tasks}
    single = {name: [over(f, lambda n, f=f, a=name: trial(f, a, n)) for f in tasks] for name in names}  # type: ignore[misc]
    pairs = [(a, b) for a in names for b in names if a != b]
    rules = {f"{a} below {t:g} of the cap, else {b}": [single[a if size[f] < t else b][n] for n, f in enumerate(tasks)]
             for a, b in pairs for t in (0.6, 1, 1.5) if 0 < sum(size[f] < t for f in tasks) < len(tasks)}  # fmt: skip
    chains = {f"{a}, then {b}": [over(f, lambda n, f=f, a=a, b=b: chained(f, a, b, n)) for f in tasks]  # type: ignore[misc]
              for a, b in pairs if any(trial(f, a, n)[2] for f in tasks for n in complete[f])}  # fmt: skip
    order = list(range(len(tasks)))
    random.Random(run["set_digest"]).shuffle(order)
    found = []
    for kind, tried in (("size_rule", rules), ("fallback_chain", chains)):
        if not tried:
            continue
        chosen: list[list[str]] = [[], []]
        held: list[dict[int, tuple[float, float]]] = [{}, {}]
        for fold in range(5):
            apart = order[fold::5]
            for n, of in enumerate((tried, single)):
                sums = {name: sum(row[0] for i, row in enumerate(rows) if i not in apart) for name, rows in of.items()}
                chosen[n].append(next(name for name in of if sums[name] == max(sums.values())))
                held[n] |= {i: of[chosen[n][-1]][i] for i in apart}
        ours, theirs = ([side[i] for i in range(len(tasks))] for side in held)
        plain = difference([row[0] for row in ours], [row[0] for row in theirs])
        value = plain["value"]
        costs = [float(np.mean([row[1] for row in side])) for side in (ours, theirs)]
        own = {name: float(np.mean([row[0] for row in rows])) for name, rows in single.items()}
        ahead = min(value, float(np.mean([row[0] for row in ours])) - max(own.values()))
        priced = not np.isnan([row[1] for rows in single.values() for row in rows]).any()
        found.append({
            "kind": kind, "tasks": len(tasks), "tried": len(tried), "chosen": chosen[0], "formats": chosen[1],
            "rate": float(np.mean([row[0] for row in ours])), "format_rate": float(np.mean([row[0] for row in theirs])),
            "own_rates": own,
            "stands_out": len(set(chosen[0])) == 1 and ahead > 1.2 * (value - plain["low"]),
            "difference": {"value": value, "low": max(-1.0, value - 1.2 * (value - plain["low"])),
                           "high": min(1.0, value + 1.2 * (plain["high"] - value))},
            "cost_per_task": costs[0] if priced else None, "format_cost_per_task": costs[1] if priced else None,
        })  # fmt: skip
    return found


def same_pairs(report: Row, run: Row, ended: Ended) -> None:
    formats = run["formats"]
    blocks: dict[tuple[str, int], dict[str, bool | None]] = defaultdict(dict)
    strict: dict[tuple[str, int], dict[str, bool | None]] = defaultdict(dict)
    for (fixture, name, n), (attempts, good) in ended.items():
        blocks[fixture, n][name] = good
        strict[fixture, n][name] = good and not attempts[-1]["unintended_changes"]
    complete = {block: row for block, row in blocks.items() if None not in row.values()}
    assert (report["blocks"], report["complete"]) == (len(blocks), len(complete))
    if not complete:
        assert all(pair["difference"] is None and pair["winner"] is None for pair in report["pairs"])
        assert all("no evidence" in pair["sentence"] for pair in report["pairs"])
        return
    found = winners(complete, formats)
    strictly = winners({block: strict[block] for block in complete}, formats)
    for pair, (p, holm, winner), (_, _, other) in zip(report["pairs"], found, strictly, strict=True):
        x, y = per_task(complete, pair["first"]), per_task(complete, pair["second"])
        means = list(x.values()), list(y.values())
        same(pair["p"], p, "p")
        same(pair["p_holm"], holm, "p_holm")
        same(pair["difference"], difference(*means), "difference")
        same(pair["resolved"], [float(np.mean(v)) for v in means], "resolved")
        same(pair["history_difference"], history_difference(run, x, y) if run["mix"] else None, "history_difference")
        assert (pair["winner"], pair["strict_winner"]) == (winner, other)
        assert (pair["blocks"], pair["tasks"]) == (len(complete), len(x))
        assert (pair["shows"] is None) is (winner is not None)
        if pair["shows"]:
            seen = float(np.mean([(a - b) ** 2 for a, b in zip(*means, strict=True)]))
            same(pair["shows"]["disagreeing"], seen or 0.1, "disagreeing")
        ahead = pair["winner"] or (pair["first"] if np.mean(means[0]) >= np.mean(means[1]) else pair["second"])
        assert pair["sentence"].startswith(ahead)
        assert ("resolves MORE" in pair["sentence"]) is (holm <= 0.05)
        assert ("NOT DISTINGUISHABLE" in pair["sentence"]) is (holm > 0.05)
    holds_whatever_was_lost(report, formats, blocks)


def holds_whatever_was_lost(report: Row, formats: Sequence[str], blocks: Results) -> None:
    """A verdict that is said to hold does, over everything that the discarded trials could have been."""
    gone = [(block, name) for block, row in blocks.items() for name, good in row.items() if good is None]
    if len(gone) > 2:
        return
    for ends in product((False, True), repeat=len(gone)):
        filled = {block: dict(row) for block, row in blocks.items()}
        for (block, name), good in zip(gone, ends, strict=True):
            filled[block][name] = good
        for pair, (_, _, winner) in zip(report["pairs"], winners(filled, formats), strict=True):
            assert pair["depends_on_discarded"] or winner == pair["winner"], pair["sentence"]
