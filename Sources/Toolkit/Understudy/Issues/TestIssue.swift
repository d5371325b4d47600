import Foundation
import UnderstudyText

/// A place in source code.
public struct CodePlace: Sendable, Hashable, CustomStringConvertible {
  /// The module and the file, as `#fileID`.
  public let fileID: String
  /// The path of the file, as `#filePath`.
  package let filePath: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  package let column: Int

  package init(fileID: String, filePath: String, line: Int, column: Int) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// The file and the line.
  public var description: String { "\(fileID):\(line)" }
}

/// The test in which a double was made.
///
/// A failure that shows only when the double is released, such as a rule that never fired, is an issue of that test.
/// `UnderstudyTesting` implements it for Swift Testing; this module does not import it, so that doubles can be linked
/// into an app.
package protocol IssueReporter: Sendable {
  /// The current test; `nil` outside of one.
  static func current() -> (any IssueReporter)?

  /// The run of all tests, for what happens in a task or on a queue that belongs to no test; `nil` in a program.
  static func outside() -> (any IssueReporter)?

  /// The test in words, for an issue that it can no longer record.
  var testName: String { get }

  /// Records an issue of the test.
  ///
  /// Called synchronously where the double is released, usually in the test itself. Where it is released elsewhere, the
  /// issue still fails the run, and its text names the test.
  ///
  /// - Parameter isRecordedIfCancelled: Whether it is an issue even in a cancelled task. A test that was cancelled, or
  ///   exceeded its limit, did not get as far as the calls that a double waited for.
  func record(_ message: String, at place: CodePlace?, ifCancelled isRecordedIfCancelled: Bool)

  /// Records a warning of the test, which does not fail it.
  func warn(_ message: String, at place: CodePlace?)
}

extension IssueReporter {
  /// Records an issue of the test, unless the task is cancelled.
  package func record(_ message: String, at place: CodePlace?) {
    record(message, at: place, ifCancelled: false)
  }
}

/// Finds the test to which a double belongs.
package enum TestIssue {
  /// Whether doubles that are made now belong to no test.
  ///
  /// The trials of a contract, the programs of an exploration and the runs of a sweep make the same doubles for many
  /// different sequences of calls, and not every sequence makes a given call.
  @TaskLocal package static var isSuspended = false

  /// The reporter of `UnderstudyTesting`, if it is linked.
  ///
  /// Found by name, because nothing in a test has to refer to that module.
  private static let type =
    NSClassFromString("UnderstudyTesting.TestIssueReporter") as? any IssueReporter.Type

  /// The current test; `nil` in a program, or where doubles belong to no test.
  package static var reporter: (any IssueReporter)? { isSuspended ? nil : currentReporter }

  /// The current test, or the run of the tests; `nil` in a program.
  private static var reporterOrRun: (any IssueReporter)? { currentReporter ?? type?.outside() }

  /// What has the issues of a double that is made now; `nil` in a program, or where doubles belong to no test.
  fileprivate static var reporterOfDouble: (any IssueReporter)? { isSuspended ? nil : reporterOrRun }

  /// The current test, for a mistake that is one in every trial and run; `nil` in a program.
  package static var currentReporter: (any IssueReporter)? { type?.current() }

  /// The warnings of trials, programs and runs, which make the same mistake again and again.
  private static let warnings = Locked<Set<String>>([])

  /// Records a warning of the current test.
  static func warn(_ message: String, at place: CodePlace?) {
    let isNew = {
      warnings.withLock { $0.insert("\(place.map { "\($0): " } ?? "")\(message)").inserted }
    }
    if !isSuspended || isNew() { currentReporter?.warn(message, at: place) }
  }

  /// Records an issue for an expectation that is checked after the result that it should be part of.
  static func noteLateExpectation(_ name: String? = nil, of subject: String, _ fileID: String, _ line: Int) {
    reporterOrRun?.record(
      """
      An expectation\(name.map { " of \($0)" } ?? "") was checked after its \(subject) had ended, so it is not part of \
      the result (\(fileID):\(line)). Await the task that checks it.
      """, at: nil)
  }
}

