package import UnderstudyPostgreSQL

/// The tables, functions, policies and rows that a script defines.
public struct DatabaseSchema: Sendable {
  package let state: State
  /// What the script asks for and the database ignores, such as `COMMENT`, each once, in order.
  package let ignored: [String]

  /// Runs a script over an empty project of Supabase.
  ///
  /// - Throws: ``SQLError`` for a statement that is not understood or that fails, with its line.
  public init(sql: String) throws(SQLError) {
    try self.init(scripts: [Script(text: sql)])
  }

  /// One of the files of a project.
  package struct Script: Sendable {
    package let name: String?
    package let text: String

    package init(name: String? = nil, text: String) {
      self.name = name
      self.text = text
    }
  }

  /// Runs scripts in order.
  package init(scripts: [Script]) throws(SQLError) {
    let session = Session(ProjectSchema.state, environment: ProjectSchema.environment)
    var ignored: [String] = []
    for script in scripts {
      var start = 0
      do throws(PostgreSQLError) {
        for statement in try UnderstudyPostgreSQL.Script.parse(script.text) {
          start = statement.range.lowerBound
          if let what = try session.run(statement.statement).ignored, !ignored.contains(what) { ignored.append(what) }
        }
      } catch {
        throw SQLError(error, in: script, statement: start)
      }
    }
    _ = session.takeChanges()
    state = session.state
    self.ignored = ignored
  }
}

/// A script that cannot be read or run.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, where, and what helps.
  public let description: String

  init(_ error: PostgreSQLError, in script: DatabaseSchema.Script, statement start: Int) {
    let bytes = Array(script.text.utf8)
    let place = min(error.position ?? start, bytes.count)
    // A statement begins after the spaces and comments before it.
    let line = bytes[..<place].count { $0 == UInt8(ascii: "\n") } + 1
    let file = script.name.map { "\($0), line \(line)" } ?? "line \(line)"
    var text = "\(file): \(error.message) (\(error.code))."
    if let detail = error.detail { text += " \(detail)" }
    if let hint = error.hint { text += " \(hint)" }
    description = text
  }
}
