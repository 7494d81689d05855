"""Definitions in the languages whose names stand in declarators, behind modifiers or in calls."""

from __future__ import annotations

import pytest

from memaudit.repo.symbols import definitions


def found(path: str, text: str) -> dict[str, str]:
    """Kinds by qualified name."""
    return {definition.qualified: definition.kind for definition in definitions(path, text)}


def header(path: str, text: str, name: str) -> tuple[int, int, str]:
    """First and last line and the signature of the only definition of a name."""
    (only,) = [definition for definition in definitions(path, text) if definition.name == name]
    return only.line_start, only.line_end, only.signature


def test_java():
    source = """\
package shop;

public final class Cart<T> extends Base implements Priced {
  public static final int MAX = 3, MIN = 1;
  private final String owner = "x";
  public Cart(int size) { int local = 1; }
  @Override
  public List<String> names(int x) throws Gone { return new Box() { void inside() {} }; }
  enum Color { RED, GREEN("g") { void f() {} }; private final int code; void paint() {} }
  interface Priced { int LIMIT = 2; default void price() {} }
  record Item(int id, String name) { static int count; void run() {} }
  @interface Mark { String value() default "x"; }
}
"""
    assert found("Cart.java", source) == {
        "Cart": "class",
        "Cart.MAX": "constant",
        "Cart.MIN": "constant",
        "Cart.owner": "attribute",
        "Cart.Cart": "constructor",
        "Cart.names": "method",
        "Cart.names.inside": "method",
        "Cart.Color": "enum",
        "Cart.Color.RED": "member",
        "Cart.Color.GREEN": "member",
        "Cart.Color.GREEN.f": "method",
        "Cart.Color.code": "attribute",
        "Cart.Color.paint": "method",
        "Cart.Priced": "interface",
        "Cart.Priced.LIMIT": "constant",
        "Cart.Priced.price": "method",
        "Cart.Item": "record",
        "Cart.Item.id": "attribute",
        "Cart.Item.name": "attribute",
        "Cart.Item.count": "attribute",
        "Cart.Item.run": "method",
        "Cart.Mark": "interface",
        "Cart.Mark.value": "method",
    }


def test_kotlin():
    source = """\
package shop

const val TOP = 1
var (first, second) = 1 to 2
typealias Names = Map<String, Int>
val String.size2: Int get() { val local = 1; return local }
fun String?.shout(loud: Int = 1): String = this
fun <T> List<T>.pick(): T {
  val local = 1
  fun inner() {}
  return this[local]
}
data class User(val id: Int, var name: String = "x", plain: Int) : Base() {
  companion object {
    const val MAX = 3
    fun create() = User(1)
  }
  val lazyOne by lazy { val hidden = 1; hidden }
  init {
    val local = 1
  }
  constructor(a: String) : this(1)
  inner class In {
    fun deep() {}
  }
}
enum class Color(val code: Int) {
  RED(1),
  GREEN(2);
  fun paint() {}
}
interface Shape {
  val area: Double
  fun draw()
}
object Single {
  fun go() {}
}
"""
    assert found("a.kt", source) == {
        "TOP": "constant",
        "first": "variable",
        "second": "variable",
        "Names": "type",
        "String.size2": "variable",
        "String.shout": "function",
        "List.pick": "function",
        "List.pick.inner": "function",
        "User": "class",
        "User.id": "attribute",
        "User.name": "attribute",
        "User.MAX": "constant",
        "User.create": "method",
        "User.lazyOne": "attribute",
        "User.In": "class",
        "User.In.deep": "method",
        "Color": "enum",
        "Color.code": "attribute",
        "Color.RED": "member",
        "Color.GREEN": "member",
        "Color.paint": "method",
        "Shape": "interface",
        "Shape.area": "attribute",
        "Shape.draw": "method",
        "Single": "class",
        "Single.go": "method",
    }


