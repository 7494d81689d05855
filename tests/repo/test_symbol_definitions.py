"""The definitions of source files in every language that is read."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memaudit.repo.symbols import Definition, definitions, language


def found(path: str, text: str) -> dict[str, str]:
    """Kinds by qualified name."""
    return {definition.qualified: definition.kind for definition in definitions(path, text)}


def test_python():
    source = """\
import os

TIMEOUT = 30
first, SECOND = 1, 2
name: str = "x"
type Alias = int
if os.name == "nt":
    SEP = ";"


class Base(Parent):
    limit: int = 3
    kind = "a"

    @property
    def size(self) -> int:
        local = 1
        self.cached = local
        return local

    class Inner:
        def deep(self): ...


async def fetch(
    url: str,
    *,
    retries: int = 3,
) -> bytes:
    def helper(): ...
    return b""
"""
    assert found("a.py", source) == {
        "TIMEOUT": "constant",
        "first": "variable",
        "SECOND": "constant",
        "name": "variable",
        "Alias": "type",
        "SEP": "constant",
        "Base": "class",
        "Base.limit": "attribute",
        "Base.kind": "attribute",
        "Base.size": "method",
        "Base.cached": "attribute",
        "Base.Inner": "class",
        "Base.Inner.deep": "method",
        "fetch": "function",
        "fetch.helper": "function",
    }


def test_lines_and_signatures():
    source = (
        "x = 1\n\n\nasync def fetch(\n    url: str,\n    retries: int = 3,\n) -> bytes:\n    return b''\n"
    )

    assert definitions("a.py", source)[1] == Definition(
        "fetch", "fetch", "function", 4, 8, "async def fetch( url: str, retries: int = 3, ) -> bytes"
    )
    assert definitions("a.py", source)[0].signature == "x = 1"


def test_typescript():
    source = """\
export abstract class Shop<T> extends Base {
  private readonly items: T[] = [];
  static count = 0;
  #secret = 1;
  constructor(private readonly log: Logger) { super(); const local = 1; }
  async load(id: string): Promise<void> {}
  onClick = () => 1;
  abstract close(): void;
}
export interface Item { id: string; price(): number }
export type Options = { verbose: boolean };
export enum Color { Red = "r", Green }
export const config = { port: 3000, "base-path": "/", nested: { deep: 1 }, run() {}, go: () => 1 };
export const handler = async (req: Request) => { const inner = { a: 1 }; const again = () => 2; };
export let mutable = 1;
namespace Tools { export function hammer() {} }
export default function main() {}
declare function outside(x: number): void;
export default { name: "app" };
"""
    assert found("a.ts", source) == {
        "Shop": "class",
        "Shop.items": "attribute",
        "Shop.count": "attribute",
        "Shop.#secret": "attribute",
        "Shop.constructor": "method",
        "Shop.log": "attribute",
        "Shop.load": "method",
        "Shop.onClick": "method",
        "Shop.close": "method",
        "Item": "interface",
        "Item.id": "attribute",
        "Item.price": "method",
        "Options": "type",
        "Options.verbose": "attribute",
        "Color": "enum",
        "Color.Red": "member",
        "Color.Green": "member",
        "config": "constant",
        "config.port": "key",
        "config.base-path": "key",
        "config.nested": "key",
        "config.nested.deep": "key",
        "config.run": "method",
        "config.go": "method",
        "handler": "function",
        "handler.again": "function",
        "mutable": "variable",
        "Tools": "namespace",
        "Tools.hammer": "function",
        "main": "function",
        "outside": "function",
        "name": "key",
    }


def test_javascript_and_jsx():
    source = """\
class A { x = 1; handle = () => 2; m() { this.made = 1; } static s() {} }
function* gen() {}
const { a, b } = require("x");
exports.first = () => 1;
module.exports.second = 2;
const View = ({ id }) => <div id={id} />;
const Classy = class {};
"""
    assert found("a.jsx", source) == {
        "A": "class",
        "A.x": "attribute",
        "A.handle": "method",
        "A.m": "method",
        "A.made": "attribute",
        "A.s": "method",
        "gen": "function",
        "first": "function",
        "second": "constant",
        "View": "function",
        "Classy": "class",
    }


def test_tsx():
    assert found("a.tsx", "export const App = (props: Props) => <Box<string> of={props} />;\n") == {
        "App": "function"
    }


def test_go():
    source = """\
package main

type Server struct { Addr string; host, port string; embedded }
type Store interface { Get(key string) (string, error) }
type Name = string
type Level int
const ( Low Level = iota; High )
var first, second = 1, 2
func (s *Server[T]) Run(ctx context.Context) error { x := 1; var y int; return nil }
func main() { const z = 1 }
"""
    assert found("a.go", source) == {
        "Server": "struct",
        "Server.Addr": "attribute",
        "Server.host": "attribute",
        "Server.port": "attribute",
        "Store": "interface",
        "Store.Get": "method",
        "Name": "type",
        "Level": "type",
        "Low": "constant",
        "High": "constant",
        "first": "variable",
        "second": "variable",
        "Server.Run": "method",
        "main": "function",
    }


def test_rust():
    source = """\
