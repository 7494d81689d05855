"""Situations in languages where a type, an owner or a mixin decides what a name means."""

from __future__ import annotations

from pathlib import Path

import pytest
from situationkit import HELD, Situation, check, judged, rows, stale

JAVA = """package shop;

public final class OrderStore {
  private final List<Order> orders;

  public Map<String, Order> loadOrders(String folder, int limit) {
    return orders.read(folder, limit);
  }
}
"""
CALLER = (
    "package shop;\n\nfinal class Caller {\n  void run(Other other) {\n    other.loadOrders(1);\n  }\n}\n"
)
RUBY = "class OrderStore\n  def load_orders(folder)\n    read(folder)\n  end\nend\n"
MIXIN = "module Loading\n  def load_orders(folder)\n    read(folder)\n  end\nend\n"
PHP = "<?php\nfinal class OrderStore\n{\n    public function load_orders(): array\n    {\n    }\n}\n"
CPP = '#include "store.h"\n\nstd::vector<int> OrderStore::load_orders(int limit) const {\n  return {};\n}\n'
HEADER = "class OrderStore {\n public:\n  std::vector<int> load_orders(int limit) const;\n};\n"

SITUATIONS = (
    Situation(
        "a member that its class no longer has",
        "- `OrderStore.loadOrders` reads from the disk.",
        stale("symbol-renamed"),
        {"OrderStore.java": JAVA, "Caller.java": CALLER},
        {"OrderStore.java": JAVA.replace("loadOrders", "readAll")},
    ),
    Situation(
        "a member that its class no longer has/inverse",
        "- `OrderStore.loadOrders` reads from the disk.",
        HELD,
        {"OrderStore.java": JAVA, "Caller.java": CALLER},
        {"OrderStore.java": JAVA.replace("final List<Order> orders;", "List<Order> orders;")},
    ),
    Situation(
        "a body that no longer has the words of the claim",
        "- `OrderStore.loadOrders` reads the orders.",
        ("unknown", "touched"),
        {"OrderStore.java": JAVA, "Caller.java": CALLER},
        {"OrderStore.java": JAVA.replace("orders.read(folder, limit)", "index.find(folder)")},
    ),
    Situation(
        "parameters behind their types",
        "- `loadOrders(folder, limit)` reads from the disk.",
        stale("signature-changed"),
        {"OrderStore.java": JAVA},
        {"OrderStore.java": JAVA.replace("int limit", "int most").replace(", limit)", ", most)")},
    ),
    Situation(
        "parameters behind their types/inverse",
        "- `loadOrders(folder, limit)` reads from the disk.",
        HELD,
        {"OrderStore.java": JAVA},
        {"OrderStore.java": JAVA.replace("int limit", "long limit")},
    ),
    Situation(
        "a method that left a C++ class, header and all",
        "- `OrderStore::load_orders` is the only reader.",
        stale("symbol-gone"),
        {"store.cpp": CPP, "store.h": HEADER, "other.cpp": "void f(Other& o) { o.load_orders(1); }\n"},
        {"store.cpp": '#include "store.h"\n', "store.h": "class OrderStore {\n public:\n  int x;\n};\n"},
    ),
    Situation(
        "a keyword argument that may be left out",
        "- `load_orders(folder)` reads from the disk.",
        HELD,
        {"order_store.rb": RUBY},
        {"order_store.rb": RUBY.replace("(folder)\n    read", "(folder, limit: 10)\n    read", 1)},
    ),
    Situation(
        "a keyword argument that may be left out/inverse",
        "- `load_orders(folder)` reads from the disk.",
        stale("signature-changed"),
        {"order_store.rb": RUBY},
        {"order_store.rb": RUBY.replace("(folder)\n    read", "(folder, limit)\n    read", 1)},
    ),
)


@rows(SITUATIONS)
def test_a_situation(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "repo", situation)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            {"order_store.rb": RUBY},
            {"order_store.rb": "class OrderStore\n  include Loading\nend\n", "loading.rb": MIXIN},
        ),
        (
            {"OrderStore.php": PHP},
            {
                "OrderStore.php": "<?php\nfinal class OrderStore\n{\n    use Loading;\n}\n",
                "Loading.php": "<?php\ntrait Loading\n{\n    public function load_orders(): array {}\n}\n",
            },
        ),
        (
            {"OrderStore.java": "class OrderStore {\n  void load_orders() {}\n}\n"},
            {
                "OrderStore.java": "class OrderStore implements Loading {\n}\n",
                "Loading.java": "interface Loading {\n  default void load_orders() {}\n}\n",
            },
        ),
    ],
    ids=["module", "trait", "interface"],
)
def test_a_member_that_came_back_from_elsewhere_is_not_gone(tmp_path: Path, before, after) -> None:
    situation = Situation("moved", "- `OrderStore#load_orders` reads from the disk.", (), before, after)

    found, _ = judged(tmp_path / "repo", situation)

    assert [judgement.verdict.value for _, judgement in found if judgement.verdict.value == "stale"] == []