def test_csharp():
    source = """\
namespace My.App;

public partial class Store<T> : Base where T : class {
  public const int Max = 3, Min = 2;
  private static readonly string Home = "x";
  private int _count;
  public string Name { get; set; } = "";
  public int Size => 1;
  public event EventHandler Changed;
  public Store(int x) { int local = 1; void Inner() {} }
  public async Task<int> RunAsync<A>(int a) { return 1; }
  public delegate void Handler(int x);
  public enum Color { Red = 1, Green }
  public struct Point { public int X; }
  public record Person(string First) { public int Extra { get; init; } }
  interface IThing { void Do(); int P { get; } }
  int IThing.Explicit() => 1;
  public static Store operator +(Store a, Store b) => a;
}
"""
    assert found("a.cs", source) == {
        "My.App": "namespace",
        "My.App.Store": "class",
        "My.App.Store.Max": "constant",
        "My.App.Store.Min": "constant",
        "My.App.Store.Home": "constant",
        "My.App.Store._count": "attribute",
        "My.App.Store.Name": "attribute",
        "My.App.Store.Size": "attribute",
        "My.App.Store.Changed": "attribute",
        "My.App.Store.Store": "constructor",
        "My.App.Store.Store.Inner": "function",
        "My.App.Store.RunAsync": "method",
        "My.App.Store.Handler": "type",
        "My.App.Store.Color": "enum",
        "My.App.Store.Color.Red": "member",
        "My.App.Store.Color.Green": "member",
        "My.App.Store.Point": "struct",
        "My.App.Store.Point.X": "attribute",
        "My.App.Store.Person": "record",
        "My.App.Store.Person.First": "attribute",
        "My.App.Store.Person.Extra": "attribute",
        "My.App.Store.IThing": "interface",
        "My.App.Store.IThing.Do": "method",
        "My.App.Store.IThing.P": "attribute",
        "My.App.Store.Explicit": "method",
    }


def test_namespaces_that_go_on_and_such_in_braces():
    assert found("a.cs", "namespace A.B { namespace C { class D { void M() {} } } }\nclass E {}\n") == {
        "A.B": "namespace",
        "A.B.C": "namespace",
        "A.B.C.D": "class",
        "A.B.C.D.M": "method",
        "E": "class",
    }
    assert found("a.php", "<?php\nnamespace A;\nclass B {}\nnamespace C\\D;\nfunction e() {}\n") == {
        "A": "namespace",
        "A::B": "class",
        "C::D": "namespace",
        "C::D::e": "function",
    }
    assert found("a.php", "<?php\nnamespace A { class B {} }\nnamespace { function c() {} }\n") == {
        "A": "namespace",
        "A::B": "class",
        "c": "function",
    }


def test_ruby():
    source = """\
module Shop
  MAX = 3
  def self.open; end
  class Cart < Base::Thing
    attr_reader :total, :count
    attr_accessor "named"
    class << self
      def build(a, b: 1) = new
    end
    def empty?
      Local = 2
    end
    def name=(value); end
    def <=>(other); end
    private def hidden; end
    define_method(:made) { }
    alias_method :old, :new
    alias older old
    scope :active, -> { where(open: true) }
    has_many :items, dependent: :destroy
    enum :status, { open: 0, closed: 1 }
    enum kind: %i[ small large ]
    delegate :city, :street, to: :address
    items.scope :not_mine
    Point = Struct.new(:x, :y) do
      def far; end
    end
    Wrong = Class.new(StandardError)
  end
end
class Out::Side
  def run; end
end
def top; end
"""
    assert found("a.rb", source) == {
        "Shop": "module",
        "Shop::MAX": "constant",
        "Shop::open": "function",
        "Shop::Cart": "class",
        "Shop::Cart::total": "attribute",
        "Shop::Cart::count": "attribute",
        "Shop::Cart::named": "attribute",
        "Shop::Cart::build": "method",
        "Shop::Cart::empty?": "method",
        "Shop::Cart::name=": "method",
        "Shop::Cart::hidden": "method",
        "Shop::Cart::made": "method",
        "Shop::Cart::old": "method",
        "Shop::Cart::older": "method",
        "Shop::Cart::active": "method",
        "Shop::Cart::items": "attribute",
        "Shop::Cart::status": "attribute",
        "Shop::Cart::status::open": "member",
        "Shop::Cart::status::closed": "member",
        "Shop::Cart::kind": "attribute",
        "Shop::Cart::kind::small": "member",
        "Shop::Cart::kind::large": "member",
        "Shop::Cart::city": "method",
        "Shop::Cart::street": "method",
        "Shop::Cart::Point": "class",
        "Shop::Cart::Point::x": "attribute",
        "Shop::Cart::Point::y": "attribute",
        "Shop::Cart::Point::far": "method",
        "Shop::Cart::Wrong": "class",
        "Out::Side": "class",
        "Out::Side::run": "method",
        "top": "function",
    }


