import UnderstudyHTTP

/// Statements that the database refuses for a while, whatever they say.
struct StatementRefusal {
  let error: PostgRESTError
  let kind: StatementKind?
  let table: String?

  func concerns(_ kind: StatementKind, on table: String) -> Bool {
    (self.kind ?? kind) == kind && (self.table ?? table) == table
  }
}
