"""A provider with every fault at once: what it does with each request is drawn, and what it did is counted."""

import random
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

from evaluator.formats import FORMATS
from evaluator.messages import first_messages
from evaluator.models.last_resort import truth
from miner.fixtures import Task
from tests.evaluator.models.acts import Act
from tests.evaluator.models.model_server import Asked

# What is done, how often. The first four are answers: paid for, and one line each.
WEIGHTS = {
    "right": 60, "wrong": 8, "empty": 2, "cut off": 6, "refused": 3, "hangs midway": 0.5,
    "hangs": 0.5, "limited": 3, "limited for a time": 3, "500": 3, "529": 2, "reset": 2, "reset midway": 2,
    "cut": 2, "garbage": 2, "no JSON": 1,
}  # fmt: skip
ANSWERS = ("right", "wrong", "empty", "cut off", "refused", "hangs midway")
_SERVED = ("some-model-0105", "some-model-0106")


class OddAnswers:
    """Answers by a draw, seeded by how many came before; thread-safe. `done` counts what was done, by its name."""

    def __init__(self, tasks: Sequence[Task], formats: Sequence[str], seed: int, weights: dict[str, float]) -> None:
        self.done: Counter[str] = Counter()
        self._weights, self._seed, self._lock = weights, seed, threading.Lock()
        self._right = {
            first_messages(task, FORMATS[name].instructions())[1].content: truth(task, FORMATS[name])
            for task in tasks
            for name in formats
        }

    def __call__(self, asked: Asked) -> Act:
        with self._lock:
            number = self.done.total()
            draw = random.Random(f"{self._seed} {number}")
            name = draw.choices(list(self._weights), list(self._weights.values()))[0]
            self.done[name] += 1
        served = _SERVED[draw.random() < 0.05]
        return self._act(name, self._right[_first_turn(asked.body)], served)

    def _act(self, name: str, right: str, served: str) -> Act:
        match name:
            case "right":
                return Act(right, served=served)
            case "wrong":
                return Act("I would rather not edit anything.\n", served=served)
            case "empty":
                return Act("", served=served)
            case "cut off":
                return Act(right[: len(right) // 2], "length", served=served)
            case "refused":
                return Act("I can not", "refusal", served=served)
            case "hangs midway":
                return Act(right, served=served, hang=4)
            case "hangs":
                return Act(hang=0)
            case "limited":
                return Act(status=429)
            case "limited for a time":
                return Act(status=429, headers={"Retry-After": "0.05"})
            case "reset":
                return Act(reset=0)
            case "reset midway":
                return Act(right, reset=4)
            case "cut":
                return Act(right, cut=4)
            case "garbage":
                return Act(garbage=b"\xff\xfe<html>Bad Gateway</html>")
            case "no JSON":
                return Act(garbage=b"event: message_start\ndata: {broken\n\n")
            case _:
                return Act(status=int(name))


def _first_turn(body: dict[str, Any]) -> str:
    content = next(m["content"] for m in body["messages"] if m["role"] == "user")
    return content if isinstance(content, str) else "".join(block["text"] for block in content)