def test_php():
    source = """\
<html><?php
namespace App\\Models;
final class Cart extends Base {
  use HasThings;
  const LIMIT = 3, OTHER = 2;
  public ?string $name = null, $note;
  public function __construct(private readonly Foo $foo, int $plain) { $local = 1; }
  public static function &build(array $a = []): self { function inner() {} }
}
interface Priced { public function price(); }
trait Counted { public function count() {} }
enum Suit: string { case Hearts = 'h'; case Spades; public function label() {} }
function helper(int $x) { return function () {}; }
const TOP = 1;
define('OLD', 2);
other('NOT_DEFINED', 2);
"""
    assert found("a.php", source) == {
        "App::Models": "namespace",
        "App::Models::Cart": "class",
        "App::Models::Cart::LIMIT": "constant",
        "App::Models::Cart::OTHER": "constant",
        "App::Models::Cart::name": "attribute",
        "App::Models::Cart::note": "attribute",
        "App::Models::Cart::__construct": "method",
        "App::Models::Cart::foo": "attribute",
        "App::Models::Cart::build": "method",
        "App::Models::Cart::build::inner": "function",
        "App::Models::Priced": "interface",
        "App::Models::Priced::price": "method",
        "App::Models::Counted": "trait",
        "App::Models::Counted::count": "method",
        "App::Models::Suit": "enum",
        "App::Models::Suit::Hearts": "member",
        "App::Models::Suit::Spades": "member",
        "App::Models::Suit::label": "method",
        "App::Models::helper": "function",
        "App::Models::TOP": "constant",
        "App::Models::OLD": "constant",
    }


def test_c():
    source = """\
#include <x.h>
#define MAX 3
#define SQUARE(x) ((x) * (x))
static const int LIMIT = 3;
extern char *names[10];
int (*hook)(int);
struct forward;
typedef struct node { int x, *y; struct node *next; int (*call)(int); unsigned bits : 3; } Node;
typedef struct { int a; } Plain, *PlainPtr;
typedef enum { RED, GREEN = 2 } Color;
typedef int (*handler_t)(int a, char *b);
enum kind { SMALL };
union both { int i; float f; };
static int *parse(const char *s) { int local = 1; int other(void); return 0; }
char **twice(void) { return 0; }
void close_it(int fd);
#ifdef X
int only_x(void) { return 1; }
#endif
"""
    assert found("a.c", source) == {
        "MAX": "macro",
        "SQUARE": "macro",
        "LIMIT": "constant",
        "names": "variable",
        "hook": "variable",
        "node": "struct",
        "node.x": "attribute",
        "node.y": "attribute",
        "node.next": "attribute",
        "node.call": "attribute",
        "node.bits": "attribute",
        "Node": "type",
        "Plain": "struct",
        "Plain.a": "attribute",
        "PlainPtr": "type",
        "Color": "enum",
        "Color.RED": "member",
        "Color.GREEN": "member",
        "handler_t": "type",
        "kind": "enum",
        "kind.SMALL": "member",
        "both": "struct",
        "both.i": "attribute",
        "both.f": "attribute",
        "parse": "function",
        "twice": "function",
        "close_it": "function",
        "only_x": "function",
    }


