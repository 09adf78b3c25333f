# ruff: noqa: E501
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from miner.symbols.languages.ruby import RUBY
from tests.miner.symbol_cases import Case, check, check_partition, read

SAMPLE = '''# frozen_string_literal: true

require "json"
require_relative "lib/a"

module Shop
  LIMIT = 3
  SQL = <<~TEXT.freeze
    select 1
  TEXT

  # A cart.
  class Cart < Base
    include Comparable
    attr_accessor :items
    @@count = 0

    def initialize(items) = @items = items

    def self.build(*items)
      new(items)
    end

    class << self
      def load; end
    end

    def ==(other)
      items == other.items
    end

    private

    def secret? = true
    Point = Struct.new(:x) do
      def far; end
    end
  end
end

class Shop::Cart
  def again; end
end

if RUBY_ENGINE == "jruby"
  def fast; end
else
  def fast; 1; end
end

describe "x" do
  def helper; end
end
'''

CLASS = "class A\n  attr_reader :x\n\n  # about m\n  def m(a)\n    a\n  end\n\n  def n\n    1\n  end\nend\n"

CASES: dict[str, Case] = {
    "a method between others": (CLASS, CLASS.replace("  def n", "  def o; end\n\n  def n"), ["added A.o"]),
    "a method at the end": (CLASS, CLASS.replace("1\n  end\n", "1\n  end\n\n  def o; end\n"), ["added A.o"]),
    "a method removed": (CLASS, CLASS.replace("  # about m\n  def m(a)\n    a\n  end\n\n", ""), ["removed A.m"]),
    "a comment above a method": (CLASS, CLASS.replace("about m", "on m"), ["modified A.m"]),
    "a comment above the first member": (
        "class A\n  # old\n  def m; end\n\n  def n; end\nend\n", "class A\n  # new\n  def m; end\n\n  def n; end\nend\n", ["modified A.m"]),
    "a comment apart from the first member": (
        "class A\n  # old\n\n  def m; end\nend\n", "class A\n  # new\n\n  def m; end\nend\n", ["modified A.<body>"]),
    "an accessor is the body's": (CLASS, CLASS.replace(":x", ":x, :y"), ["modified A.<body>"]),
    "a superclass": (CLASS, CLASS.replace("class A", "class A < B"), ["modified A.<body>"]),
    "a blank line": (CLASS, CLASS.replace("  end\n\n  def n", "  end\n\n\n  def n"), ["modified A.m"]),
    "methods in another order": (
        "class A\n  def m; end\n  def n; end\nend\n", "class A\n  def n; end\n  def m; end\nend\n", ["reordered A.<body>"]),
    "a method made private": (
        "class A\n  def m; end\n  private\n  def n; end\nend\n", "class A\n  private\n  def m; end\n  def n; end\nend\n", ["reordered A.<body>"]),
    "a method in another class": (
        "class A\n  def m; end\n  def x; end\nend\n\nclass B\n  def y; end\nend\n", "class A\n  def x; end\nend\n\nclass B\n  def m; end\n  def y; end\nend\n",
        ["added B.m", "removed A.m"]),
    "a method of the class and one of its objects": (
        "class A\n  def m; 1; end\n  def self.m; 1; end\nend\n", "class A\n  def m; 1; end\n  def self.m; 2; end\nend\n", ["modified A.self.m"]),
    "class << self": (
        "class A\n  class << self\n    def m; 1; end\n    def n; 1; end\n  end\nend\n", "class A\n  class << self\n    def m; 2; end\n    def n; 1; end\n  end\nend\n",
        ["modified A.self.m"]),
    "private def": ("class A\n  private def m; 1; end\n  def n; end\nend\n", "class A\n  public def m; 1; end\n  def n; end\nend\n", ["modified A.m"]),
    "an operator": ("class A\n  def ==(o); 1; end\n  def a=(o); end\nend\n", "class A\n  def ==(o); 2; end\n  def a=(o); end\nend\n", ["modified A.=="]),
    "a class opened again": (
        "class A\n  def m; 1; end\nend\nclass A\n  def n; 1; end\nend\n", "class A\n  def m; 1; end\nend\nclass A\n  def n; 2; end\nend\n", ["modified A#2.n"]),
    "a method defined again in it": (
        "class A\n  def m; 1; end\nend\nclass A\n  def m; 1; end\nend\n", "class A\n  def m; 1; end\nend\nclass A\n  def m; 2; end\nend\n", ["modified A#2.m"]),
    "a module around": ("module M\n  class A::B\n    def m; 1; end\n  end\nend\n", "module M\n  class A::B\n    def m; 2; end\n  end\nend\n", ["modified M.A.B.m"]),
    "a constant": ("module M\n  X = 1\n  Y = 2\nend\n", "module M\n  X = 3\n  Y = 2\nend\n", ["modified M.X"]),
    "a constant's here document": (
        "X = <<~A.freeze # why\n  one\n  two\nA\nY = 1\n", "X = <<~A.freeze # why\n  one\n  three\nA\nY = 1\n", ["modified X"]),
    "two here documents": ("X = [<<~A, <<~B]\n  one\nA\n  two\nB\nY = 1\n", "X = [<<~A, <<~B]\n  one\nA\n  three\nB\nY = 1\n", ["modified X"]),
    "a class variable": ("class A\n  @@n = 0\n  @m = 1\nend\n", "class A\n  @@n = 1\n  @m = 1\nend\n", ["modified A.@@n"]),
    "a condition behind a constant": ("X = 1 unless defined?(X)\nY = 1\n", "X = 1 if defined?(X)\nY = 1\n", ["modified X"]),
    "a lambda": ("F = ->(x) { x }\nY = 1\n", "F = ->(x) { x + 1 }\nY = 1\n", ["modified F"]),
    "a method in a block": (
        "describe 'x' do\n  def m; 1; end\n  it('y') { m }\nend\n", "describe 'x' do\n  def m; 2; end\n  it('y') { m }\nend\n", ["modified m"]),
    "a block": ("describe 'x' do\n  it('y') { 1 }\nend\n", "describe 'x' do\n  it('y') { 2 }\nend\n", ["modified <module>"]),
    "a method of a Struct": (
        "P = Struct.new(:x) do\n  def m; 1; end\nend\nY = 1\n", "P = Struct.new(:x) do\n  def m; 2; end\nend\nY = 1\n", ["modified P.m"]),
    "the twin of a condition": (
        "if X\n  def m; 1; end\nelse\n  def m; 2; end\nend\n", "if X\n  def m; 1; end\nelse\n  def m; 3; end\nend\n", ["modified m#2"]),
    "a method in a method": ("def m\n  def n; 1; end\n  2\nend\n", "def m\n  def n; 3; end\n  2\nend\n", ["modified m.n"]),
    "a require added": ("require 'a'\n\nX = 1\n", "require 'a'\nrequire 'b'\n\nX = 1\n", ["modified <module imports>"]),
    "requires sorted": ("require 'b'\nrequire 'a'\n\nX = 1\n", "require 'a'\nrequire 'b'\n\nX = 1\n", ["reordered <module imports>"]),
    "a require in a begin": ("begin\n  require 'a'\nrescue LoadError\n  A = nil\nend\n", "begin\n  require 'b'\nrescue LoadError\n  A = nil\nend\n", ["modified <module imports>"]),
    "a require in a method is the method's": ("def m\n  require 'a'\nend\nX = 1\n", "def m\n  require 'b'\nend\nX = 1\n", ["modified m"]),
    "CRLF": (CLASS.replace("\n", "\r\n"), CLASS.replace("1\n", "2\n").replace("\n", "\r\n"), ["modified A.n"]),
}  # fmt: skip

