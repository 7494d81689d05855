"""Which keys do what: those of the table of actions, with the user's own in their place."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.keys import Keys, _character_to_key

from memaudit.errors import SettingsError
from memaudit.settings import KEYBOARD, Settings
from memaudit.tui.actions import ACTIONS, Action, Scope, shown_key

if TYPE_CHECKING:
    from textual.dom import DOMNode

WAY_OUT = "ctrl+c"
"""Leaves when it is pressed twice, whatever else is set."""

_ALSO = {
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "del": "delete",
    "ins": "insert",
    "↓": "down",
    "↑": "up",
    "←": "left",
    "→": "right",
}
"""Names of keys as the screen shows them, and as Textual has them."""

_MODIFIERS = ("ctrl+", "alt+", "shift+")
_NAMED = frozenset(key.value for key in Keys if key.value.replace("+", "").isalnum())


class Keymap:
    """The keys of every action. ``changed`` holds other keys than the table's, by the id of the action.

    Actions of the same id in several scopes have the same keys everywhere.
    """

    def __init__(self, changed: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self._changed = dict(changed or {})

    @classmethod
    def of(cls, settings: Settings) -> Keymap:
        """The keys that the settings ask for. Raises SettingsError naming the file and the key."""
        where = str(settings.file) if settings.file else "settings.toml"
        changed: dict[str, tuple[str, ...]] = {}
        for action_id, keys in settings.keyboard.items():
            changed[action_id] = _checked(action_id, keys, where)
        keymap = cls(changed)
        for scope in Scope:
            keymap.refuse_clashes(scope, where)
        return keymap

    def keys(self, action: Action) -> tuple[str, ...]:
        """The keys of an action, as Textual names them; the first one is shown where only one has room."""
        return self._changed.get(action.id, action.keys)

    def shown(self, action: Action) -> str:
        """All keys of an action as a person reads them."""
        return " ".join(shown_key(key) for key in self.keys(action))

    def first(self, action: Action) -> str:
        """The first key of an action as a person reads it."""
        return shown_key(self.keys(action)[0])

    def key(self, action_id: str) -> str:
        """The first key of the action with this id, for a sentence that names it."""
        return self.first(next(action for action in ACTIONS if action.id == action_id))

    def say(self, sentence: str) -> str:
        """A sentence of ours with the ids of actions in braces, like ``{undo} takes it back``, made readable.

        Text that is not ours is added after that: it may have braces too.
        """
        return sentence.format_map(_Keys(self))

    def for_textual(self) -> dict[str, str]:
        """What differs from the table, by id of the binding."""
        return {
            action.binding_id: ",".join(self._changed[action.id])
            for action in ACTIONS
            if action.id in self._changed
        }

    def refuse_clashes(self, scope: Scope, where: str) -> None:
        """Raise SettingsError when two actions that work at the same place have a key in common."""
        owners: dict[str, Action] = {}
        for action in _heard_with(scope):
            for key in self.keys(action):
                other = owners.setdefault(key, action)
                if other.id != action.id:
                    changed, kept = (action, other) if action.id in self._changed else (other, action)
                    raise SettingsError(
                        f"{KEYBOARD}.{changed.id} cannot be {shown_key(key)}, which is {kept.id}",
                        where,
                        f"give one of the two another key, like {kept.id} = …",
                    )


class _Keys(dict[str, str]):
    """The first key of each action by its id."""

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap

    def __missing__(self, action_id: str) -> str:
        return self._keymap.key(action_id)


DEFAULT = Keymap()


def keymap_of(node: DOMNode) -> Keymap:
    """The keys in effect where a widget or screen runs."""
    return getattr(node.app, "keymap", DEFAULT)


def press_key(node: DOMNode, key: str) -> None:
    """Do what the key does, as if it had been pressed.

    The program sends it, so that it goes all the way up: a screen does not pass on what it sent itself.
    """
    node.app.call_later(node.app.simulate_key, key)


def _heard_with(scope: Scope) -> list[Action]:
    """The actions whose keys must differ from each other for those of ``scope`` to be heard.

    The list and the review are one place. A comparison or the editor has its own keys, which come before
    those of the review while it has the focus. The editor is a dialog, which has no other side to go to.
    """
    together = {scope, Scope.ANYWHERE}
    if scope in (Scope.REVIEW, Scope.LIST):
        together |= {Scope.REVIEW, Scope.LIST}
    silent = {"switch"} if scope is Scope.REWRITE else set()
    return [action for action in ACTIONS if action.scope in together and action.id not in silent]


def _checked(action_id: str, keys: tuple[str, ...], where: str) -> tuple[str, ...]:
    actions = [action for action in ACTIONS if action.id == action_id]
    if not actions:
        ids = list(dict.fromkeys(action.id for action in ACTIONS))
        near = difflib.get_close_matches(action_id, ids, n=1)
        fix = f"did you mean {near[0]}?" if near else "docs/keys.md lists the actions"
        raise SettingsError(f"{KEYBOARD} has an unknown action {action_id}", where, fix)
    named = f"{KEYBOARD}.{action_id}"
    if WAY_OUT in actions[0].keys:
        raise SettingsError(f"{named} cannot be changed", where, "^c twice is the way out of everything")
    found = []
    for written in keys:
        key = key_named(written)
        if key is None:
            near = difflib.get_close_matches(written.lower(), [*_NAMED, *_ALSO], n=1)
            fix = (
                f"did you mean {near[0]}?"
                if near
                else 'a character like "a", or a name like "f2" or "ctrl+e"'
            )
            raise SettingsError(f"{named} has an unknown key {written}", where, fix)
        if key == WAY_OUT:
            raise SettingsError(f"{named} cannot be ^c", where, "^c twice is the way out of everything")
        if is_typed(key) and any(action.scope is Scope.REWRITE for action in actions):
            raise SettingsError(
                f"{named} cannot be {written}, which is typed", where, 'like "ctrl+e" or "f2"'
            )
        found.append(key)
    return tuple(dict.fromkeys(found))


def key_named(written: str) -> str | None:
    """Textual's name of a key as people write it (``a``, ``?``, ``^e``, ``Ctrl+E``, ``esc``), else None."""
    if len(written) == 1:
        return _ALSO.get(written) or (_character_to_key(written) if written.isprintable() else None)
    name = written.lower()
    if len(name) == 2 and name[0] == "^":
        name = f"ctrl+{name[1]}"
    name = _ALSO.get(name, name)
    if name in _NAMED or name in ("slash", "question_mark"):
        return name
    for modifier in _MODIFIERS:
        if name.startswith(modifier):
            rest = key_named(written[len(modifier) :] if modifier == "shift+" else name[len(modifier) :])
            if rest is None:
                return None
            return rest.upper() if modifier == "shift+" and len(rest) == 1 else f"{modifier}{rest}"
    return name if any(name in action.keys for action in ACTIONS) else None


def is_typed(key: str) -> bool:
    """Whether a text field takes the key for itself."""
    return key == "space" or (len(shown_key(key)) == 1 and key not in _ALSO.values())