def test_cpp():
    source = """\
namespace a::b {
namespace { int hidden; }
template <typename T, int N> class Vec : public Base<T> {
 public:
  Vec();
  explicit Vec(int n) : n_(n) {}
  ~Vec() = default;
  virtual void draw() const = 0;
  T& at(size_t i) { Other local(i); return d[i]; }
  static constexpr int kMax = 3;
  int n_ = 0;
  using Value = T;
  enum class Color : int { Red };
  struct Inner { void go(); };
  friend void stranger(int);
};
template <typename T, int N> T& Vec<T, N>::late(int i) { return d[i]; }
}
class Later;
std::vector<int> Store::load(int x) const { auto l = [](int q) { return q; }; }
Store::Store() : x(1) {}
const std::string kName = "x";
template <class T> using Alias = std::vector<T>;
extern "C" { int plain(void); }
TEST(Vec, Draws) { int inside = 1; }
"""
    assert found("a.cpp", source) == {
        "a::b": "namespace",
        "a::b::hidden": "variable",
        "a::b::Vec": "class",
        "a::b::Vec::Vec": "constructor",
        "a::b::Vec::draw": "method",
        "a::b::Vec::at": "method",
        "a::b::Vec::kMax": "constant",
        "a::b::Vec::n_": "attribute",
        "a::b::Vec::Value": "type",
        "a::b::Vec::Color": "enum",
        "a::b::Vec::Color::Red": "member",
        "a::b::Vec::Inner": "struct",
        "a::b::Vec::Inner::go": "method",
        "a::b::Vec::late": "method",
        "Store::load": "method",
        "Store::Store": "constructor",
        "kName": "constant",
        "Alias": "type",
        "plain": "function",
    }


def test_macros_before_names_change_nothing():
    source = """\
#pragma once
class SHOP_EXPORT Cart : public Base {
 public:
  virtual void draw() = 0;
};
SHOP_EXPORT int shop_open(const char* name);
extern SHOP_EXPORT char* shop_name(void);
SHOP_STATUS shop_close(void);
"""
    assert found("shop.h", source) == {
        "Cart": "class",
        "Cart::draw": "method",
        "shop_open": "function",
        "shop_name": "function",
        "shop_close": "function",
    }
    assert header("shop.h", source, "Cart") == (2, 5, "class SHOP_EXPORT Cart : public Base")


def test_headers_of_c_and_cpp_tell_apart_by_what_stands_in_them():
    assert found("a.h", "struct s { int class; };\nint template(int new);\n") == {
        "s": "struct",
        "s.class": "attribute",
        "template": "function",
    }
    assert found("b.h", "namespace n {\nstruct s { int x; };\n}\n") == {
        "n": "namespace",
        "n::s": "struct",
        "n::s::x": "attribute",
    }


def test_swift():
    source = """\
public final class Store<T>: Base where T: X {
  static let shared = Store()
  private(set) var name: String = "x"
  var size: Int { let local = 1; return local }
  init(x: Int) { let local = 1; func inner() {} }
  @discardableResult
  func run<A>(_ a: A, to b: Int = 1) async throws -> Int { 1 }
  static func == (a: Store, b: Store) -> Bool { true }
  struct Inner { let a: Int }
  enum Color: String { case red, green = "g" }
  typealias V = Int
}
extension Store: Other { func added() {} }
extension Array.Index { static func far() {} }
protocol Shape: AnyObject { associatedtype A; var v: Int { get }
  func draw(x: Int) }
actor Worker { func work() {} }
indirect enum Tree { case leaf
  case node(Tree) }
func top(x: Int) -> Int { return x }
let kTop = 3
typealias Callback = (Int) -> Void
"""
    assert found("a.swift", source) == {
        "Store": "class",
        "Store.shared": "attribute",
        "Store.name": "attribute",
        "Store.size": "attribute",
        "Store.init": "method",
        "Store.init.inner": "function",
        "Store.run": "method",
        "Store.==": "method",
        "Store.Inner": "struct",
        "Store.Inner.a": "attribute",
        "Store.Color": "enum",
        "Store.Color.red": "member",
        "Store.Color.green": "member",
        "Store.V": "type",
        "Store.added": "method",
        "Array.Index.far": "method",
        "Shape": "interface",
        "Shape.A": "type",
        "Shape.v": "attribute",
        "Shape.draw": "method",
        "Worker": "class",
        "Worker.work": "method",
        "Tree": "enum",
        "Tree.leaf": "member",
        "Tree.node": "member",
        "top": "function",
        "kTop": "variable",
        "Callback": "type",
    }


