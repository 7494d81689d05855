"""The one table of what can be done: keys, names, help and the reason why not.

Bindings, footer, help screen, command palette and the table of keys in the documentation are all
made from :data:`ACTIONS`; an action that is not here has no key.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from textual.binding import Binding, BindingType
from textual.keys import key_to_character

from memaudit.tui.situation import (
    WhyNot,
    always,
    needs_acceptable,
    needs_check,
    needs_claim,
    needs_claim_or_fold,
    needs_commit,
    needs_contested,
    needs_draft,
    needs_editable,
    needs_evidence,
    needs_filter,
    needs_folds,
    needs_model,
    needs_no_marks,
    needs_redo,
    needs_rewrites,
    needs_single_claim,
    needs_suggestion,
    needs_takeable,
    needs_undo,
    needs_unsaved,
)


class Scope(enum.Enum):
    """Where the keys of an action work."""

    REVIEW = "Review"
    LIST = "Claims"
    DIFF = "Before and after"
    REWRITE = "While rewriting"
    ANYWHERE = "Anywhere"


@dataclass(frozen=True)
class Action:
    """One thing a person can do.

    ``keys`` are names as Textual spells them. ``handler`` is the method that does it, on the screen
    or on the widget of the scope. ``footer`` is the place in the footer's order of importance,
    0 for none there; a ``passing`` one is not even shown pale while it cannot be done.
    """

    id: str
    keys: tuple[str, ...]
    name: str
    help: str
    scope: Scope = Scope.REVIEW
    why_not: WhyNot = always
    footer: int = 0
    passing: bool = False

    @property
    def handler(self) -> str:
        """The name of the method that does it."""
        return f"do_{self.id}"

    @property
    def binding_id(self) -> str:
        """What its bindings are called, so that the user's keys can take the place of these."""
        return f"{self.scope.name.lower()}.{self.id}"


_SHOWN = {
    "slash": "/",
    "space": "space",
    "enter": "enter",
    "escape": "esc",
    "down": "↓",
    "up": "↑",
    "left": "←",
    "right": "→",
    "pageup": "pgup",
    "pagedown": "pgdn",
}


def shown_key(key: str) -> str:
    """One key as a person reads it: ``/`` for ``slash``, ``^p`` for ``ctrl+p``."""
    if key.startswith("ctrl+"):
        return f"^{key[5:]}"
    character = key_to_character(key)
    return _SHOWN.get(key) or (character if character and character.isprintable() else key)


