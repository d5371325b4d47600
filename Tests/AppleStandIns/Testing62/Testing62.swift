// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary
// What Swift Testing declares for everybody since Swift 6.3 only, a second time, so that its use is ambiguous:
// https://github.com/swiftlang/swift-testing, Sources/Testing/Issues, where the tags 6.2 to 6.2.4 mark it as @_spi.

public import Testing

extension Issue {
  public var severity: Severity { .error }
  public var isFailure: Bool { true }

  @discardableResult public static func record(
    _ comment: Comment? = nil, severity: Severity, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Issue { fatalError() }

  @discardableResult public static func record(
    _ error: any Error, _ comment: Comment? = nil, severity: Severity,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Issue { fatalError() }
}

extension Test {
  public static func cancel(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Never { fatalError() }
}
