# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.php import PHP
from tests.miner.symbol_cases import Case, check, check_partition, read

SAMPLE = r"""<?php
declare(strict_types=1);
namespace App\Models;

use A\B;
use A\{C, D as E, function f};
use const A\X;

const LIMIT = 3;
define('NAME', 'n');

/** A user. */
#[Entity]
abstract class User extends Base implements Named
{
    use Dated, Soft { Dated::a insteadof Soft; }

    public const A = 1, B = 2;
    private ?int $id = null;
    public static $x, $y = 2;

    public function __construct(private string $name) {}

    abstract protected function check(): bool;

    public static function make(): object
    {
        return new class { public function inner() {} };
    }
}

interface Named { public function name(): string; }
trait Dated { private $t; public function at() {} }
enum Suit: string { case A = 'a'; const D = self::A; public function label() {} }

if (!function_exists('helper')) {
    function helper() { return 1; }
}
$handler = function ($x) { return $x; };
echo 1;
?>
<p><?= $x ?></p>
"""

CLASS = "<?php\nclass A\n{\n    use T;\n\n    private $x = 1;\n\n    /** About m. */\n    public function m($a)\n    {\n        return $a;\n    }\n\n    function n() { return 1; }\n}\n"

CASES: dict[str, Case] = {
    "a method between others": (CLASS, CLASS.replace("    function n", "    function o() {}\n\n    function n"), ["added A.o"]),
    "a method at the end": (CLASS, CLASS.replace("1; }\n", "1; }\n\n    function o() {}\n"), ["added A.o"]),
    "a method removed": (CLASS, CLASS.replace("    function n() { return 1; }\n", ""), ["removed A.n"]),
    "a doc comment": (CLASS, CLASS.replace("About", "On"), ["modified A.m"]),
    "an attribute": (CLASS, CLASS.replace("    function n", "    #[Pure]\n    function n"), ["modified A.n"]),
    "a property": (CLASS, CLASS.replace("$x = 1", "$x = 2"), ["modified A.$x"]),
    "a trait is the body's": (CLASS, CLASS.replace("use T;", "use T, U;"), ["modified A.<body>"]),
    "a base class": (CLASS, CLASS.replace("class A", "class A extends B"), ["modified A.<body>"]),
    "a blank line": (CLASS, CLASS.replace("    }\n\n    function", "    }\n\n\n    function"), ["modified A.m"]),
    "methods in another order": (
        "<?php\nclass A {\n    function m() {}\n    function n() {}\n}\n", "<?php\nclass A {\n    function n() {}\n    function m() {}\n}\n", ["reordered A.<body>"]),
    "a method in another class": (
        "<?php\nclass A {\n    function m() {}\n    public $x;\n}\nclass B {\n    public $y;\n}\n", "<?php\nclass A {\n    public $x;\n}\nclass B {\n    function m() {}\n    public $y;\n}\n",
        ["added B.m", "removed A.m"]),
    "a property and a method of one name": (
        "<?php\nclass A {\n    public $m = 1;\n    function m() { return 1; }\n}\n", "<?php\nclass A {\n    public $m = 1;\n    function m() { return 2; }\n}\n", ["modified A.m"]),
    "a class constant": ("<?php\nclass A {\n    const X = 1;\n    const Y = 2;\n}\n", "<?php\nclass A {\n    const X = 1;\n    const Y = 3;\n}\n", ["modified A.Y"]),
    "a case of an enum": ("<?php\nenum A {\n    case X;\n    const Y = 1;\n}\n", "<?php\nenum A {\n    case X;\n    case Z;\n    const Y = 1;\n}\n", ["modified A.<body>"]),
    "a method of an interface": ("<?php\ninterface A {\n    function m();\n    function n();\n}\n", "<?php\ninterface A {\n    function m();\n    function n(int $a);\n}\n", ["modified A.n"]),
    "a promoted property is the constructor's": (
        "<?php\nclass A {\n    function __construct(private int $x) {}\n}\n", "<?php\nclass A {\n    function __construct(public int $x) {}\n}\n", ["modified A.__construct"]),
    "a function in a function": ("<?php\nfunction f() { function g() { return 1; } return 2; }\n", "<?php\nfunction f() { function g() { return 3; } return 2; }\n", ["modified f.g"]),
    "a method of a class without a name": (
        "<?php\nfunction f() { return new class { function m() { return 1; } }; }\n", "<?php\nfunction f() { return new class { function m() { return 2; } }; }\n", ["modified f.m"]),
    "a closure": ("<?php\n$f = fn($x) => $x;\n$g = 1;\n", "<?php\n$f = fn($x) => 1;\n$g = 1;\n", ["modified $f"]),
    "the twin of a condition": (
        "<?php\nif ($x) {\n    function f() { return 1; }\n} else {\n    function f() { return 2; }\n}\n",
        "<?php\nif ($x) {\n    function f() { return 1; }\n} else {\n    function f() { return 3; }\n}\n", ["modified f#2"]),
    "a namespace does not qualify": ("<?php\nnamespace A { function f() { return 1; } }\n", "<?php\nnamespace A { function f() { return 2; } }\n", ["modified f"]),
    "a namespace renamed": ("<?php\nnamespace A;\nfunction f() {}\n", "<?php\nnamespace B;\nfunction f() {}\n", ["modified <module>"]),
    "a constant": ("<?php\nconst A = 1;\ndefine('B', 1);\n", "<?php\nconst A = 1;\ndefine('B', 2);\n", ["modified B"]),
    "a use added": ("<?php\nuse A\\B;\nuse A\\C;\n\nf();\n", "<?php\nuse A\\B;\nuse A\\D;\nuse A\\C;\n\nf();\n", ["modified <module imports>"]),
    "uses sorted": ("<?php\nuse A\\C;\nuse A\\B;\n\nf();\n", "<?php\nuse A\\B;\nuse A\\C;\n\nf();\n", ["reordered <module imports>"]),
    "a name in a group": ("<?php\nuse A\\{B, C};\n\nf();\n", "<?php\nuse A\\{B, D};\n\nf();\n", ["modified <module imports>"]),
    "a statement": ("<?php\nrequire 'a.php';\nfunction f() {}\n", "<?php\nrequire 'b.php';\nfunction f() {}\n", ["modified <module>"]),
    "text around": ("<p>a</p>\n<?php function f() {} ?>\n", "<p>b</p>\n<?php function f() {} ?>\n", ["modified <module>"]),
    "CRLF": (CLASS.replace("\n", "\r\n"), CLASS.replace("return 1", "return 2").replace("\n", "\r\n"), ["modified A.n"]),
}  # fmt: skip

