import UnderstudyHTTP

/// A reader of the statements of a schema, which collects its tables.
struct SchemaReader {
  var parser: SQLParser
  var tables: [TableDraft] = []
  /// The columns that each trigger function sets to `now()`.
  var triggerFunctions: [String: [String]] = [:]
  /// The names of constraints and indexes.
  var names = ConstraintNames()

  /// Creates a reader that knows the tables of Storage, to which a schema can add policies.
  init() {
    parser = SQLParser()
    tables = Self.draftsOfStorage
  }

  private init(tables: [TableDraft]) {
    parser = SQLParser()
    self.tables = tables
  }

  /// The buckets and the objects of Storage, with the columns that its migrations create.
  ///
  /// Both have row-level security and no policies, so that only the service role has access at first.
  static let draftsOfStorage: [TableDraft] = {
    var reader = SchemaReader(tables: [])
    do throws(SQLError) {
      _ = try reader.tables(
        of: """
          CREATE TABLE storage.buckets (
            id text PRIMARY KEY,
            name text NOT NULL UNIQUE,
            owner uuid,
            owner_id text,
            public boolean DEFAULT false,
            file_size_limit double precision,
            allowed_mime_types text[],
            created_at timestamptz DEFAULT now(),
            updated_at timestamptz DEFAULT now()
          );
          ALTER TABLE storage.buckets ENABLE ROW LEVEL SECURITY;
          CREATE TABLE storage.objects (
            id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
            bucket_id text REFERENCES storage.buckets (id),
            name text,
            owner uuid,
            owner_id text,
            version text,
            metadata jsonb,
            user_metadata jsonb,
            created_at timestamptz DEFAULT now(),
            updated_at timestamptz DEFAULT now(),
            last_accessed_at timestamptz DEFAULT now(),
            CONSTRAINT bucketid_objname UNIQUE (bucket_id, name)
          );
          ALTER TABLE storage.objects ENABLE ROW LEVEL SECURITY;
          """)
    } catch {
      preconditionFailure("The tables of Storage are valid: \(error)")
    }
    return reader.tables
  }()

  mutating func tables(of sql: String) throws(SQLError) -> [DatabaseTable] {
    var start = 0
    do throws(SQLProblem) {
      parser = try SQLParser(sql)
      while !parser.isAtEnd {
        start = parser.position
        if parser.skip(symbol: ";") { continue }
        try statement()
        guard parser.isAtEnd || parser.skip(symbol: ";") else {
          throw parser.unexpected("the end of the statement (;)")
        }
      }
      var finished: [DatabaseTable] = []
      for table in tables {
        start = table.start
        finished.append(table.table)
      }
      return finished
    } catch {
      let location = error.location
      let lines = sql.split(omittingEmptySubsequences: false) { $0.isNewline }
      throw SQLError(
        line: location.line, column: location.column, statement: parser.beginning(from: start),
        problem: error.problem, advice: error.advice,
        source: location.line <= lines.count ? String(lines[location.line - 1]) : "")
    }
  }

  /// The tables created so far, and the predefined ones.
  private var everyTable: [DatabaseTable] { [.users] + tables.map(\.table) }

  // MARK: Statements

  private mutating func statement() throws(SQLProblem) {
    let start = parser.location
    if parser.skip("create") { return try create(at: start) }
    if parser.skip("alter") { return try alter(at: start) }
    if parser.skip("drop") { return try drop(at: start) }
    if parser.isNext("comment") || parser.isNext("grant") || parser.isNext("set") || parser.isNext("begin")
      || parser.isNext("commit")
    {
      return parser.skipStatement()
    }
    throw parser.problem(
      "the statement \(parser.token.description) is not supported.", Self.statements, at: start)
  }

  static let statements =
    "Supported: CREATE TABLE, UNIQUE INDEX, POLICY, FUNCTION … RETURNS trigger and TRIGGER, and ALTER TABLE … ADD"
    + " CONSTRAINT or … ROW LEVEL SECURITY. Remove the statement, or implement it in Swift."

