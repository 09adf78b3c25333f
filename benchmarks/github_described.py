"""Is the loopback GitHub of the tests like GitHub? And are our questions? Checked against what GitHub publishes.

    python -m benchmarks.github_described [FOLDER]

FOLDER has, or is given by npm, `@octokit/openapi` and `@octokit/graphql-schema`. Our GraphQL must be valid by the
schema; what the loopback server answers to it must be what the schema would let through, field by field; its REST
answers must fit the OpenAPI description, of github.com and of the oldest and newest Enterprise server described.
Exits 1 where anything differs. Needs the dependency group `benchmarks`, and npm.
"""

import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

import graphql
import jsonschema

from miner.sources.github.graphql import PULLS, REPOSITORY
from tests.miner.github_history import build_history
from tests.miner.github_server import TOKEN, serving

PACKAGES = ("@octokit/openapi", "@octokit/graphql-schema")
PATHS = {
    "/repos/{owner}/{repo}": "",
    "/repos/{owner}/{repo}/pulls": "/pulls?state=closed&sort=updated&direction=desc&per_page=100",
    "/repos/{owner}/{repo}/issues/{issue_number}": "/issues/10005",
}


def main(folder: Path) -> int:
    """How many checks failed."""
    packages = folder / "node_modules" / "@octokit"
    if not packages.exists():
        subprocess.run(["npm", "install", "--prefix", str(folder), "--no-audit", "--no-fund", *PACKAGES], check=True)
    with tempfile.TemporaryDirectory() as scratch, serving(build_history(Path(scratch) / "svc.git", 150)) as server:
        problems = check_graphql(packages / "graphql-schema" / "schema.graphql", server.api)
        descriptions = sorted((packages / "openapi" / "generated").glob("ghes-*.json"))
        enterprise = [path for path in descriptions if ".deref" not in path.name and ".diff" not in path.name]
        for path in (packages / "openapi" / "generated" / "api.github.com.json", enterprise[0], enterprise[-1]):
            problems += check_rest(path, server.api)
    for problem in problems[:20]:
        print(problem)
    return len(problems)


def check_graphql(path: Path, api: str) -> list[str]:
    schema = graphql.build_schema(path.read_text(), assume_valid=True)
    problems = []
    named = {"owner": "org", "name": "svc"}
    pages = named | {"base": None, "first": 50, "after": None}
    for query, variables in ((REPOSITORY, named), (PULLS, pages), (PULLS, pages | {"base": "main"})):
        document = graphql.parse(query)
        problems += [f"query: {error.message}" for error in graphql.validate(schema, document)]
        answer = ask(api.replace("/v3", "/graphql"), {"query": query, "variables": variables})
        # The schema's own executor over the answer: what it lets through, in the types that it declares.
        again = graphql.execute_sync(schema, document, root_value=answer["data"], variable_values=variables)
        problems += [f"answer: {error.message} at {error.path}" for error in again.errors or []]
        if again.data != answer["data"]:
            problems.append("answer: it has fields that were not asked for, or other values than its types have")
        print(f"graphql: {len(json.dumps(answer))} bytes checked by {path.name}")
    return problems


def check_rest(path: Path, api: str) -> list[str]:
    described = plain(json.loads(path.read_text()))
    problems = []
    for name, suffix in PATHS.items():
        content = described["paths"][name]["get"]["responses"]["200"]["content"]["application/json"]
        schema = {"components": described["components"], **content["schema"]}
        answer = ask(f"{api}/repos/org/svc{suffix}")
        found = jsonschema.Draft202012Validator(schema).iter_errors(answer)
        problems += [f"{path.name} {name} {'.'.join(map(str, error.path))}: {error.message[:200]}" for error in found]
        print(f"rest: {len(json.dumps(answer))} bytes of {name} checked by {path.name}")
    return problems


def plain(node: Any) -> Any:
    """OpenAPI 3.0's `nullable` in the words of JSON Schema."""
    if isinstance(node, list):
        return [plain(each) for each in node]
    if not isinstance(node, dict):
        return node
    made = {key: plain(value) for key, value in node.items() if key not in ("example", "examples")}
    if made.get("nullable") is True:
        del made["nullable"]
        return {"anyOf": [made, {"type": "null"}]}
    return made


def ask(url: str, body: object = None) -> Any:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    request = urllib.request.Request(url, None if body is None else json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())) and 1)
