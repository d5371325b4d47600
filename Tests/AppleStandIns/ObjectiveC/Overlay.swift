// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary
// What Swift's own part of the module ObjectiveC adds: https://github.com/swiftlang/swift,
// stdlib/public/SDK/ObjectiveC/ObjectiveC.swift.

@_exported public import ObjectiveC

public struct Selector: Hashable, Sendable {
  public init(_ name: String) {}
}

public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }

// For the pass that compiles without Objective-C.
#if !_runtime(_ObjC)
  public struct Method: Sendable {}
  public func class_getClassMethod(_ cls: AnyClass?, _ name: Selector) -> Method? { nil }
  public func method_exchangeImplementations(_ m1: Method, _ m2: Method) {}
#endif
