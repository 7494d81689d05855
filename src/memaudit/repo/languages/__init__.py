"""What counts as a definition in each language that is parsed, as queries over its syntax.

In a query one capture is both the defining node and the kind of the definition. ``@name`` is the defined
name; a pattern without it leaves the name to the module's ``named``, which takes the field that the
grammar calls so. Patterns without children cost nothing to compile, nested ones up to 50 ms each. Captures
that begin with ``_`` serve the conditions only. Where two patterns match the same name the one that stands
first counts.

What stands behind a dot is no part of the kind: ``.leaf`` opens no scope, ``.outer`` counts only outside
of functions, ``.rest`` goes on to the next one or to the end of the file. Some kinds only help to
qualify names or to leave them out: ``impl`` opens a scope without defining anything, ``own`` is an
attribute set on the object inside a method, ``receiver`` the type that a function belongs to,
``constructor`` counts only with an owner, ``body`` is code whose variables are locals, ``nothing`` is
left out.
"""
