// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary
// What the package uses of Apple's module os, for .ci/apple: https://developer.apple.com/documentation/os.

/// <https://developer.apple.com/documentation/os/osallocatedunfairlock>
@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
@frozen public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  public init(uncheckedState initialState: State) {}

  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { fatalError() }

  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
    fatalError()
  }
}

@available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
extension OSAllocatedUnfairLock where State: Sendable {
  public init(initialState: State) {}
}
