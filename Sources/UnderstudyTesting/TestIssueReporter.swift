import Testing
package import Understudy

/// Records the issues of doubles in the test that made them.
///
/// `Understudy` finds it by its name, so that it takes effect wherever this module is linked.
package final class TestIssueReporter: IssueReporter {
  private let test: Test

  private init(_ test: Test) {
    self.test = test
  }

  package static func current() -> (any IssueReporter)? {
    Test.current.map { TestIssueReporter($0) }
  }

  package func record(_ message: String, at place: CodePlace?, ifCancelled isRecordedIfCancelled: Bool) {
    let isInTest = Test.current?.id == test.id
    if isInTest, Task.isCancelled, !isRecordedIfCancelled { return }
    // A double that another thread releases has lost its test, and the issue would name none.
    let prefix = isInTest ? "" : "Test \(test.name) in \(test.sourceLocation.fileID): "
    Issue.record(
      "\(prefix)\(message)",
      sourceLocation: place.map {
        SourceLocation(fileID: $0.fileID, filePath: $0.filePath, line: $0.line, column: $0.column)
      } ?? test.sourceLocation)
  }
}
