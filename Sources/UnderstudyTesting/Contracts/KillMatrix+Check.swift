import Foundation
public import Testing
public import Understudy

extension KillMatrix {
  /// Records each failure of the matrix as an issue.
  ///
  /// ```swift
  /// @Test func theContractIsStrong() async {
  ///   await Contract.todoService.killMatrix(of: Mutant.all).check()
  /// }
  /// ```
  ///
  /// The matrix is appended to the file in `UNDERSTUDY_REPORT` as one line.
  ///
  /// - Parameter sourceLocation: The location of issues (default: the caller's line).
  public func check(sourceLocation: SourceLocation = #_sourceLocation) {
    do {
      let settings = try RunSettings(environment: ProcessInfo.processInfo.environment)
      if let issue = settings.append(UnderstudyReport(mutants: [self])) {
        Issue.record("\(issue)", sourceLocation: sourceLocation)
      }
    } catch {
      Issue.record("\(error)", sourceLocation: sourceLocation)
    }
    for failure in failures { Issue.record("\(failure)", sourceLocation: sourceLocation) }
  }
}
