import Testing

/// Cancels the current test case with a reason.
///
/// It has no effect with Swift 6.2, where a test cannot be cancelled (ST-0016).
func cancelTest(_ reason: String, _ sourceLocation: SourceLocation) throws {
  #if compiler(>=6.3)
    try Test.cancel("\(reason)", sourceLocation: sourceLocation)
  #endif
}
