import Foundation
package import UnderstudyHTTP
package import UnderstudyPostgreSQL

/// The rows that a statement of Swift code concerns.
package indirect enum DatabaseFilter: Sendable {
  case all
  case equals(String, ColumnValue)
  case among(String, [ColumnValue])
  case and([DatabaseFilter])

  fileprivate var condition: SQLExpression? {
    switch self {
    case .all: nil
    case .equals(let column, let value): .infix("=", .name([column]), value.expression)
    case .among(let column, let values): .inList(.name([column]), values.map(\.expression), negated: false)
    case .and(let filters): .and(filters.compactMap(\.condition))
    }
  }
}

/// A key by which rows are sorted.
package struct DatabaseOrdering: Sendable {
  let column: String
  let isAscending: Bool

  package static func ascending(_ column: String) -> Self { Self(column: column, isAscending: true) }
  package static func descending(_ column: String) -> Self { Self(column: column, isAscending: false) }
}

extension InMemoryDatabase {
  /// Inserts all rows or no rows.
  ///
  /// - Parameters:
  ///   - rows: The rows, each encoded as a JSON object whose members are columns. A column without a member has its
  ///     default. Dates are encoded as ISO 8601.
  ///   - table: The name of the table.
  ///   - role: The role of the statement. The policies of the table apply to all roles except `.service`.
  /// - Throws: `EncodingError`, or ``PostgRESTError`` for a row that the table refuses.
  public func insert(rows: [some Encodable], into table: String, as role: DatabaseRole = .service) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    let objects = try rows.map { try JSONValue(parsing: encoder.encode($0)) }
    let name = Self.name(table)
    try transaction(as: role, .write, subject: (.insert, table)) { (session) throws(PostgRESTError) in
      let described = try session.table(name)
      for object in objects {
        guard case .object(let members) = object else {
          throw PostgRESTError(code: "PGRST102", message: "A row must be encoded as an object.")
        }
        let columns = members.map(\.name)
        let values = members.map { member in
          let type = described.column(member.name).map { described.columns[$0].type }
          return SQLExpression(json: member.value, for: type ?? .text)
        }
        let source: Insert.Source = columns.isEmpty ? .defaultValues : .query(Query(.values([values])))
        try session.result(of: .insert(Insert(into: name, columns: columns, source)))
      }
    }
  }

  /// Returns the rows of a table, in the order of their insertion.
  ///
  /// - Parameters:
  ///   - type: The type of a row, decoded from a JSON object whose members are all columns. Dates are decoded from ISO
  ///     8601, with or without fractions of a second.
  ///   - table: The name of the table.
  ///   - role: The role of the statement. The policies of the table apply to all roles except `.service`.
  /// - Throws: `DecodingError`, or ``PostgRESTError``.
  public func rows<Row: Decodable>(
    of type: Row.Type = Row.self, in table: String, as role: DatabaseRole = .service
  ) throws -> [Row] {
    let name = Self.name(table)
    let json: Data = try transaction(as: role, .read, subject: (.select, table)) {
      (session) throws(PostgRESTError) in
      let row = SQLExpression.call(Call(QualifiedName("json_agg"), [Call.Argument(.name(["row"]))]))
      let query = Query(
        .select(Select([Select.Item(row)], from: [.table(name, TableAlias("row"))])))
      guard case .json(let text)? = try session.result(of: .query(query)).rows.first?.first else {
        return Data("[]".utf8)
      }
      return Data(text.utf8)
    }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try decoder.singleValueContainer().decode(String.self)
      guard let timestamp = try? Timestamp(text) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "\(text) is not a date and a time."))
      }
      return timestamp.date
    }
    return try decoder.decode([Row].self, from: json)
  }

  /// `auth.users` as a name with its schema.
  ///
  /// Without one a table is in `public`.
  static func name(_ table: String) -> QualifiedName {
    let parts = table.split(separator: ".", maxSplits: 1).map(String.init)
    return parts.count == 2
      ? QualifiedName(schema: parts[0], parts[1]) : QualifiedName(schema: "public", table)
  }

  /// Inserts a row and returns the stored row.
  ///
  /// - Throws: 42703, 42501, 23502, 23514, 23505, 23503, or class 22 for a value that is invalid for its
  ///   column's type.
  @discardableResult
  package func insert(
    _ row: [String: ColumnValue], into table: String, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> DatabaseRow {
    let rows = try insert([row], into: table, as: role)
    guard let row = rows.first else { throw .notSingular(rows: 0) }
    return row
  }

  /// Inserts all rows or no rows, and returns the stored rows.
  ///
  /// - Throws: The errors of inserting one row.
  @discardableResult
  package func insert(
    _ rows: [[String: ColumnValue]], into table: String, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try transaction(as: role, .write, subject: (.insert, table)) { (session) throws(PostgRESTError) in
      var stored: [DatabaseRow] = []
      for row in rows { stored += try session.insert(row, into: Self.name(table)) }
      return stored
    }
  }

  /// Inserts rows, or updates the existing rows with the same key.
  ///
  /// - Parameter columns: The columns of the primary key, or of another unique set.
  /// - Throws: The errors of an insert, 42P10 and 21000.
  @discardableResult
  package func upsert(
    _ rows: [[String: ColumnValue]], into table: String, onConflict columns: [String],
    as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try transaction(as: role, .write, subject: (.insert, table)) { (session) throws(PostgRESTError) in
      var stored: [DatabaseRow] = []
      for row in rows { stored += try session.insert(row, into: Self.name(table), onConflict: columns) }
      return stored
    }
  }

  /// Tries an insert or an upsert, and changes nothing.
  ///
  /// - Throws: What the statement would throw. Without `columns` the row need not be visible to the role.
  func tryInsert(
    _ row: [String: ColumnValue], into table: String, onConflict columns: [String]?, as role: DatabaseRole
  ) throws(PostgRESTError) {
    try transaction(as: role, .trial, subject: (.insert, table)) { (session) throws(PostgRESTError) in
      let name = Self.name(table)
      try session.result(
        of: .insert(Session.insertion(row, name, onConflict: columns, returns: columns != nil)))
    }
  }

  /// Returns the rows that the role may see and the filter matches.
  ///
  /// - Parameter orderings: Rows that are equal in all of them are in the order of their insertion.
  /// - Throws: 42703, or class 22 for a value in the filter.
  package func select(
    from table: String, where filter: DatabaseFilter = .all, orderedBy orderings: [DatabaseOrdering] = [],
    limit: Int? = nil, offset: Int = 0, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    let name = Self.name(table)
    let query = Query(
      .select(Select([Select.Item(.wildcard([]))], from: [.table(name, nil)], where: filter.condition)),
      order: orderings.map { SortKey(.name([$0.column]), isDescending: !$0.isAscending) },
      limit: limit.map { .number(String($0)) }, offset: offset > 0 ? .number(String(offset)) : nil)
    return try transaction(as: role, .read, subject: (.select, table)) { (session) throws(PostgRESTError) in
      try session.rows(of: .query(query), in: name)
    }
  }

  /// Updates the rows that the role may change and the filter matches, and returns the stored rows.
  ///
  /// - Throws: The errors of an insert.
  @discardableResult
  package func update(
    _ table: String, set values: [String: ColumnValue], where filter: DatabaseFilter,
    as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    let name = Self.name(table)
    let assignments = values.sorted { $0.key < $1.key }.map { Assignment([$0.key], $0.value.expression) }
    guard !assignments.isEmpty else { return [] }
    let update = Update(
      name, set: assignments, where: filter.condition, returning: [Select.Item(.wildcard([]))])
    return try transaction(as: role, .write, subject: (.update, table)) { (session) throws(PostgRESTError) in
      try session.rows(of: .update(update), in: name)
    }
  }

  /// Deletes the rows that the role may delete and the filter matches, and returns them.
  ///
  /// - Throws: 23503 if another row refers to one of them and its foreign key has no action; 42703.
  @discardableResult
  package func delete(
    from table: String, where filter: DatabaseFilter, as role: DatabaseRole = .service
  ) throws(PostgRESTError) -> [DatabaseRow] {
    let name = Self.name(table)
    let delete = Delete(from: name, where: filter.condition, returning: [Select.Item(.wildcard([]))])
    return try transaction(as: role, .write, subject: (.delete, table)) { (session) throws(PostgRESTError) in
      try session.rows(of: .delete(delete), in: name)
    }
  }
}