  private mutating func create(at start: SQLLocation) throws(SQLProblem) {
    let replaces = parser.skip("or", "replace")
    if parser.isNext("extension") || parser.isNext("schema") || parser.isNext("index") {
      return parser.skipStatement()
    }
    if !replaces, parser.skip("table") { return try createTable() }
    if !replaces, parser.skip("unique", "index") { return try createUniqueIndex() }
    if !replaces, parser.skip("policy") { return try createPolicy() }
    if parser.skip("function") { return try createFunction() }
    if parser.skip("trigger") { return try createTrigger() }
    throw parser.problem(
      "CREATE \(parser.token.description) is not supported.", Self.statements, at: start)
  }

  private mutating func alter(at start: SQLLocation) throws(SQLProblem) {
    // Changes of every table are published.
    if parser.isNext("publication") { return parser.skipStatement() }
    guard parser.skip("table") else {
      throw parser.problem(
        "ALTER \(parser.token.description) is not supported.", Self.statements, at: start)
    }
    let ifExists = parser.skip("if", "exists")
    _ = parser.skip("only")
    let here = parser.location
    let name = try parser.qualifiedName("a table")
    guard let place = tables.firstIndex(where: { $0.name == name }) else {
      if ifExists { return parser.skipStatement() }
      throw missingTable(name, at: here)
    }
    repeat { try alter(place) } while parser.skip(symbol: ",")
  }

  private mutating func alter(_ place: Int) throws(SQLProblem) {
    if parser.skip("enable", "row", "level", "security") {
      tables[place].isSecured = true
    } else if parser.skip("disable", "row", "level", "security") {
      tables[place].isSecured = false
    } else if parser.skip("force", "row", "level", "security")
      || parser.skip("no", "force", "row", "level", "security")
    {
      // Applies to the table's owner, which no client is; foreign keys are not subject to it.
    } else if parser.skip("owner", "to") {
      _ = try parser.name("a role")
    } else if parser.skip("add") {
      guard parser.isNext("constraint") || TableDraft.constraintWords.contains(where: { parser.isNext($0) })
      else {
        throw parser.problem(
          "ALTER TABLE … ADD COLUMN is not supported.",
          "Write the column in CREATE TABLE, or add a constraint.")
      }
      var table = tables[place]
      try tableConstraint(of: &table)
      tables[place] = table
      try finish(place)
    } else {
      throw parser.problem(
        "ALTER TABLE … \(parser.token.description) is not supported.",
        "Supported: ADD CONSTRAINT and ENABLE, DISABLE and FORCE ROW LEVEL SECURITY.")
    }
  }

  /// Parses `DROP … IF EXISTS` of an object that does not exist, as at the beginning of migrations.
  private mutating func drop(at start: SQLLocation) throws(SQLProblem) {
    let kinds = ["table", "policy", "trigger", "function", "index"]
    guard let kind = kinds.first(where: { parser.isNext($0) }), parser.peek(1) == .word("if") else {
      throw parser.problem(
        "DROP \(parser.token.description) is not supported.", "Remove the statement and what it drops.",
        at: start)
    }
    parser.advance()
    try parser.expect("if", "exists")
    var name = try parser.qualifiedName("a name")
    var exists = kind == "table" && tables.contains { $0.name == name }
    if parser.skip("on") {
      let table = try parser.qualifiedName("a table")
      exists = tables.contains { draft in
        draft.name == table
          && (kind == "policy" ? draft.policies.contains { $0.name == name } : draft.triggers.contains(name))
      }
      name += " ON \(table)"
    }
    guard !exists, kind != "function" || triggerFunctions[name] == nil else {
      throw parser.problem(
        "DROP \(kind.uppercased()) of something that an earlier statement creates is not supported.",
        "Remove both statements.", at: start)
    }
    parser.skipStatement()
  }

  func missingTable(_ name: String, at location: SQLLocation) -> SQLProblem {
    let known = tables.map(\.name).filter { !$0.hasPrefix("storage.") }
    return parser.problem(
      "the table \(name) does not exist.",
      known.isEmpty
        ? "Create it first." : "Create it first. Existing tables: \(known.joined(separator: ", ")).",
      at: location)
  }

  // MARK: Expressions

  /// Checks the names and types of a condition on the rows of a table.
  func check(_ expression: SQLExpression, of table: TableDraft, in clause: String) throws(SQLProblem) {
    let binder = ExpressionBinder(table.table, in: ExpressionBinder.catalog(of: everyTable))
    do throws(ExpressionError) {
      _ = try binder.condition(expression, in: clause)
    } catch {
      throw problem(error, else: expression.location)
    }
  }

