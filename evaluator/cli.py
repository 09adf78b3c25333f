"""The `evaluator` command."""

import typer

from evaluator.cli_calibrate import calibrate_command
from evaluator.cli_compare import compare_command
from evaluator.cli_expect import expect_command
from evaluator.cli_gate import gate_command
from evaluator.cli_plan import plan_command
from evaluator.cli_report import report_command
from evaluator.cli_rescore import rescore_command
from evaluator.cli_run import run_command
from evaluator.cli_selftest import selftest_command
from evaluator.formats import BROKEN, FORMATS
from evaluator.formats.show import shown
from miner import errors

app = typer.Typer(
    no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False,
    help="Compare the edit formats a coding model can answer in, on a set of proven tasks.\n\n"
    "`evaluator selftest fixtures/` says whether the tasks measure anything; `evaluator run fixtures/` runs the\n"
    "formats and reports; `evaluator report RUN` reports again.",
)  # fmt: skip


@app.callback()
def _root() -> None:
    """Keep sub-commands even while a command could stand alone."""


app.command("plan")(plan_command)
app.command("run")(run_command)


@app.command("formats")
def formats_command() -> None:
    """List the edit formats, each with an example and the tolerances of its ladder."""
    for fmt in FORMATS.values():
        print(errors.printable(shown(fmt)))
    for name, why in BROKEN.items():
        print(errors.printable(f"{name}: unusable: {why}"))


app.command("expect")(expect_command)
app.command("calibrate")(calibrate_command)
app.command("report")(report_command)
app.command("compare")(compare_command)
app.command("gate")(gate_command)
app.command("rescore")(rescore_command)
app.command("selftest")(selftest_command)


def main() -> None:
    """The console script."""
    errors.entry_point(app, "evaluator")()


if __name__ == "__main__":
    main()
