"""The JSON Schema of report.json, as docs/report.schema.json holds it: python -m evaluator.report.schema > FILE."""

import json

from evaluator.report.model import ReportFile


def schema() -> str:
    """The schema of the model as it is, as text."""
    found = ReportFile.model_json_schema(by_alias=True, mode="serialization")
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **found}, indent=2) + "\n"


if __name__ == "__main__":
    print(schema(), end="")
