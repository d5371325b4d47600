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
/// let database = InMemoryDatabase(schema.tables)
/// ```
///
/// Understood are `CREATE TABLE`, `ALTER TABLE` that adds constraints or switches row-level security,
/// `CREATE UNIQUE INDEX`, `CREATE POLICY`, and a trigger that sets columns to `now()` before an update. What changes no
/// row that a client sees is passed over: extensions, schemas, comments, grants, indexes that are not unique. All else
/// is an error, so that nothing is left out silently.
public struct DatabaseSchema: Sendable {
  /// In the order in which they are created.
  public let tables: [Table]

  /// Reads the statements of a text in PostgreSQL's dialect.
  ///
  /// - Throws: `SQLError` for the first statement that has a mistake or is not understood.
  public init(sql: String) throws(SQLError) {
    var reader = SchemaReader()
    tables = try reader.tables(of: sql)
  }
}
