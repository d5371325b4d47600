import Foundation
public import Testing
public import Understudy

extension KillMatrix {
  /// Records everything that is missing for the contract to be strong, each as an issue.
  ///
  /// ```swift
  /// @Test func theContractIsStrong() async {
  ///   await Contract.todoService.killMatrix(of: Mutant.all).check()
  /// }
  /// ```
  ///
  /// `UNDERSTUDY_REPORT` receives the matrix as a line.
  ///
  /// - Parameter sourceLocation: Where issues are shown: the caller's line.
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
