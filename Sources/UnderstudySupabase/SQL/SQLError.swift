/// SQL that could not be read, for the person who wrote it: where it is, what is wrong, what to write instead.
public struct SQLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The column within the line, in Unicode scalars, counted from 1.
  public let column: Int
  /// The beginning of the statement, such as `CREATE TABLE public.todos`.
  public let statement: String
  /// What is wrong.
  public let problem: String
  /// What is supported, or what to do.
  public let advice: String
  /// The line of the text where it is.
  public let source: String

  /// All of it, with the line and a mark below the place.
  public var description: String {
    let mark = String(repeating: " ", count: min(column, source.unicodeScalars.count + 1) - 1) + "^"
    return """
      line \(line), column \(column), in \(statement.isEmpty ? "the SQL" : statement): \(problem)
        \(source)
        \(mark)
      \(advice)
      """
  }
}

/// A place in a text, counted from 1.
struct SQLLocation: Hashable, Sendable {
  let line: Int
  let column: Int
}

/// What is wrong at a place, before it is known in which statement and line of text that is.
struct SQLProblem: Error {
  let location: SQLLocation?
  let problem: String
  let advice: String
}
