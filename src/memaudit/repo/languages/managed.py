"""Definitions in Java, Kotlin and C#."""

JAVA = """
(class_declaration) @class
(interface_declaration) @interface
(annotation_type_declaration) @interface
(enum_declaration) @enum
(record_declaration) @record
(enum_constant) @member
(method_declaration) @method
(annotation_type_element_declaration) @method
(constructor_declaration) @constructor
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (identifier) @name))
  @constant
(field_declaration (modifiers "final" "static") declarator: (variable_declarator name: (identifier) @name))
  @constant
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @attribute
(record_declaration parameters: (formal_parameters (formal_parameter name: (identifier) @name) @attribute))
"""

# A companion object is no scope of its own: what stands in it is named after its class.
KOTLIN = """
(class_declaration "interface") @interface
(class_declaration (modifiers (class_modifier "enum"))) @enum
(class_declaration) @class
(object_declaration) @class
(enum_entry (identifier) @name) @member
(function_declaration [(user_type) (nullable_type)] @receiver . name: (identifier) @name) @function
(function_declaration) @function
(type_alias type: (identifier) @name) @type
(class_parameter ["val" "var"] (identifier) @name) @attribute
(property_declaration (modifiers (property_modifier "const")) (variable_declaration (identifier) @name))
  @constant
(property_declaration [(user_type) (nullable_type)] @receiver . (variable_declaration (identifier) @name))
  @variable
(property_declaration (variable_declaration (identifier) @name)) @variable
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @name))) @variable
[(getter) (setter) (lambda_literal) (anonymous_initializer) (secondary_constructor)] @body
"""

CSHARP = """
(namespace_declaration) @namespace
(file_scoped_namespace_declaration) @namespace.rest
(class_declaration) @class
(interface_declaration) @interface
(struct_declaration) @struct
(record_declaration) @record
(enum_declaration) @enum
(enum_member_declaration) @member
(delegate_declaration) @type
(method_declaration) @method
(local_function_statement) @function
(constructor_declaration) @constructor
(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (identifier) @name)))
  @constant
(field_declaration (modifier "static") (modifier "readonly")
  (variable_declaration (variable_declarator name: (identifier) @name))) @constant
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @attribute
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @attribute
(event_declaration) @attribute
(property_declaration) @attribute
(record_declaration (parameter_list (parameter name: (identifier) @name) @attribute))
"""
