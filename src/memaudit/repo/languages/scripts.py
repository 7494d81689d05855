"""Definitions in Python, PHP and shell scripts."""

PYTHON = """
(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(type_alias_statement left: (type (identifier) @name)) @type
(assignment left: (identifier) @name) @variable
(assignment left: (pattern_list (identifier) @name)) @variable
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)) @own
  (#eq? @_self "self"))
"""

PHP = """
(namespace_definition body: (_)) @namespace
(namespace_definition) @namespace.rest
(class_declaration) @class
(interface_declaration) @interface
(trait_declaration) @trait
(enum_declaration) @enum
(enum_case) @member
(function_definition) @function
(method_declaration) @method
(const_declaration (const_element . (name) @name)) @constant
(property_declaration (property_element name: (variable_name (name) @name))) @attribute
(property_promotion_parameter name: (variable_name (name) @name)) @own
((function_call_expression function: (name) @_call arguments: (arguments
    . (argument (string (string_content) @name)))) @constant
  (#eq? @_call "define"))
"""

BASH = """
(function_definition) @function
(command (variable_assignment name: (variable_name) @name)) @nothing
(declaration_command (variable_assignment name: (variable_name) @name)) @variable
(declaration_command (variable_name) @name) @variable
(variable_assignment name: (variable_name) @name) @variable
"""
