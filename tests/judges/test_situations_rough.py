"""What is said roughly, drawn or shown in part: counts, diagrams, families of names, parts of a new name."""

from __future__ import annotations

from pathlib import Path

from quickrepo import Files, Revision, build
from situationkit import HELD, Situation, check, rows, stale

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Claim, Judgement, Tier

PARTS = {f"desk/parts/part{number}/part.py": f"PART = {number}\n" for number in range(10)}
ONE_MORE: Files = {"desk/parts/lamp/part.py": "PART = 'lamp'\n"}
TWICE: Files = {f"desk/parts/lamp{number}/part.py": f"LAMP = {number}\n" for number in range(10)}
SOME_LESS: Files = dict.fromkeys(list(PARTS)[:3])

DIAGRAM = """Which package needs which:

```
Desk (core)
├── Readers: Csv, Json, Xml
├── Desk.Lamp → Lamp.Bulb (needs Lamp and Bulb)
└── Desk.Chair
```
"""
DRAWN = """```
desk/
├── readers: csv, json, xml
├── lamp.py
└── parts/
```
"""
DESK = {f"desk/{name}": "X = 1\n" for name in ("lamp.py", "parts/leg.py", "parts/top.py")}

JOBS = {
    f"src/desk/{name}Builder.cs": f"public class {name}Builder : ChainBuilderBase<{name}>\n{{\n}}\n"
    for name in ("LampTable", "ChairTable", "ShelfTable", "StoolTable")
}

SITUATIONS = (
    Situation("rough-count-one-more", "`desk/parts/` (~10 components)", HELD, PARTS, ONE_MORE),
    Situation("rough-count-in-words", "About 10 components are in `desk/parts/`.", HELD, PARTS, ONE_MORE),
    Situation("rough-count/inverse", "`desk/parts/` (~10 components)", stale("count-changed"), PARTS, TWICE),
    Situation(
        "exact-count/inverse", "`desk/parts/` (10 components)", stale("count-changed"), PARTS, ONE_MORE
    ),
    Situation("at-most-count", "Up to 10 components in `desk/parts/`.", HELD, PARTS, SOME_LESS),
    Situation(
        "at-most-count/inverse",
        "Up to 10 components in `desk/parts/`.",
        stale("count-changed"),
        PARTS,
        ONE_MORE,
    ),
    Situation("label-of-several", DRAWN, ("unknown",), DESK, about="readers"),
    Situation(
        "label-of-several/inverse",
        DRAWN.replace("readers: csv, json, xml", "readers.py"),
        stale("path-gone", "earlier"),
        DESK,
        about="readers",
    ),
    Situation(
        "base-of-a-family",
        "Order is kept by the `ChainTableBuilder` pattern.",
        ("unknown",),
        {**JOBS, "src/desk/Order.cs": "public class Order : ChainTableBuilderBase { }\n"},
    ),
    Situation(
        "base-of-a-family/inverse",
        "Order is kept by the `ChainTableBuilder` pattern.",
        stale("symbol-gone", "earlier"),
        JOBS,
    ),
)


@rows(SITUATIONS)
def test_what_is_said_roughly(situation: Situation, tmp_path: Path) -> None:
    check(tmp_path / "desk", situation)


def judged(
    root: Path, before: Files, after: Files, *, old_store: bool = False
) -> list[tuple[Claim, Judgement]]:
    first, last = build(root, [Revision(before, "before"), Revision(after, "after")])
    audit = Audit(AuditRequest(root, range=f"{first}..{last}", store_at=first if old_store else None))
    return list(audit.run())


def test_a_diagram_of_what_needs_what_draws_no_files(tmp_path: Path) -> None:
    memory = {"CLAUDE.md": f"# Packages\n\n{DIAGRAM}", "Desk/Lamp.cs": "class Lamp {}\n"}
    found = judged(tmp_path / "desk", memory, {"notes.txt": "x\n"})
    assert [claim.text for claim, judgement in found if judgement.verdict.value == "stale"] == []


OLD_STEP, NEW_STEP = "class DeskAi_First:\n{0}", "class DeskAI_First:\n{0}"
BODY = "".join(f"    step_{number} = {number} * {number}\n" for number in range(12))


def test_a_new_name_without_the_prefix_that_is_demanded_has_to_be_looked_at(tmp_path: Path) -> None:
    def suggested(folder: str, claim: str) -> tuple[Tier, str | None]:
        before = {"CLAUDE.md": f"# Steps\n\n- {claim}\n", "steps.py": OLD_STEP.format(BODY)}
        ((_, judgement),) = judged(tmp_path / folder, before, {"steps.py": NEW_STEP.format(BODY)})
        assert judgement.suggestion is not None
        return judgement.suggestion.tier, judgement.suggestion.text

    plain = "Steps begin with `DeskAi_First`."
    assert suggested("plain", plain) == (Tier.APPLY, plain.replace("DeskAi_", "DeskAI_"))
    tier, _ = suggested("prefix", "Steps have the prefix `DeskAi_`, as in `DeskAi_First`.")
    assert tier is Tier.ASK


def test_a_path_stays_relative_to_a_folder_whose_spelling_changed(tmp_path: Path) -> None:
    table = "".join(f"export const row{number} = {number};\n" for number in range(12))
    claim = "The table is in `src/Desk.Ai/table.ts`."
    before = {"Desk.Ai/CLAUDE.md": f"# Desk\n\n- {claim}\n", "Desk.Ai/src/Desk.Ai/table.ts": table}
    after: Files = {
        **dict.fromkeys(before, None),
        "Desk.AI/CLAUDE.md": before["Desk.Ai/CLAUDE.md"],
        "Desk.AI/src/Desk.AI/table.ts": table,
    }
    ((_, judgement),) = judged(tmp_path / "desk", before, after, old_store=True)
    assert judgement.suggestion is not None
    assert judgement.suggestion.text == "The table is in `src/Desk.AI/table.ts`."
