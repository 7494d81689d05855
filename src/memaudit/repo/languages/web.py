"""Definitions in JavaScript and TypeScript."""

_BOTH = """
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: (property_identifier) @name) @method
(method_definition name: (private_property_identifier) @name) @method
(variable_declarator name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(lexical_declaration kind: "const" (variable_declarator name: (identifier) @name) @constant)
(variable_declarator name: (identifier) @name) @variable
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @method
(pair key: (property_identifier) @name) @key
(pair key: (string (string_fragment) @name)) @key
((assignment_expression left: (member_expression object: (_) @_object property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)]) @function
  (#match? @_object "^(module[.])?exports$"))
((assignment_expression
  left: (member_expression object: (_) @_object property: (property_identifier) @name)) @constant
  (#match? @_object "^(module[.])?exports$"))
(assignment_expression left: (member_expression object: (this) property: (property_identifier) @name)) @own
"""

JAVASCRIPT = (
    _BOTH
    + """
(class_declaration name: (identifier) @name) @class
(field_definition property: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @method
(field_definition property: [(property_identifier) (private_property_identifier)] @name) @attribute
"""
)

TYPESCRIPT = (
    _BOTH
    + """
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(enum_body name: (property_identifier) @name @member)
(enum_assignment name: (property_identifier) @name) @member
(internal_module name: (identifier) @name) @namespace
(module name: (identifier) @name) @namespace
(function_signature name: (identifier) @name) @function
(method_signature name: (property_identifier) @name) @method
(abstract_method_signature name: (property_identifier) @name) @method
(property_signature name: (property_identifier) @name) @attribute
(public_field_definition name: (property_identifier) @name
  value: [(arrow_function) (function_expression)]) @method
(public_field_definition name: [(property_identifier) (private_property_identifier)] @name) @attribute
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @own
"""
)
