"""Samples a second of Inspect AI with its mock model over prompts; run by its own Python, which has inspect-ai.

    python inspect_samples.py PROMPTS.jsonl SAMPLES
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate


def answer(*_args: object, **_more: object) -> ModelOutput:
    """A short answer; its usage is given, because counting it would need a download."""
    output = ModelOutput.from_content("mockllm/model", "prose x")
    output.usage = ModelUsage(input_tokens=1000, output_tokens=100, total_tokens=1100)
    return output


def measure(prompts: list[str], samples: int, folder: str) -> tuple[float, float]:
    """Seconds on the clock and of processor time that so many samples take, 64 of them at once."""
    made = [Sample(input=prompts[n % len(prompts)], target="x", id=n) for n in range(samples)]
    task = Task(dataset=MemoryDataset(made), solver=generate(), scorer=includes())
    model = get_model("mockllm/model", custom_outputs=answer)
    began, cpu = time.perf_counter(), time.process_time()
    (log,) = eval(task, model=model, log_dir=folder, display="none", max_connections=64, max_samples=64)
    assert log.status == "success", log.error
    return time.perf_counter() - began, time.process_time() - cpu


if __name__ == "__main__":
    texts = [json.loads(row) for row in Path(sys.argv[1]).read_text().splitlines()]
    with tempfile.TemporaryDirectory() as logs:
        measure(texts, 20, logs)
        seconds, processor = measure(texts, int(sys.argv[2]), logs)
        print(seconds, processor)
