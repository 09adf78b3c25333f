"""A run that is killed at random moments ends as one that is not, and pays for nothing twice."""

from pathlib import Path

from benchmarks.kill_resume import WORKERS, Plan, killed


def test_killed_runs_resume_without_losing_or_repeating_anything(tmp_path: Path) -> None:
    found = killed(Plan(fixtures=4, seconds=0.15), kills=8, seed=1, work=tmp_path)
    assert found.kills >= 5
    assert found.again == []
    assert found.made_twice <= WORKERS * found.kills
    assert found.same
