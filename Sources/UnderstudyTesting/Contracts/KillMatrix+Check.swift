public import Testing
public import UnderstudyContracts

extension KillMatrix {
  /// Records everything that is missing for the contract to be proved strong, each as an issue.
  ///
  /// ```swift
  /// @Test func theContractIsStrong() async {
  ///   await Contract.todoService.killMatrix(of: Mutant.all).check()
  /// }
  /// ```
  ///
  /// - Parameter sourceLocation: Where issues are shown: the caller's line.
  public func check(sourceLocation: SourceLocation = #_sourceLocation) {
    for flaw in flaws { Issue.record("\(flaw)", sourceLocation: sourceLocation) }
  }
}
