"""The command line: arguments in, exit codes and text out. What it does, the screen does the same way.

Exit codes: 0 nothing stale, 1 something stale (see ``--fail-on``), 2 it could not run.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from memaudit import __version__
from memaudit.errors import MemauditError, UsageError, WriteError
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.domain import AuditRequest
    from memaudit.settings import Settings
    from memaudit.settings_model import ModelSettings

_COMMANDS = ("check", "export", "stores", "log", "oracle", "key", "model", "demo")
_FAIL_ON = {"stale": ("stale",), "unknown": ("stale", "unknown"), "never": ()}


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line and exit code 2, like every other error here."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(visible(message), "", f"see {self.prog} --help")


def run(arguments: Sequence[str]) -> int:
    """Run memaudit; errors become one line on standard error and exit code 2."""
    try:
        if sys.stdout is None:
            raise WriteError("standard output is closed", "", "open it, or use --output")
        code = _run(list(arguments))
        sys.stdout.flush()
        return code
    except MemauditError as error:
        _complain(f"memaudit: {error.line()}")
        return 2
    except BrokenPipeError:
        # The reader of our output (head, less) has gone: nothing is wrong, and nothing more can be said.
        _drop_output()
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        # The last resort: scripts take exit code 1 for "something stale", so no fault may end with it.
        if os.environ.get("MEMAUDIT_DEBUG"):
            raise
        what = visible(f"{type(error).__name__}: {error}"[:300])
        _complain(f"memaudit: {what} (set MEMAUDIT_DEBUG=1 to see where, and please report it)")
        if isinstance(error, OSError):
            _drop_output()
        return 2


def _drop_output() -> None:
    """Send what is still to be written nowhere: Python would try again on leaving, with a code of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(line: str) -> None:
    if sys.stderr is not None:
        print(line.encode("utf-8", "backslashreplace").decode(), file=sys.stderr)


def _run(arguments: list[str]) -> int:
    command = arguments[0] if arguments and arguments[0] in _COMMANDS else None
    if command is None:
        from memaudit.settings import load_settings

        options = _main_parser().parse_args(arguments)
        settings = load_settings(options.config)
        return _screen(_request(options, options.path, settings.review_folder), settings, options.color)
    options = _command_parser(command).parse_args(arguments[1:])
    handlers = {
        "check": _check,
        "export": _export,
        "stores": _stores,
        "log": _log,
        "oracle": _oracle,
        "key": _key,
        "model": _model,
        "demo": _demo,
    }
    return handlers[command](options)


def _common(parser: argparse.ArgumentParser) -> None:
    _path_argument(parser)
    _audit_options(parser)


def _path_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        nargs="?",
        default=".",
        metavar="PATH",
        help="the repository: a work tree, a bare repository or a sub-folder (default: here)",
    )


def _audit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store",
        action="append",
        default=[],
        metavar="FILE_OR_DIR",
        help="audit this store only; may be given several times",
    )
    parser.add_argument("--store-at", metavar="REV", help="read the store as of this revision")
    parser.add_argument("--range", metavar="A..B", help="the change to judge against")
    parser.add_argument("--since", metavar="REV", help="the same as REV..head")
    parser.add_argument(
        "--head", metavar="REV|WORKTREE", help="where the range ends (default: the working tree)"
    )
    parser.add_argument("--judge", default="local", metavar="NAME", help="who judges: local (default)")


def _review_folder_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--review-folder",
        metavar="DIR",
        help="keep the review in this folder, together with others who do (default: the setting)",
    )


def _settings_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help="settings to use instead of the user's own"
    )


def _color_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--color",
        choices=("auto", "truecolor", "256", "ansi", "none"),
        help="colours of the screen (default: the setting, else what the terminal can do)",
    )


def _main_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="memaudit",
        description="Audit a coding agent's memory: given this change, does this one claim still hold?",
        epilog="commands: check (verdicts without the screen), export, stores, log, oracle, key, model, "
        "demo; each has --help. Without a command the screen opens on the repository at PATH.",
    )
    _color_option(parser)
    _settings_option(parser)
    _review_folder_option(parser)
    parser.add_argument("--version", "-V", action="version", version=f"memaudit {__version__}")
    _common(parser)
    return parser


