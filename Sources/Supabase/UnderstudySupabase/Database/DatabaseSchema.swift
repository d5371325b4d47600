import Understudy
package import UnderstudyPostgreSQL

/// The tables, functions, policies and rows that a script defines.
///
/// What a script computes from `now()` is computed for each database, from the injected time of the database.
public struct DatabaseSchema: Sendable {
  /// What the script defines, at the time when it was read.
  package let state: State
  /// The end of the script, from the first statement that asks for the time; nil if none does.
  private let timed: TimedEnd?
  /// The plans of statements, which all databases of the schema share.
  let plans: SharedPlans
  /// What the script asks for and the database ignores, such as `COMMENT`, each once, in order.
  package let ignored: [String]
  /// The statements that a lenient reading left out.
  package let skipped: [SQLError]

  /// Runs a script over an empty project of Supabase.
  ///
  /// - Throws: ``SQLError`` for a statement that is not understood or that fails, with its line and its code.
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
  ///
  /// - Parameter isLenient: Whether a statement that is not understood or that fails is left out, and listed in `skipped`.
  package init(scripts: [Script], isLenient: Bool = false) throws(SQLError) {
    let numbers = Locked(ProjectSchema.numbers)
    let moment = Timestamp(Time.system.now).map { $0.microseconds - Timestamp.from1970To2000 } ?? 0
    let session = Session(ProjectSchema.state, environment: ProjectSchema.environment(at: moment, numbers))
    var ignored: [String] = []
    var skipped: [SQLError] = []
    var end = TimedEnd(state: session.state, numbers: ProjectSchema.numbers)
    for script in scripts {
      // As `supabase db reset` does: a dump that empties the search path does so for its own file.
      session.resetSettings()
      end.steps.append(.reset)
      for attempt in UnderstudyPostgreSQL.Script.parseLeniently(script.text) {
        let problem: SQLError
        switch attempt.result {
        case .success(let statement):
          if !session.hasReadTime, !session.isInTransaction {
            end = TimedEnd(
              state: session.state, numbers: numbers.withLock { $0 }, steps: end.steps.filter(\.isSetting))
          }
          end.steps.append(.statement(statement))
          do throws(PostgreSQLError) {
            guard var what = try session.run(statement).ignored else { continue }
            if let known = ProjectExtension(ignored: what) {
              what = known.note
              if !ignored.contains(what) {
                end.steps.append(.extension(known))
                try session.create(known)
              }
            }
            if !ignored.contains(what) { ignored.append(what) }
            continue
          } catch {
            problem = SQLError(error, in: script, at: attempt.range.lowerBound)
          }
        case .failure(let error):
          problem = SQLError(error, in: script, of: attempt.range.lowerBound)
        }
        guard isLenient else { throw problem }
        skipped.append(problem)
      }
    }
    _ = session.takeChanges()
    // A table that cannot be bound, because a trigger's function was dropped, fails when it is written.
    try? session.bindTables()
    state = session.state
    timed = session.hasReadTime ? end : nil
    plans = SharedPlans(state)
    self.ignored = ignored
    self.skipped = skipped
  }

  /// What the script defines, with the rows that it inserts at a time.
  ///
  /// A statement that fails at this time, because of a constraint of its own, inserts nothing.
  ///
  /// - Parameter moment: Microseconds since 2000-01-01 UTC.
  func state(at moment: Int64) -> State {
    guard let timed else { return state }
    let session = Session(
      timed.state, environment: ProjectSchema.environment(at: moment, Locked(timed.numbers)))
    for step in timed.steps {
      switch step {
      case .reset: session.resetSettings()
      case .statement(let statement): _ = try? session.run(statement)
      case .extension(let known): try? session.create(known)
      }
    }
    _ = session.takeChanges()
    try? session.bindTables()
    return session.state
  }

  /// Statements that are run again for each database.
  private struct TimedEnd: Sendable {
    enum Step: Sendable {
      case reset
      case statement(Statement)
      case `extension`(ProjectExtension)

      /// Whether it is for the statements after it.
      var isSetting: Bool {
        switch self {
        case .reset, .statement(.set), .statement(.setRole): true
        case .statement, .extension: false
        }
      }
    }

    /// What the statements before them define.
    var state: State
    var numbers: SeededGenerator
    var steps: [Step] = []
  }

  /// The tables of the schema `public`, in the order of their names.
  package var tableNames: [String] {
    state.catalogue.tables.keys.filter { $0.schema == "public" }.map(\.name).sorted()
  }
}

extension Session {
  /// Adds what an extension has.
  fileprivate func create(_ known: ProjectExtension) throws(PostgreSQLError) {
    for attempt in UnderstudyPostgreSQL.Script.parseLeniently(known.sql) {
      switch attempt.result {
      case .success(let statement): _ = try run(statement)
      case .failure(let error): throw error
      }
    }
  }
}

/// The plans of statements that the databases of a schema ran.
final class SharedPlans: StatementPlanStore {
  private let plans: Locked<StatementPlans>

  init(_ state: State) {
    plans = Locked(StatementPlans(of: state))
  }

  func withPlans<Result: Sendable>(_ body: (inout StatementPlans) -> Result) -> Result {
    plans.withLock { body(&$0) }
  }
}

/// A script that cannot be read or run.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, if the script is one.
  public let file: String?
  /// The line of the script, from 1.
  public let line: Int
  /// The error as PostgreSQL reports it.
  private let failure: PostgreSQLError

  /// The code of PostgreSQL, such as `42601` for an error of syntax (SQLSTATE).
  public var code: String { failure.code }
  /// What is wrong, with the code of PostgreSQL and what helps.
  public var message: String {
    ["\(failure.message) (\(failure.code)).", failure.detail, failure.hint].compactMap { $0 }
      .joined(separator: " ")
  }
  /// The underlying error.
  public var cause: (any Error)? { failure }

  /// What is wrong, where, and what helps.
  public var description: String { "\(file.map { "\($0), line" } ?? "line") \(line): \(message)" }

  /// An error of syntax.
  ///
  /// - Parameter start: The byte where the statement starts.
  init(_ error: PostgreSQLError, in script: DatabaseSchema.Script, of start: Int) {
    var error = error
    let bytes = Array(script.text.utf8)
    if let place = error.position, error.hint == nil, place > start, place < bytes.count {
      // A word that starts statements and is the first in its line.
      let word = bytes[place...].prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
      let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
      let before = bytes[start..<place].last { !isSpace($0) }
      if before == UInt8(ascii: "\n"),
        Self.firstWords.contains(String(decoding: word, as: UTF8.self).lowercased())
      {
        let line = bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1
        error.hint = "A semicolon may be missing before it: the statement starts in line \(line)."
      }
    }
    self.init(error, in: script, at: error.position ?? start)
  }

  private static let firstWords: Set<String> = [
    "alter", "comment", "create", "delete", "do", "drop", "grant", "insert", "revoke", "select", "update",
  ]

  /// - Parameter place: The byte of the script.
  init(_ error: PostgreSQLError, in script: DatabaseSchema.Script, at place: Int) {
    file = script.name
    line = script.text.utf8.prefix(place).count { $0 == UInt8(ascii: "\n") } + 1
    failure = error
  }
}
