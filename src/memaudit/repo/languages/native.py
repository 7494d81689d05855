"""Definitions in Go, Rust and Swift."""

GO = """
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @receiver))
  name: (field_identifier) @name) @method
(type_spec name: (type_identifier) @name type: (struct_type)) @struct
(type_spec name: (type_identifier) @name type: (interface_type)) @interface
(type_spec name: (type_identifier) @name) @type
(type_alias name: (type_identifier) @name) @type
(field_declaration name: (field_identifier) @name) @attribute
(method_elem name: (field_identifier) @name) @method
(const_spec name: (identifier) @name) @constant
(var_spec name: (identifier) @name) @variable
"""

RUST = """
(function_item name: (identifier) @name) @function
(function_signature_item name: (identifier) @name) @function
(struct_item name: (type_identifier) @name) @struct
(union_item name: (type_identifier) @name) @struct
(enum_item name: (type_identifier) @name) @enum
(enum_variant name: (identifier) @name) @member
(trait_item name: (type_identifier) @name) @trait
(impl_item type: (_) @name) @impl
(mod_item name: (identifier) @name) @module
(const_item name: (identifier) @name) @constant
(static_item name: (identifier) @name) @constant
(type_item name: (type_identifier) @name) @type
(associated_type name: (type_identifier) @name) @type
(macro_definition name: (identifier) @name) @macro
(field_declaration name: (field_identifier) @name) @attribute
"""

SWIFT = """
(class_declaration declaration_kind: "class") @class
(class_declaration declaration_kind: "actor") @class
(class_declaration declaration_kind: "struct") @struct
(class_declaration declaration_kind: "enum") @enum
(class_declaration declaration_kind: "extension") @impl
(protocol_declaration) @interface
(function_declaration) @function
(protocol_function_declaration) @method
(init_declaration) @method
(property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @attribute
(enum_entry name: (simple_identifier) @name) @member
(typealias_declaration) @type
(associatedtype_declaration) @type
(macro_declaration (simple_identifier) @name) @macro
[(computed_property) (lambda_literal) (subscript_declaration) (deinit_declaration)] @body
"""