ACTIONS: tuple[Action, ...] = (
    Action(
        "accept",
        ("a",),
        "Accept",
        "The claim holds: keep its words; on the folded line, all that is folded",
        why_not=needs_claim_or_fold,
        footer=1,
    ),
    Action("retire", ("r",), "Retire", "Take the claim out of its file", why_not=needs_editable, footer=2),
    Action(
        "rewrite",
        ("e",),
        "Rewrite",
        "Edit the claim, judged while you type",
        why_not=needs_no_marks,
        footer=3,
    ),
    Action(
        "take",
        ("t",),
        "Take",
        "Rewrite as suggested; a suggestion that does not hold opens in the editor",
        why_not=needs_suggestion,
        footer=4,
    ),
    Action(
        "take_all",
        ("P",),
        "Take all proved",
        "Take every proved suggestion of the current filter, after a look at them",
        why_not=needs_takeable,
        footer=5,
        passing=True,
    ),
    Action(
        "accept_held",
        ("A",),
        "Accept all held",
        "Accept every held claim of the current filter, after a look at them",
        why_not=needs_acceptable,
        footer=9,
        passing=True,
    ),
    Action(
        "undo",
        ("u",),
        "Undo",
        "Take the last step back, even one of an earlier sitting",
        why_not=needs_undo,
        footer=7,
    ),
    Action("redo", ("U",), "Redo", "Do the step again that was undone", why_not=needs_redo),
    Action(
        "choose",
        ("C",),
        "Choose",
        "Choose which of several people's decisions stands",
        why_not=needs_contested,
    ),
    Action("next", ("n",), "Next undecided", "Go to the next claim without a decision", footer=6),
    Action("save", ("s",), "Save", "Show the whole change, then write it", why_not=needs_unsaved, footer=8),
    Action("export", ("x",), "Export", "Write the cleaned store to another file"),
    Action(
        "search", ("slash",), "Search", "List only claims with these words, or words like them", footer=10
    ),
    Action(
        "filter",
        ("f",),
        "Filter",
        "List by verdict, origin, decision, kind, file, commit or its author",
        footer=11,
    ),
    Action("sort", ("S",), "Sort", "List in another order"),
    Action("show_all", ("F",), "Show all", "Clear search and filter", why_not=needs_filter),
    Action(
        "fold",
        ("full_stop",),
        "Rules and outside",
        "List or fold claims that no repository state can decide",
        why_not=needs_folds,
    ),
    Action("evidence", ("1",), "Evidence", "The code at base and at head"),
    Action("memory", ("2",), "Memory", "The document before and after your decisions"),
    Action("why", ("3",), "Why", "Reason, references, judge, confidence, cost"),
    Action("history", ("4",), "History", "Commits and decisions behind this claim"),
    Action(
        "next_evidence", ("right_square_bracket",), "Next evidence", "Show the claim's next piece of evidence"
    ),
    Action("previous_evidence", ("left_square_bracket",), "Previous evidence", "Show the one before"),
    Action("jump", ("semicolon",), "Jump", "Go to a row, tab or fold by typing the letter shown on it"),
    Action("toggle", ("d",), "Side by side", "Switch between side by side and one column"),
    Action("zoom", ("z",), "Zoom", "Give the right side the whole screen, and back", footer=12),
    Action("commit", ("c",), "Commit", "Read the commit that decides, whole", why_not=needs_commit),
    Action(
        "edit_memory",
        ("E",),
        "Edit memory file",
        "Open the claim's file in your editor, at its line",
        why_not=needs_single_claim,
    ),
    Action(
        "edit_evidence",
        ("O",),
        "Open evidence file",
        "Open the file that decides in your editor, at its line",
        why_not=needs_evidence,
    ),
    Action(
        "try_check",
        ("X",),
        "Run its check",
        "Run the test, snippet or command of the claim at base and head, after a look at it",
        why_not=needs_check,
        footer=5,
        passing=True,
    ),
    Action(
        "draft_check",
        ("D",),
        "Draft a check",
        "Have a model write a test of the claim, and run it at base and head, after a look at both",
        why_not=needs_draft,
    ),
    Action("copy", ("y",), "Copy", "Copy the claim, its evidence, commit or place", why_not=needs_claim),
    Action(
        "ask_model",
        ("v",),
        "Ask the model",
        "Show what a model would be asked about open claims at what price, and ask it; once more stops it",
        why_not=needs_model,
        footer=12,
        passing=True,
    ),
    Action(
        "draft_rewrites",
        ("W",),
        "Draft rewrites",
        "Have a model reword stale claims that have no proved suggestion, after a look; once more stops it",
        why_not=needs_rewrites,
    ),
    Action("reload", ("ctrl+r", "f5"), "Read again", "Read repository and memory again and judge anew"),
    Action("recap", ("H",), "Earlier reviews", "Who decided what before, and what came back"),
    Action("theme", ("T",), "Theme", "Choose another theme"),
    Action("settings", ("comma",), "Settings", "Show and change every setting and key"),
    Action("help", ("question_mark",), "All keys", "This overview", footer=13),
    Action("quit", ("q",), "Quit", "Leave; asks if something is not saved", footer=14),
    Action("down", ("j", "down"), "Down", "Next claim", Scope.LIST),
    Action("up", ("k", "up"), "Up", "Previous claim", Scope.LIST),
    Action("page_down", ("pagedown", "ctrl+d"), "Page down", "A screen further", Scope.LIST),
    Action("page_up", ("pageup", "ctrl+u"), "Page up", "A screen back", Scope.LIST),
    Action("first", ("g", "home"), "First", "First claim", Scope.LIST),
    Action("last", ("G", "end"), "Last", "Last claim", Scope.LIST),
    Action(
        "mark",
        ("space",),
        "Mark",
        "Mark the claim and go on; decisions then go to all marked ones",
        Scope.LIST,
    ),
    Action("mark_run", ("V",), "Mark up to here", "Mark from the claim marked last to this one", Scope.LIST),
    Action("mark_all", ("asterisk",), "Mark all", "Mark all claims of the filter, or none", Scope.LIST),
    Action("mark_others", ("i",), "Invert marks", "Mark what is not marked, unmark the rest", Scope.LIST),
    Action("open", ("enter",), "Look", "Go to the right side; on the folded line: open it", Scope.LIST),
    Action("peek_down", ("J", "shift+down"), "Scroll down", "Scroll the right side from here", Scope.LIST),
    Action("peek_up", ("K", "shift+up"), "Scroll up", "Scroll the right side from here", Scope.LIST),
    Action("scroll_down", ("j", "down"), "Down", "A line down", Scope.DIFF),
    Action("scroll_up", ("k", "up"), "Up", "A line up", Scope.DIFF),
    Action("page_down", ("pagedown", "ctrl+d"), "Page down", "A screen further", Scope.DIFF),
    Action("page_up", ("pageup", "ctrl+u"), "Page up", "A screen back", Scope.DIFF),
    Action("top", ("g", "home"), "Top", "First line", Scope.DIFF),
    Action("bottom", ("G", "end"), "Bottom", "Last line", Scope.DIFF),
    Action("left", ("h", "left"), "Left", "Scroll long lines to the left", Scope.DIFF),
    Action("right", ("l", "right"), "Right", "Scroll long lines to the right", Scope.DIFF),
    Action("next_hunk", ("n",), "Next change", "Go to the next changed lines", Scope.DIFF),
    Action("previous_hunk", ("p",), "Previous change", "Go to the changed lines before", Scope.DIFF),
    Action("deciding", ("m",), "Deciding line", "Go to the next line that decides the verdict", Scope.DIFF),
    Action("wrap", ("w",), "Wrap", "Wrap long lines, or scroll them sideways", Scope.DIFF),
    Action(
        "unfold", ("enter", "space"), "Open fold", "Show unchanged lines in view, or fold them", Scope.DIFF
    ),
    Action("keep", ("enter", "ctrl+s"), "Keep", "Keep the new text as your decision", Scope.REWRITE),
    Action("complete", ("tab",), "Complete", "Take the name that is offered", Scope.REWRITE),
    Action("next_name", ("ctrl+n",), "Next name", "Go to the next name that is offered", Scope.REWRITE),
    Action(
        "suggestion", ("ctrl+t",), "Other text", "Switch between suggestion, old and own text", Scope.REWRITE
    ),
    Action("switch", ("tab",), "Other side", "Switch between the list and the right side", Scope.ANYWHERE),
    Action("palette", ("ctrl+p",), "Commands", "Find any action by name", Scope.ANYWHERE),
    Action(
        "back", ("escape",), "Back", "Close, unmark, clear the search, go back to the list", Scope.ANYWHERE
    ),
    Action("leave", ("ctrl+c",), "Leave", "Twice: leave at once, from anywhere", Scope.ANYWHERE),
)


