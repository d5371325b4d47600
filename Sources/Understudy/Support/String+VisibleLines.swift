
extension String {
  /// The text as it can be shown on a terminal, on as many lines as it has.
  var visibleLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }.joined(
      separator: "\n")
  }
}
