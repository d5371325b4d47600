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

  package static func current() -> (any IssueReporter)? {
    if let test = Test.current { return TestIssueReporter(test) }
    #if canImport(XCTest)
      return TestCaseReporter.current()
    #else
      return nil
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
    place.map { SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: $0.column) }
      ?? test.sourceLocation
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
