extension PostgreSQLError {
  /// The code of a condition's name (PostgreSQL documentation, appendix A).
  static func code(named name: String) -> String? { codes[name.lowercased()] }

  /// Whether `EXCEPTION WHEN` with a name or a code catches the error.
  func isNamed(_ condition: String) -> Bool {
    let condition = condition.lowercased()
    // `others` does not catch a cancelled query or a failed assertion (43.6.8), nor what only the engine refuses.
    if condition == "others" {
      return !["57014", "P0004", PostgreSQLError.notSupportedCode].contains(code)
    }
    guard let named = Self.codes[condition] else { return code == condition.uppercased() }
    // The name of a class stands for all of it.
    return named == code || named.hasSuffix("000") && named.prefix(2) == code.prefix(2)
  }

  private static let codes: [String: String] = [
    "successful_completion": "00000", "warning": "01000", "no_data": "02000",
    "connection_exception": "08000", "feature_not_supported": "0A000", "case_not_found": "20000",
    "cardinality_violation": "21000", "data_exception": "22000", "array_subscript_error": "2202E",
    "character_not_in_repertoire": "22021", "datetime_field_overflow": "22008", "division_by_zero": "22012",
    "error_in_assignment": "22005", "invalid_datetime_format": "22007", "invalid_escape_sequence": "22025",
    "invalid_parameter_value": "22023", "invalid_regular_expression": "2201B",
    "invalid_text_representation": "22P02", "null_value_not_allowed": "22004",
    "numeric_value_out_of_range": "22003", "string_data_right_truncation": "22001",
    "substring_error": "22011",
    "invalid_json_text": "22032", "integrity_constraint_violation": "23000", "restrict_violation": "23001",
    "not_null_violation": "23502", "foreign_key_violation": "23503", "unique_violation": "23505",
    "check_violation": "23514", "exclusion_violation": "23P01", "invalid_cursor_state": "24000",
    "invalid_transaction_state": "25000", "read_only_sql_transaction": "25006",
    "invalid_authorization_specification": "28000", "invalid_password": "28P01",
    "sql_routine_exception": "2F000",
    "invalid_cursor_name": "34000", "invalid_schema_name": "3F000", "transaction_rollback": "40000",
    "serialization_failure": "40001", "deadlock_detected": "40P01",
    "syntax_error_or_access_rule_violation": "42000", "syntax_error": "42601",
    "insufficient_privilege": "42501",
    "cannot_coerce": "42846", "grouping_error": "42803", "invalid_foreign_key": "42830",
    "name_too_long": "42622",
    "datatype_mismatch": "42804", "wrong_object_type": "42809", "undefined_column": "42703",
    "undefined_function": "42883", "undefined_table": "42P01", "undefined_parameter": "42P02",
    "undefined_object": "42704", "duplicate_column": "42701", "duplicate_database": "42P04",
    "duplicate_function": "42723", "duplicate_schema": "42P06", "duplicate_table": "42P07",
    "duplicate_alias": "42712", "duplicate_object": "42710", "ambiguous_column": "42702",
    "ambiguous_function": "42725", "invalid_column_reference": "42P10", "invalid_table_definition": "42P16",
    "with_check_option_violation": "44000", "insufficient_resources": "53000",
    "program_limit_exceeded": "54000",
    "object_not_in_prerequisite_state": "55000", "object_in_use": "55006", "lock_not_available": "55P03",
    "operator_intervention": "57000", "query_canceled": "57014", "system_error": "58000",
    "plpgsql_error": "P0000", "raise_exception": "P0001", "no_data_found": "P0002", "too_many_rows": "P0003",
    "assert_failure": "P0004", "internal_error": "XX000",
  ]
}