TABLE = {
    "nothing": ("", []),
    "text": ("<p>a</p>\n", ["<module>"]),
    "members": ("<?php\nclass A {\n    const X = 1, Y = 2;\n    public $a, $b;\n    function m() {}\n}\n",
                ["<module>", "A.<body>", "A.X, Y", "A.$a, $b", "A.m", "A.<body>"]),
    "kinds": ("<?php\ninterface A {}\ntrait B {}\nenum C {}\nfinal class D {}\nfunction e() {}\n",
              ["<module>", "A.<body>", "B.<body>", "C.<body>", "D.<body>", "e"]),
    "assignments": ("<?php\n$a = 1;\n$a = 2;\n$b->c = 1;\n[$d] = f();\n", ["<module>", "$a", "$a#2", "<module>"]),
    "try": ("<?php\ntry {\n    define('A', 1);\n} catch (E $e) {\n    define('A', 2);\n}\n", ["<module>", "A", "<module>", "A#2", "<module>"]),
}  # fmt: skip

ENTRIES = [
    (r"use A\B;", [r"use A\B"], ["B"]),
    (r"use \A\B;", [r"use A\B"], ["B"]),
    (r"use A;", ["use A"], ["A"]),
    (r"use A\B as C, D\E;", [r"use A\B as C", r"use D\E"], ["C", "E"]),
    (r"use A\{B, C\D as E, function f, const X};", [r"use A\B", r"use A\C\D as E", r"use function A\f", r"use const A\X"], ["B", "E", "f", "X"]),
    (r"use function A\{f, g as h};", [r"use function A\f", r"use function A\g as h"], ["f", "h"]),
    (r"use const A\X;", [r"use const A\X"], ["X"]),
]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_change_is_named(case: Case) -> None:
    check("php", case)


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("php", text).segments] == expected


@pytest.mark.parametrize(("text", "entries", "bound"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_use_is_read_as_single_bindings(text: str, entries: list[str], bound: list[str]) -> None:
    _, segment = read("php", f"<?php\n{text}\n").segments
    assert list(segment.entries) == entries
    assert [PHP.binds(entry) for entry in entries] == bound


def test_sample_has_the_symbols_a_reader_sees() -> None:
    assert set(read("php", SAMPLE).names()) == {
        "<module>", "<module imports>", "LIMIT", "NAME", "User.<body>", "User.A, B", "User.$id", "User.$x, $y", "User.__construct",
        "User.check", "User.make", "User.make.inner", "Named.<body>", "Named.name", "Dated.<body>", "Dated.$t", "Dated.at",
        "Suit.<body>", "Suit.D", "Suit.label", "helper", "$handler",
    }  # fmt: skip


PIECES = st.sampled_from(
    ["", " ", "\n", "\r\n", "(", ")", "{", "}", ";", "?>", "<?php ", "/*", "*/", '"', "'", "<<<A\n", "function x() {", "class B {",
     "use Q;\n", "#[", "é", "\udcff", "\x00", "$"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=80, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read("php", text[:other] + more + text[other:]))
