extension Functions {
  /// Functions about the session and the objects of the database (PostgreSQL documentation, 9.26).
  static let catalogue: [Function] = [
    Function(
      "current_user", [], returns: .name, .stable, .scalar { _, context in .text(context.currentUser) }),
    Function(
      "current_role", [], returns: .name, .stable, .scalar { _, context in .text(context.currentUser) }),
    Function("user", [], returns: .name, .stable, .scalar { _, context in .text(context.currentUser) }),
    // The API signs in as one user and then takes a role.
    Function("session_user", [], returns: .name, .stable, .scalar { _, _ in .text("authenticator") }),
    Function("current_schema", [], returns: .name, .stable, .scalar { _, _ in .text("public") }),
    Function("current_database", [], returns: .name, .stable, .scalar { _, _ in .text("postgres") }),
    Function("current_catalog", [], returns: .name, .stable, .scalar { _, _ in .text("postgres") }),
    Function("version", [], returns: .text, .stable, .scalar { _, _ in .text("PostgreSQL 15.8") }),
    Function("pg_backend_pid", [], returns: .integer, .stable, .scalar { _, _ in .integer(1) }),
    Function("txid_current", [], returns: .bigint, .stable, .scalar { _, _ in .integer(1) }),
    Function("pg_notify", [.text, .text], returns: .void, .volatile, .scalar { _, _ in .null }),
    Function("pg_advisory_xact_lock", [.bigint], returns: .void, .volatile, .scalar { _, _ in .null }),
    Function("pg_advisory_lock", [.bigint], returns: .void, .volatile, .scalar { _, _ in .null }),
    Function(
      "pg_advisory_unlock", [.bigint], returns: .boolean, .volatile, .scalar { _, _ in .boolean(true) }),
    Function(
      "pg_try_advisory_xact_lock", [.bigint], returns: .boolean, .volatile, .scalar { _, _ in .boolean(true) }
    ),
    Function(
      "hashtext", [.text], returns: .integer,
      .scalar { arguments, _ in
        guard case .text(let text) = arguments[0] else { return .null }
        // A number of its own for each text is all that advisory locks need.
        return .integer(Int64(Int32(truncatingIfNeeded: text.utf8.reduce(5381) { $0 &* 33 &+ Int($1) })))
      }),
    Function(
      "obj_description", [.text, .name], optional: 1, returns: .text, .stable, .scalar { _, _ in .null }),
    Function("col_description", [.text, .integer], returns: .text, .stable, .scalar { _, _ in .null }),
  ]
}