def _command_parser(command: str) -> argparse.ArgumentParser:
    about = {
        "check": "Print a verdict for each claim. Exit 0: none stale, 1: some stale, 2: could not run.",
        "export": "Write the store as it is after your decisions, a report of the review, or a patch.",
        "stores": "List the memory stores found.",
        "log": "Tell what earlier audits found and people decided: since when, what was before, who, when.",
        "oracle": "Run the check that a claim carries at base and at head. Exit 0: not stale, 1: stale.",
        "key": "Keep the key of the model's server in the system's keyring. It is never printed.",
        "model": "Whether claims that stay open may be asked of a model, for this repository.",
        "demo": "Open the screen on a throw-away copy of the sample store.",
    }[command]
    parser = _Parser(prog=f"memaudit {command}", description=about)
    _settings_option(parser)
    if command == "demo":
        _color_option(parser)
        return parser
    if command == "log":
        _log_options(parser)
        return parser
    if command == "key":
        parser.add_argument("action", choices=("set", "status", "remove"), help="set reads standard input")
        return parser
    if command == "oracle":
        from memaudit import cli_oracle

        cli_oracle.add_options(parser)
    if command == "model":
        parser.add_argument(
            "action", choices=("on", "off", "status"), help="on shows what it will cost, and asks"
        )
        parser.add_argument("--yes", action="store_true", help="agree without being asked")
    _common(parser)
    if command == "check":
        parser.add_argument(
            "--format", choices=("text", "json", "jsonl"), default="text", help="default: text"
        )
        parser.add_argument(
            "--fail-on",
            choices=tuple(_FAIL_ON),
            default="stale",
            help="which verdicts give exit code 1 (default: stale)",
        )
        parser.add_argument("--output", metavar="FILE", help="write the report to FILE")
        parser.add_argument(
            "--all", action="store_true", help="list held and unknown claims too (text format)"
        )
        parser.add_argument(
            "--model", action="store_true", help="ask the model about claims that stay open, where it is on"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="with --model: print every request, and send none"
        )
    if command == "export":
        _review_folder_option(parser)
        parser.add_argument(
            "--to", required=True, metavar="FILE", help="where to write; - is standard output"
        )
        parser.add_argument(
            "--format",
            choices=("markdown", "json", "jsonl", "toml", "mcp", "report", "html", "patch"),
            default="markdown",
            help="the cleaned store (markdown, json, jsonl, toml, mcp), a report of the review with its"
            " evidence (report, html), or what a save would change (patch); default: markdown",
        )
        parser.add_argument("--force", action="store_true", help="replace a file that is there already")
    return parser


def _log_options(parser: argparse.ArgumentParser) -> None:
    _path_argument(parser)
    parser.add_argument(
        "--store",
        action="append",
        default=[],
        metavar="STORE",
        help="claims of this store, file or folder only; may be given several times",
    )
    parser.add_argument("--at", metavar="REV", help="what is valid at this revision (default: HEAD)")
    parser.add_argument(
        "--claim", metavar="ID|FILE:LINE", help="the history of one claim; the start of its id will do"
    )
    parser.add_argument("--format", choices=("text", "json", "jsonl"), default="text", help="default: text")
    parser.add_argument("--output", metavar="FILE", help="write it to FILE")


def _request(options: argparse.Namespace, path: str, review_folder: str = "") -> AuditRequest:
    """What was asked for; ``review_folder`` is that of the settings."""
    from memaudit.domain import AuditRequest

    given = getattr(options, "review_folder", None)

    return AuditRequest(
        path=Path(path),
        stores=tuple(options.store),
        store_at=options.store_at,
        range=options.range,
        since=options.since,
        head=options.head,
        judge=options.judge,
        review_folder=review_folder if given is None else given,
    )


def _check(options: argparse.Namespace) -> int:
    from memaudit.settings import load_settings

    settings = load_settings(options.config)
    request = _request(options, options.path)
    if options.dry_run:
        return _dry_run(request, settings, options)
    return _report(
        request,
        options.format,
        options.fail_on,
        options.output,
        everything=options.all,
        model=settings.model if options.model else None,
    )


def _dry_run(request: AuditRequest, settings: Settings, options: argparse.Namespace) -> int:
    if not options.model:
        raise UsageError("there is nothing to send", "--dry-run", "use it with --model")
    from memaudit import cli_model
    from memaudit.audit import Audit

    audit = Audit(request)
    _write(cli_model.dry_run(audit, settings.model, options.format), options.output)
    return 0


def _report(
    request: AuditRequest,
    form: str,
    fail_on: str,
    output: str | None,
    *,
    everything: bool = False,
    model: ModelSettings | None = None,
) -> int:
    """Judge, and print the report; with ``model`` what stays open is asked of it. Returns the exit code."""
    from memaudit import report, wire
    from memaudit.audit import Audit
    from memaudit.domain import Cost, summarise

    def told(line: str) -> None:
        _complain(f"memaudit: {visible(line)}")

    audit = Audit(request)
    cost = Cost()
    if model is None:
        judged = list(audit.run())
    else:
        from memaudit import cli_model

        judged, cost = cli_model.ask(audit, model, told)
    if audit.ledger_warning:
        told(audit.ledger_warning)
    order = {claim.id: place for place, claim in enumerate(audit.claims)}
    judged.sort(key=lambda pair: order[pair[0].id])
    summary = summarise(judgement for _, judgement in judged)
    if form == "json":
        value = wire.report_to_json(audit.repository.name, audit.range, audit.stores, judged, cost)
        text = wire.printable(json.dumps(value, ensure_ascii=False, indent=1))
    elif form == "jsonl":
        text = "\n".join(
            wire.printable(json.dumps(wire.claim_to_json(claim, judgement), ensure_ascii=False))
            for claim, judgement in judged
        )
    else:
        text = "\n".join(
            report.lines(audit.repository.name, audit.range, judged, summary, everything=everything)
        )
    root = audit.root
    memory = [root / one.path for store in audit.stores for one in store.documents] if root else []
    _write(text + "\n" if text else "", output, memory)
    failing = _FAIL_ON[fail_on]
    return int(any(judgement.verdict.value in failing for _, judgement in judged))