extension Session {
  /// - Throws: 42P01.
  func table(_ name: QualifiedName) throws(PostgRESTError) -> Table {
    do throws(PostgreSQLError) {
      return try state.catalogue.table(name, [])
    } catch {
      throw PostgRESTError(error)
    }
  }

  fileprivate func rows(of statement: DataStatement, in name: QualifiedName) throws(PostgRESTError)
    -> [DatabaseRow]
  {
    let table = try table(name)
    return try result(of: statement).rows.map { DatabaseRow(table, $0) }
  }

  fileprivate func insert(
    _ row: [String: ColumnValue], into name: QualifiedName, onConflict columns: [String]? = nil
  ) throws(PostgRESTError) -> [DatabaseRow] {
    try rows(of: .insert(Self.insertion(row, name, onConflict: columns, returns: true)), in: name)
  }

  fileprivate static func insertion(
    _ row: [String: ColumnValue], _ name: QualifiedName, onConflict columns: [String]?, returns: Bool
  ) -> Insert {
    let members = row.sorted { $0.key < $1.key }
    let source: Insert.Source =
      members.isEmpty ? .defaultValues : .query(Query(.values([members.map(\.value.expression)])))
    let conflict = columns.map { columns in
      Insert.Conflict(
        target: .keys(columns.map { .name([$0]) }, where: nil),
        .update(members.map { Assignment([$0.key], .name(["excluded", $0.key])) }, where: nil))
    }
    return Insert(
      into: name, columns: members.map(\.key), source, conflict: conflict,
      returning: returns ? [Select.Item(.wildcard([]))] : [])
  }
}