  func problem(_ failure: ExpressionError, else location: SQLLocation?) -> SQLProblem {
    let text = failure.error.message + (failure.error.message.hasSuffix(".") ? "" : ".")
    return parser.problem(text, failure.advice, at: failure.location ?? location)
  }
}

/// Tables read from SQL, such as the migrations of a project.
///
/// ```swift
/// let schema = try DatabaseSchema(sql: """
///   CREATE TABLE todos (
///     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
///     owner uuid NOT NULL DEFAULT auth.uid() REFERENCES auth.users ON DELETE CASCADE,
///     title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 80)
///   );
///   ALTER TABLE todos ENABLE ROW LEVEL SECURITY;
///   CREATE POLICY own ON todos USING (owner = (SELECT auth.uid()));
///   """)
/// let database = InMemoryDatabase(schema)
/// ```
///
/// Supported are `CREATE TABLE`, `ALTER TABLE` for constraints and row-level security,
/// `CREATE UNIQUE INDEX`, `CREATE POLICY`, and a trigger that sets columns to `now()` before an update. Statements that do not affect
/// the rows that a client sees are skipped: extensions, schemas, comments, grants, indexes that are not unique. Any other
/// statement is an error, so that nothing is ignored silently.
public struct DatabaseSchema: Sendable {
  /// The tables, in the order of their creation.
  package let tables: [DatabaseTable]
  /// The predefined tables of Storage, with the policies of the schema.
  let tablesOfStorage: [DatabaseTable]

  /// Reads the statements of a text in PostgreSQL's dialect.
  ///
  /// - Throws: `SQLError` for the first statement that is invalid or not supported.
  public init(sql: String) throws(SQLError) {
    var reader = SchemaReader()
    let all = try reader.tables(of: sql)
    tables = Array(all.dropFirst(SchemaReader.draftsOfStorage.count))
    tablesOfStorage = Array(all.prefix(SchemaReader.draftsOfStorage.count))
  }
}

/// A table under construction.
struct TableDraft {
  let name: String
  /// The index of the first token of the statement that creates the table.
  let start: Int
  var columns: [ColumnDraft] = []
  var primaryKey: [String] = []
  var keys: [KeyDraft] = []
  var checks: [DatabaseCheck] = []
  var foreignKeys: [ForeignKeyDraft] = []
  var policies: [DatabasePolicy] = []
  var triggers: [String] = []
  var isSecured = false
  /// The numbers of constraints that have been checked and named.
  var finished = (keys: 0, checks: 0, foreignKeys: 0)

  struct ColumnDraft {
    let name: String
    let type: ColumnType
    var isNullable = true
    var defaultValue: DatabaseColumn.Default?
    var isSetOnUpdate = false
  }

  /// Unique columns; the name is generated at the end of the statement.
  struct KeyDraft {
    var name: String?
    let columns: [String]
    let isPrimary: Bool
    let location: SQLLocation
  }

  struct ForeignKeyDraft {
    var name: String?
    let columns: [String]
    let table: String
    /// The referenced columns; empty for the primary key.
    var referencedColumns: [String]
    let onDelete: DatabaseForeignKey.Action
    let location: SQLLocation
  }

  /// The first words of table constraints.
  static let constraintWords = ["constraint", "primary", "unique", "check", "foreign", "exclude"]

  /// The name without the schema.
  var relation: String { name.split(separator: ".").last.map(String.init) ?? name }

  func column(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }

  /// The table so far.
  var table: DatabaseTable {
    DatabaseTable(
      name,
      columns: columns.map { column in
        DatabaseColumn(
          column.name, column.type, isNullable: column.isNullable && !primaryKey.contains(column.name),
          default: column.defaultValue, isSetOnUpdate: column.isSetOnUpdate)
      }, primaryKey: primaryKey,
      keys: keys.map { UniqueKey(name: $0.name ?? "", columns: $0.columns) }, checks: checks,
      foreignKeys: foreignKeys.map { key in
        DatabaseForeignKey(
          key.columns, to: key.table, key.referencedColumns, onDelete: key.onDelete, name: key.name)
      }, policies: isSecured ? policies : nil)
  }
}
