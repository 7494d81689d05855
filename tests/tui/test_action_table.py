"""The one table of actions: no clashes, and every action is done somewhere."""

from __future__ import annotations

import pytest

from memaudit.tui.actions import ACTIONS, Scope, of_scope
from memaudit.tui.claim_list import ClaimList
from memaudit.tui.dialogs.rewrite import Rewrite
from memaudit.tui.review_screen import ReviewScreen
from memaudit.tui.split_diff import SplitDiff


@pytest.mark.parametrize("scope", list(Scope))
def test_a_key_does_one_thing_in_its_scope(scope: Scope) -> None:
    keys = [key for action in of_scope(scope) for key in action.keys]
    assert len(keys) == len(set(keys))
    ids = [action.id for action in of_scope(scope)]
    assert len(ids) == len(set(ids))


def test_keys_of_the_list_hide_none_of_the_review() -> None:
    review = {key for action in of_scope(Scope.REVIEW) for key in action.keys}
    assert not review & {key for action in of_scope(Scope.LIST) for key in action.keys}


@pytest.mark.parametrize(
    ("scope", "place"), [(Scope.LIST, ClaimList), (Scope.DIFF, SplitDiff), (Scope.REWRITE, Rewrite)]
)
def test_every_action_of_a_widget_is_done_by_it(scope: Scope, place: type) -> None:
    for action in of_scope(scope):
        assert callable(getattr(place, f"action_{action.id}")), action.id


def test_every_action_of_the_review_is_done_by_the_screen() -> None:
    for action in of_scope(Scope.REVIEW):
        assert callable(getattr(ReviewScreen, action.handler)), action.id


def test_no_key_is_one_that_terminals_keep_for_themselves() -> None:
    kept = {"ctrl+s", "ctrl+z", "ctrl+backslash", "ctrl+space", "ctrl+q"}
    alone = [action.id for action in ACTIONS if set(action.keys) <= kept]
    assert not alone
