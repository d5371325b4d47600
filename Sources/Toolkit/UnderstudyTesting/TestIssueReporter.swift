import Foundation
import Testing
package import Understudy

#if canImport(XCTest)
  import XCTest
#endif

/// Records the issues of doubles in the test of Swift Testing that made them.
///
/// `Understudy` finds it by its name, so that it takes effect wherever this module is linked.
package final class TestIssueReporter: IssueReporter {
  private let test: Test

  private init(_ test: Test) {
    self.test = test
  }

  /// Whether SwiftPM or Xcode has started this process to run tests, so that an issue without a test fails their run.
  ///
  /// Arguments of parameterized tests are evaluated in their test, so that what they make is not meant.
  private static let isOfTests =
    CommandLine.arguments.contains("--testing-library")
    || ProcessInfo.processInfo.environment["XCTestConfigurationFilePath"] != nil

  package static func current() -> (any IssueReporter)? {
    if let test = Test.current { return TestIssueReporter(test) }
    #if canImport(XCTest)
      return TestCaseReporter.current()
    #else
      return nil
    #endif
  }

  package static func outside() -> (any IssueReporter)? {
    isOfTests && !isInExitTest ? OutsideReporter() : nil
  }

  /// Whether the process is that of an exit test, which may end before the calls that its doubles wait for.
  private static var isInExitTest: Bool {
    #if os(macOS) || os(Linux)
      ExitTest.current != nil
    #else
      false
    #endif
  }

  package var testName: String { "Test \(test.name) in \(test.sourceLocation.fileID)" }

  package func record(_ message: String, at place: CodePlace?, ifCancelled isRecordedIfCancelled: Bool) {
    if isInTest, Task.isCancelled, !isRecordedIfCancelled { return }
    Issue.record("\(prefix)\(message)", sourceLocation: sourceLocation(place))
  }

  package func warn(_ message: String, at place: CodePlace?) {
    Issue.warn("\(prefix)\(message)", sourceLocation(place))
  }

  private var isInTest: Bool { Test.current?.id == test.id }
  // A double that another thread releases has lost its test, and the issue would name none.
  private var prefix: String { isInTest ? "" : "\(testName): " }

  private func sourceLocation(_ place: CodePlace?) -> SourceLocation {
    place.map(SourceLocation.init) ?? test.sourceLocation
  }
}

/// Records failures in code that belongs to no test, such as a detached task or a dispatch queue.
///
/// For Swift Testing, such an issue has no test, and fails the run; in an exit test, it fails the test that waits for the
/// process. Because a process without tests ignores it, the failures are printed again at the end of the process, whose
/// exit status is 1.
struct OutsideReporter: IssueReporter {
  private static let failures = Locked<[String]>([])
  private static let printsAtExit: Bool = atexit { OutsideReporter.printFailures() } == 0

  static func current() -> (any IssueReporter)? { nil }
  static func outside() -> (any IssueReporter)? { OutsideReporter() }

  var testName: String { "a task outside of a test" }

  func record(_ message: String, at place: CodePlace?, ifCancelled isRecordedIfCancelled: Bool) {
    if Task.isCancelled, !isRecordedIfCancelled { return }
    Self.record(message, sourceLocation(place))
  }

  func warn(_ message: String, at place: CodePlace?) { printWarning(message, sourceLocation(place)) }

  static func record(_ message: String, _ sourceLocation: SourceLocation) {
    let text =
      "Failed outside of a test, as in a detached task: \(message)\nAwait it in the test, without `try?`."
    Issue.record("\(text)", sourceLocation: sourceLocation)
    _ = printsAtExit
    failures.withLock { $0.append("\(sourceLocation): \(text)") }
  }

  private func sourceLocation(_ place: CodePlace?) -> SourceLocation {
    place.map(SourceLocation.init)
      ?? SourceLocation(fileID: "Tests/Outside.swift", filePath: "", line: 1, column: 1)
  }

  private static func printFailures() {
    let texts = failures.withLock { $0 }
    if texts.isEmpty { return }
    fflush(nil)
    FileHandle.standardError.write(Data((texts.map { "error: \($0)\n" }.joined()).utf8))
    // A function that runs at the end of a process must not call exit.
    _exit(1)
  }
}

extension SourceLocation {
  init(_ place: CodePlace) {
    self.init(fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
  }
}

#if canImport(XCTest)
  /// Records the issues of doubles in the current test case of XCTest, which runs one at a time.
  struct TestCaseReporter: IssueReporter {
    /// Whether this process runs test cases of XCTest.
    ///
    /// SwiftPM runs the tests of each framework in a process of their own. Xcode runs both in one; there, an issue of a
    /// task outside of a test belongs to no test case, and XCTest ignores it.
    static let isInUse = isInUse(CommandLine.arguments, ProcessInfo.processInfo.environment)

    static func isInUse(_ arguments: [String], _ environment: [String: String]) -> Bool {
      if let option = arguments.firstIndex(of: "--testing-library") {
        return arguments.dropFirst(option + 1).first != "swift-testing"
      }
      return arguments[0].hasSuffix(".xctest") || arguments[0].hasSuffix("/xctest")
        || environment["XCTestConfigurationFilePath"] != nil
    }

    static func current() -> (any IssueReporter)? { isInUse ? TestCaseReporter() : nil }
    static func outside() -> (any IssueReporter)? { current() }

    var testName: String { "a test case" }

    func record(_ message: String, at place: CodePlace?, ifCancelled isRecordedIfCancelled: Bool) {
      if Task.isCancelled, !isRecordedIfCancelled { return }
      // The place is known at run time only, and XCTFail requires a literal path.
      XCTFail(place.map { "\($0): \(message)" } ?? message)
    }

    func warn(_ message: String, at place: CodePlace?) {
      // An issue of XCTest always fails the test.
      FileHandle.standardError.write(Data("\(place.map { "\($0): " } ?? "")warning: \(message)\n".utf8))
    }
  }
#endif