extension SQLExpression {
  /// A value of JSON for a column, as `json_populate_record` reads it.
  package init(json: JSONValue, for type: DataType) {
    switch (json, type) {
    case (.null, _): self = .null
    case (_, .json), (_, .jsonb): self = .string(json.compactText)
    case (.string(let text), _): self = .string(text)
    case (.number(let digits), _): self = .string(digits)
    case (.boolean(let value), _): self = .string(value ? "true" : "false")
    case (.array(let elements), .array(let element)):
      self = .string(Self.arrayText(elements, element))
    default: self = .string(json.compactText)
    }
  }

  private static func arrayText(_ elements: [JSONValue], _ type: DataType) -> String {
    let texts = elements.map { element -> String in
      switch element {
      case .null: return "NULL"
      case .array(let inner): return arrayText(inner, type)
      default:
        guard case .string(let text) = SQLExpression(json: element, for: type) else { return "NULL" }
        return ArrayText.quoted(text)
      }
    }
    return "{" + texts.joined(separator: ",") + "}"
  }
}

extension Catalogue {
  /// The tables of the publication that Realtime follows, in the order of their names.
  var publishedTables: [Table] {
    let all = tables.values.filter { if case .table = $0.kind { true } else { false } }
      .sorted { $0.name.description < $1.name.description }
    switch publications["supabase_realtime"] {
    case .all: return all.filter { $0.name.schema == "public" }
    case .tables(let names): return all.filter { names.contains($0.name) }
    case nil: return []
    }
  }
}
