import Foundation
import Testing
import Understudy

/// The failures of a check in the order in which it found them.
///
/// Each is an issue of the current test of Swift Testing, or a failure of the current test case of XCTest. Where both are
/// missing, as in a detached task, they fail the run, and the check throws them in addition.
struct TestIssues {
  /// Records failures where there is no current test of Swift Testing; tests of this module replace it.
  ///
  /// It returns whether a test case has them.
  @TaskLocal static var recordElsewhere: @Sendable ([String], SourceLocation) -> Bool = { texts, place in
    #if canImport(XCTest)
      if let testCase = TestCaseReporter.current() {
        for text in texts { testCase.record("\(place): \(text)", at: nil, ifCancelled: true) }
        return true
      }
    #endif
    OutsideReporter.record(texts.joined(separator: "\n"), place)
    return false
  }

  private var unrecorded: [String] = []
  private let sourceLocation: SourceLocation

  init(at sourceLocation: SourceLocation) {
    self.sourceLocation = sourceLocation
  }

  /// Prints a line to standard error, without an issue.
  static func print(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

  /// Appends a report to the file in `UNDERSTUDY_REPORT`, and records a failure to do so.
  mutating func append(_ report: UnderstudyReport) {
    do {
      let settings = try RunSettings(environment: ProcessInfo.processInfo.environment)
      if let issue = settings.append(report) { record(issue) }
    } catch {
      record("\(error)")
    }
  }

  /// Records a failure.
  mutating func record(_ text: String) {
    if Test.current == nil {
      unrecorded.append(text)
    } else {
      Issue.record("\(text)", sourceLocation: sourceLocation)
    }
  }

  /// Records a warning; without a test, on standard error.
  func warn(_ text: String) {
    if Test.current == nil { printWarning(text, sourceLocation) } else { Issue.warn(text, sourceLocation) }
  }

  /// Records the failures outside of a test, and throws those that no test case has.
  func finish() throws(UnrecordedIssues) {
    if unrecorded.isEmpty || Self.recordElsewhere(unrecorded, sourceLocation) { return }
    throw UnrecordedIssues(texts: unrecorded.map { "\(sourceLocation): \($0)" })
  }
}

extension Issue {
  /// Records a warning in the current test, which passes.
  ///
  /// Swift 6.2 has no warnings (ST-0013), so that it is printed on standard error.
  package static func warn(_ text: String, _ sourceLocation: SourceLocation) {
    #if compiler(>=6.3)
      record("\(text)", severity: .warning, sourceLocation: sourceLocation)
    #else
      printWarning(text, sourceLocation)
    #endif
  }

  /// Whether it makes its test fail.
  ///
  /// Swift 6.2 does not say of an issue whether it is known, so that a known one counts too.
  package var failsTest: Bool {
    #if compiler(>=6.3)
      isFailure
    #else
      true
    #endif
  }
}

func printWarning(_ text: String, _ sourceLocation: SourceLocation) {
  FileHandle.standardError.write(Data("\(sourceLocation): warning: \(text)\n".utf8))
}

/// The failures of a check that runs outside of the tests of Swift Testing.
struct UnrecordedIssues: LocalizedError, CustomStringConvertible {
  let texts: [String]

  var description: String { texts.joined(separator: "\n") }
  // XCTest on Apple's platforms shows the localized description.
  var errorDescription: String? { description }
}

/// Cancels the current case of a test whose argument is a check.
///
/// Any other test may run several checks in a loop; it goes on, and the reason is printed on standard error.
func skipCase<Check>(of check: Check.Type, _ reason: String, _ sourceLocation: SourceLocation) throws {
  guard let testCase = Test.Case.current, testCase.isParameterized else {
    return printSkip(reason, sourceLocation)
  }
  // If the arguments cannot be read, it is the usual test.
  let arguments = TestArguments.values(of: testCase)
  guard arguments.isEmpty || arguments.contains(where: { $0 is Check }) else {
    return printSkip(reason, sourceLocation)
  }
  try cancelTest(reason, sourceLocation)
}

private func printSkip(_ reason: String, _ sourceLocation: SourceLocation) {
  FileHandle.standardError.write(Data("\(sourceLocation): skipped: \(reason)\n".utf8))
}

/// Cancels the current test case with a reason.
///
/// - Returns: If it returns, the test case goes on: with Swift 6.2, where a test cannot be cancelled (ST-0016), and
///   without a test, where the reason is printed on standard error.
func cancelTest(_ reason: String, _ sourceLocation: SourceLocation) throws {
  guard Test.current != nil else { return printSkip(reason, sourceLocation) }
  #if compiler(>=6.3)
    try Test.cancel("\(reason)", sourceLocation: sourceLocation)
  #endif
}
