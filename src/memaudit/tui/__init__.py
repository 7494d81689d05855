"""The screen. The only package that imports Textual; it holds no logic the command line lacks."""