def _write(text: str, output: str | None, memory: Iterable[Path] = ()) -> None:
    data = text.encode("utf-8", "backslashreplace")
    if output in (None, "-"):
        sys.stdout.buffer.write(data)
        return
    from memaudit.outputs import refuse_to_write, write_output

    refuse_to_write(output, memory, replace=True)
    write_output(output, data)


def _export(options: argparse.Namespace) -> int:
    from memaudit import cli_export
    from memaudit.settings import load_settings

    settings = load_settings(options.config)
    request = _request(options, options.path, settings.review_folder)
    cli_export.export(
        request,
        settings,
        options.format,
        options.to,
        replace=options.force,
        told=lambda line: _complain(f"memaudit: {visible(line)}"),
    )
    return 0


def _stores(options: argparse.Namespace) -> int:
    from memaudit.audit import Audit

    audit = Audit(_request(options, options.path))
    for store in audit.stores:
        print(visible(f"{store.name}  ({store.format}, {store.scope})  {len(store.claims)} claims"))
        for document in store.documents:
            notes = [f"also {', '.join(document.aliases)}"] if document.aliases else []
            notes += [f"shadows {document.shadows} for Codex"] if document.shadows else []
            notes += [f"applies to {', '.join(document.scope)}"] if document.scope else []
            notes += list(document.warnings)
            note = f"  [{'; '.join(notes)}]" if notes else ""
            print(visible(f"  {document.path}  {len(document.claims)} claims{note}"))
    return 0


def _log(options: argparse.Namespace) -> int:
    from memaudit import cli_log
    from memaudit.settings import load_settings

    load_settings(options.config)
    text = cli_log.report(Path(options.path), options.store, options.at, options.claim, options.format)
    _write(text, options.output)
    return 0


def _oracle(options: argparse.Namespace) -> int:
    from memaudit import cli_oracle
    from memaudit.settings import load_settings

    load_settings(options.config)
    text, stale = cli_oracle.oracle(
        _request(options, options.path), options, lambda text: _complain(visible(text, keep_lines=True))
    )
    _write(text, None)
    return int(stale)


def _key(options: argparse.Namespace) -> int:
    from memaudit import cli_key
    from memaudit.settings import load_settings

    return cli_key.run(options.action, load_settings(options.config).model, lambda line: print(visible(line)))


def _model(options: argparse.Namespace) -> int:
    from memaudit import cli_model
    from memaudit.settings import load_settings

    def told(line: str) -> None:
        print(visible(line), flush=True)

    settings = load_settings(options.config)
    request = _request(options, options.path)
    return cli_model.run(options.action, request, settings, told, agreed=options.yes)


def _demo(options: argparse.Namespace) -> int:
    import tempfile

    from memaudit.demo import build_demo, changed_files
    from memaudit.domain import AuditRequest
    from memaudit.paths import STATE_VARIABLE
    from memaudit.settings import load_settings

    with tempfile.TemporaryDirectory(prefix="memaudit-demo-") as folder:
        # Nothing of a throw-away review stays behind, its journal and caches included.
        os.environ[STATE_VARIABLE] = str(Path(folder) / "state")
        root = build_demo(Path(folder) / "demo")
        code = _screen(AuditRequest(path=root), load_settings(options.config), options.color)
        if not _why_no_screen():
            saved = ", ".join(changed_files(root))
            what = f", and with it what you saved in {saved}" if saved else ""
            _complain(f"memaudit: the demo's copy of the sample project is removed{visible(what)}")
        return code


def _screen(request: AuditRequest, settings: Settings, color: str | None) -> int:
    """Open the screen; where there is no terminal for it, say so and print the report instead."""
    if reason := _why_no_screen():
        _complain(f"memaudit: {reason}: no screen, the report of memaudit check instead")
        return _report(request, "text", "stale", None)
    from memaudit.tui.app import run as run_screen

    return run_screen(request, settings=settings, color=color)


def _why_no_screen() -> str:
    """Why the screen cannot be shown here, or empty."""
    streams = {"standard input": sys.stdin, "standard output": sys.stdout, "standard error": sys.stderr}
    for name, stream in streams.items():
        if stream is None or not stream.isatty():
            return f"{name} is no terminal"
    return "TERM is dumb" if os.environ.get("TERM") == "dumb" else ""