/// What a double reports to the test that made it, such as a rule that never fired, once the double is released.
///
/// A double that a task or a cycle of references retains may outlive its test, which then ends without the report. It is
/// printed at the end of the process, whose exit status is 1.
package final class ReleaseReport: Sendable {
  /// An issue of a double.
  package struct Issue: Sendable {
    let message: String
    let place: CodePlace?
    let isRecordedIfCancelled: Bool
    /// Whether it does not fail the test.
    let isWarning: Bool

    package init(
      _ message: String, at place: CodePlace?, ifCancelled isRecordedIfCancelled: Bool = false,
      isWarning: Bool = false
    ) {
      self.message = message
      self.place = place
      self.isRecordedIfCancelled = isRecordedIfCancelled
      self.isWarning = isWarning
    }
  }

  private struct Pending {
    let reporter: any IssueReporter
    let issues: @Sendable () -> [Issue]
  }

  /// The reports that have not been made.
  private static let pending = Locked<[ObjectIdentifier: Pending]>([:])

  /// Arranges that what is pending at the end of the process is printed.
  private static let printsAtExit: Bool = atexit { ReleaseReport.printPending() } == 0

  /// Creates a report to the current test; `nil` without one, and where doubles belong to no test.
  ///
  /// - Parameter issues: What the double has to report. It must not retain the double.
  package convenience init?(_ issues: @escaping @Sendable () -> [Issue]) {
    guard let reporter = TestIssue.reporterOfDouble else { return nil }
    self.init(to: reporter, issues)
  }

  init(to reporter: any IssueReporter, _ issues: @escaping @Sendable () -> [Issue]) {
    _ = Self.printsAtExit
    Self.pending.withLock {
      $0[ObjectIdentifier(self)] = Pending(reporter: reporter, issues: issues)
    }
  }

  deinit {
    make()
  }

  /// Makes the report, unless this was done before.
  package func make() {
    guard let own = Self.pending.withLock({ $0.removeValue(forKey: ObjectIdentifier(self)) }) else { return }
    for issue in own.issues() {
      if issue.isWarning {
        own.reporter.warn(issue.message, at: issue.place)
      } else {
        own.reporter.record(issue.message, at: issue.place, ifCancelled: issue.isRecordedIfCancelled)
      }
    }
  }

  /// Prints the issues of the doubles that have not been released, and ends the process if there are any.
  private static func printPending() {
    let lines = pending.withLock { Array($0.values) }.flatMap { one in
      one.issues().filter { !$0.isWarning }.map { issue in
        "A double of \(one.reporter.testName)\(issue.place.map { ", \($0)" } ?? ""): \(issue.message)"
      }
    }
    if lines.isEmpty { return }
    let text = """
      error: \(Words.count(lines.count, "check")) of doubles could not be made before the end of the tests:
      \(lines.sorted().joined(separator: "\n"))
      A double makes its checks when it is released. These were retained beyond the end of their tests: by a task that \
      still runs, by objects that retain each other, or by a static property. End the task, release the objects, or \
      make the double in the test.

      """
    fflush(nil)
    FileHandle.standardError.write(Data(text.utf8))
    // A function that runs at the end of a process must not call exit.
    _exit(1)
  }
}

/// The calls that reached a double, for a message about one that it waited for in vain.
package struct SeenCalls: Sendable, CustomStringConvertible {
  /// Enough for a message; a rule that never fires may see a million requests.
  private static let limit = 20

  private var counts: [(name: String, operation: OperationCore, count: Int)] = []
  private var others = 0

  /// Creates an empty list.
  package init() {}

  /// Counts a call.
  ///
  /// - Parameter remark: A remark about it, such as `synchronous`.
  package mutating func count(_ operation: OperationCore, remark: String? = nil) {
    let name = operation.description + (remark.map { " (\($0))" } ?? "")
    if let place = counts.firstIndex(where: { $0.name == name }) {
      counts[place].count += 1
    } else if counts.count < Self.limit {
      counts.append((name, operation, 1))
    } else {
      others += 1
    }
  }

  /// The number of the calls of an operation.
  func count(of operation: OperationCore) -> Int {
    counts.reduce(0) { $0 + (operation.matches($1.operation) ? $1.count : 0) }
  }

  /// The name of the call that resembles an operation most; `nil` without calls, and for a pattern of all of them.
  package func nearest(to operation: OperationCore) -> String? {
    guard operation != .any else { return nil }
    let name = operation.description
    return counts.map { ($0.name, name.distance(to: $0.operation.description)) }.min { $0.1 < $1.1 }?.0
  }

  /// Each call and how often it was made.
  package var description: String {
    if counts.isEmpty { return "none" }
    let list = counts.map { "\($0.name), \(Words.count($0.count, "time"))" }
    return (list + (others > 0 ? ["\(others) others"] : [])).joined(separator: "; ")
  }
}

/// An error of the toolkit itself: an expectation of a log that is not met, or a use that cannot work.
public struct UnderstudyError: Error, Sendable, CustomStringConvertible {
  /// A kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// Expectations of a log are not met, or were not checked because no double has the log.
    public static let unmetExpectations = Code("unmet expectations")
    /// A logged call has arguments of other types than those that were asked for.
    public static let otherArguments = Code("other arguments")
    /// A gate is open, so that it holds no call.
    public static let openGate = Code("open gate")
    /// No task of the process ran for a long time during a wait.
    public static let stalled = Code("stalled")
    /// A state that was waited for was overwritten before a screen could show it.
    public static let stateNotShown = Code("state not shown")
    /// A text is not a fault, a rule, a path or an entry of a schedule.
    package static let invalidText = Code("invalid text")
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, what was expected and found, and what to do.
  public let message: String
  /// Where the double was made; `nil` if it is not known.
  public let place: CodePlace?
  /// The underlying error, if any.
  public let cause: (any Error)?

  package init(_ code: Code, _ message: String, at place: CodePlace? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.place = place
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