def bindings(scope: Scope) -> list[BindingType]:
    """The bindings of a widget whose methods ``action_<id>`` do the actions of ``scope``."""
    return [
        Binding(",".join(action.keys), action.id, action.name, show=False, id=action.binding_id)
        for action in ACTIONS
        if action.scope is scope
    ]


def review_bindings() -> list[BindingType]:
    """The bindings of the review screen: all go through one method that can say why not."""
    return [
        Binding(",".join(action.keys), f"act({action.id!r})", action.name, show=False, id=action.binding_id)
        for action in ACTIONS
        if action.scope is Scope.REVIEW
    ]


def of_scope(scope: Scope) -> Iterable[Action]:
    """The actions of one scope, in the order of the table."""
    return (action for action in ACTIONS if action.scope is scope)


def keys_table() -> str:
    """All keys as Markdown tables, one per scope, for the documentation."""
    lines: list[str] = []
    for scope in Scope:
        lines += [
            f"### {scope.value}",
            "",
            "| keys | action | what it does | id |",
            "| --- | --- | --- | --- |",
        ]
        for action in of_scope(scope):
            keys = " ".join(f"`{shown_key(key)}`" for key in action.keys)
            lines.append(f"| {keys} | {action.name} | {action.help} | `{action.id}` |")
        lines.append("")
    return "\n".join(lines)


DECIDING = frozenset({"accept", "retire", "rewrite", "take", "take_all", "accept_held", "undo", "redo"})
"""Ids of the actions that make or unmake decisions."""