TABLE = {
    "nothing": ("", []),
    "methods": ("def m; end\ndef q? = 1\ndef a.b; end\n", ["m", "q?", "a.b"]),
    "assignments": ("A, B = 1, 2\n$c ||= 1\nd = 1\nE::F = 1\ng.h = 1\n", ["A, B", "$c", "d", "E.F", "<module>"]),
    "a class and its reopening elsewhere": ("module A\n  class B; end\nend\nclass A::B; end\n", ["A.<body>", "A.B.<body>", "A.<body>", "A.B#2.<body>"]),
    "a here document passed on": ("f <<~A\n  x\nA\nB = 1\n", ["<module>", "B"]),
}  # fmt: skip

ENTRIES = [
    ("require 'a/b'", "require 'a/b'", None),
    ("require('a')", "require 'a'", None),
    ('require_relative "a" if X', 'require_relative "a"', None),
    ("autoload :A,  'a'", "autoload :A, 'a'", "A"),
    ('load File.join(x, "a")', 'load File.join(x, "a")', None),
]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_every_change_is_named(case: Case) -> None:
    check("ruby", case)


@pytest.mark.parametrize(("text", "expected"), TABLE.values(), ids=TABLE.keys())
def test_symbols_of_a_text_in_order(text: str, expected: list[str]) -> None:
    assert [segment.name for segment in read("ruby", text).segments] == expected


@pytest.mark.parametrize(("text", "entry", "bound"), ENTRIES, ids=[row[0] for row in ENTRIES])
def test_import_is_one_entry(text: str, entry: str, bound: str | None) -> None:
    (segment,) = read("ruby", text + "\n").segments
    assert segment.entries == (entry,)
    assert RUBY.binds(entry) == bound


def test_sample_has_the_symbols_a_reader_sees() -> None:
    assert set(read("ruby", SAMPLE).names()) == {
        "<module>", "<module imports>", "Shop.<body>", "Shop.LIMIT", "Shop.SQL", "Shop.Cart.<body>", "Shop.Cart.@@count",
        "Shop.Cart.initialize", "Shop.Cart.self.build", "Shop.Cart.self.<body>", "Shop.Cart.self.load", "Shop.Cart.==",
        "Shop.Cart.secret?", "Shop.Cart.Point", "Shop.Cart.Point.far", "Shop.Cart#2.<body>", "Shop.Cart#2.again",
        "fast", "fast#2", "helper",
    }  # fmt: skip


PIECES = st.sampled_from(
    ["", " ", "\n", "\r\n", "(", ")", "end\n", "def x\n", "class B\n", "do |x|\n", "<<~A\n", "A\n", '"', "'", "#", "#{", "=begin\n",
     "require 'q'\n", "private ", "é", "\udcff", "\x00", "if 1\n"]
)  # fmt: skip


@given(st.integers(0, len(SAMPLE)), st.integers(0, 60), PIECES, st.integers(0, len(SAMPLE)), PIECES)
@settings(max_examples=80, deadline=None)
def test_segments_partition_any_edit_of_a_sample(at: int, length: int, new: str, other: int, more: str) -> None:
    text = SAMPLE[:at] + new + SAMPLE[at + length :]
    check_partition(read("ruby", text[:other] + more + text[other:]))