pub struct Point<T> { pub x: T, y: T }
enum Shape { Dot, Box { side: u8 }, Ring(u8) }
trait Draw { type Out; const N: u8; fn draw(&self); fn twice(&self) {} }
impl<T> Draw for Point<T> { fn draw(&self) { let local = 1; } }
impl Point<u8> { pub const ZERO: u8 = 0; }
mod inner { pub async fn run() {} }
static COUNT: u8 = 1;
type Pair = (u8, u8);
macro_rules! shout { () => {} }
union Bits { a: u8 }
"""
    assert found("a.rs", source) == {
        "Point": "struct",
        "Point::x": "attribute",
        "Point::y": "attribute",
        "Shape": "enum",
        "Shape::Dot": "member",
        "Shape::Box": "member",
        "Shape::Box::side": "attribute",
        "Shape::Ring": "member",
        "Draw": "trait",
        "Draw::Out": "type",
        "Draw::N": "constant",
        "Draw::draw": "method",
        "Draw::twice": "method",
        "Point::draw": "method",
        "Point::ZERO": "constant",
        "inner": "module",
        "inner::run": "function",
        "COUNT": "constant",
        "Pair": "type",
        "shout": "macro",
        "Bits": "struct",
        "Bits::a": "attribute",
    }


@pytest.mark.parametrize(
    ("path", "name"),
    [("a.PY", "python"), ("x/b.mts", "typescript"), ("c.tsx", "tsx"), ("d.md", None), ("Makefile", None)],
)
def test_the_language_goes_by_the_extension(path, name):
    assert language(path) == name


def test_no_definitions_where_none_are_known():
    assert definitions("README.md", "def x(): ...") == []
    assert definitions("a.py", "") == []


@pytest.mark.parametrize(
    "path", [f"a.{end}" for end in "py ts tsx js go rs java rb kt cs php c cpp h swift sh".split()]
)
def test_broken_code_gives_what_can_be_made_out(path):
    whole = {
        "a.py": "def kept(): ...\n",
        "a.go": "package a\nfunc kept() {}\n",
        "a.rs": "fn kept() {}\n",
        "a.java": "class kept {\n}\n",
        "a.kt": "class kept {\n}\n",
        "a.cs": "class kept {\n}\n",
        "a.php": "<?php\nclass kept {\n}\n",
        "a.rb": "def kept\nend\n",
        "a.c": "int kept(int x) { return x; }\n",
        "a.h": "int kept(int x);\n",
        "a.cpp": "class kept { int x; };\n",
        "a.swift": "class kept {\n}\n",
        "a.sh": "kept() { echo; }\n",
    }.get(path, "function kept() {}\n")

    assert "kept" in found(path, whole + "\n}}} ((( def class \x00 \ud800 `${ \n")


@given(st.text(max_size=200), st.sampled_from("py ts go rs java kt cs rb php c h cpp swift sh zig".split()))
def test_any_text_is_taken(text, extension):
    path = f"a.{extension}"
    for definition in definitions(path, text):
        assert definition.name
        assert 1 <= definition.line_start <= definition.line_end <= text.count("\n") + 1


@pytest.mark.parametrize(
    ("path", "unit", "repeat"),
    [
        ("a.js", "x({", 20_000),
        ("a.py", "(", 900_000),
        ("a.ts", "{", 900_000),
        ("a.rs", "mod a{", 20_000),
        ("a.ts", "<", 50_000),
        ("a.rs", "mod a{", 20_000),
        ("a.java", "a<b ", 5_000),
        ("a.kt", "a<b ", 100_000),
        ("a.kt", "class A{", 20_000),
        ("a.rb", '"#{', 20_000),
        ("a.php", "<?php fn()=>", 20_000),
        ("a.cpp", "template<", 20_000),
        ("a.cpp", "((*", 20_000),
        ("a.swift", '"\\(', 20_000),
        ("a.sh", '"$(', 20_000),
        ("a.zig", "pub fn a(", 20_000),
        ("a.c", "int *" * 50 + "\n", 500),
        ("a.cs", "public " * 40 + "\n", 500),
    ],
)
def test_hostile_files_end_soon(path, unit, repeat):
    assert len(definitions(path, unit * repeat)) <= 20_000


def test_definitions_nested_beyond_reason():
    nested = definitions("a.rs", "mod a{" * 3000 + "}" * 3000)

    assert 10 < len(nested) < 100


def test_a_file_too_large_to_parse():
    assert definitions("a.py", "x = 1\n" * 400_000) == []


def test_files_that_were_read_are_let_go():
    definitions("first.py", "x = 1\n")  # loads the grammar
    text = "#" * 100_000 + "\n"
    tracemalloc.start()
    try:
        for number in range(40):
            assert found(f"{number}.py", f"{text}def run_{number}(): ...\n") == {f"run_{number}": "function"}
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 20 * len(text)