def test_bash():
    source = """\
#!/bin/bash
export LIMIT=3
readonly MAX=4
declare -a list=(1 2)
plain=x
ONLY_HERE=1 run
build() {
  local x=1
  inner=2
}
function deploy-all { echo; }
export FIRST=1 SECOND=2
export BARE
"""
    assert found("a.sh", source) == {
        "LIMIT": "constant",
        "MAX": "constant",
        "list": "variable",
        "plain": "variable",
        "build": "function",
        "deploy-all": "function",
        "FIRST": "constant",
        "SECOND": "constant",
        "BARE": "constant",
    }


@pytest.mark.parametrize(
    ("path", "source", "name", "expected"),
    [
        (
            "A.java",
            'class A {\n  @Route("a(b)")\n  @Old\n  public int go(\n      int x) {\n    return x;\n  }\n}\n',
            "go",
            (4, 7, "public int go( int x)"),
        ),
        (
            "a.kt",
            "@Old\nfun go(\n  x: Int,\n): Int {\n  return x\n}\n",
            "go",
            (2, 6, "fun go( x: Int, ): Int"),
        ),
        (
            "a.cs",
            '[Obsolete("a(b)")]\npublic class A\n{\n  int x;\n}\n',
            "A",
            (2, 5, "public class A"),
        ),
        (
            "a.php",
            "<?php\n#[Old('x')]\nfunction go(int $x): int\n{\n}\n",
            "go",
            (3, 5, "function go(int $x): int"),
        ),
        ("a.swift", "@available(iOS 13, *)\nfunc go() {\n}\n", "go", (2, 3, "func go()")),
        ("a.rb", "def go(a)\n  # A remark.\n  a\nend\n", "go", (1, 4, "def go(a)")),
        ("a.c", "#define MAX 3\nint x;\n", "MAX", (1, 1, "#define MAX 3")),
        ("a.c", "static int\ngo(int a)\n{\n}\n", "go", (1, 4, "static int go(int a)")),
        ("a.sh", "go() {\n  echo\n}\n", "go", (1, 3, "go()")),
    ],
)
def test_lines_and_signatures_leave_annotations_and_bodies_out(path, source, name, expected):
    assert header(path, source, name) == expected


def test_where_code_is_at_fault_lines_are_read_by_their_look():
    source = "class Kept {\n  void go() {}\n}\n}}} class ((\npublic class Lost {\n  ((((\n"

    kinds = found("A.java", source)

    assert kinds["Kept"] == "class"
    assert kinds["Kept.go"] == "method"
    assert kinds["Lost"] == "class?"


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        (
            "a.zig",
            "pub const Config = struct {\n    pub fn init(a: u8) void {}\n};\nvar count: u8 = 0;\n",
            {"Config": "class?", "init": "function?", "count": "variable?"},
        ),
        (
            "a.ex",
            "defmodule My.App do\n  def run(x), do: x\n  defp empty?(x) do\n  end\nend\n",
            {"My.App": "module?", "run": "function?", "empty?": "function?"},
        ),
        (
            "a.scala",
            "final case class A(x: Int)\nobject B {\n  private def go(x: Int) = 1\n  type T = Int\n}\n",
            {"A": "class?", "B": "class?", "go": "function?", "T": "type?"},
        ),
        (
            "a.lua",
            "local M = {}\nfunction M.go(x)\nend\nM.run = function() end\n",
            {"M": "variable?", "go": "function?", "run": "function?"},
        ),
        (
            "a.dart",
            "class A extends B {\n  Future<int> load(int x) async {\n  }\n}\n",
            {"A": "class?", "load": "function?"},
        ),
    ],
)
def test_languages_without_a_grammar_say_so(path, source, expected):
    assert found(path, source) == expected
