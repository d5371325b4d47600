// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary
// What the package uses of Apple's module Combine, for .ci/apple: https://developer.apple.com/documentation/combine.

/// <https://developer.apple.com/documentation/combine/publisher>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Publisher where Failure == Never {
  /// <https://developer.apple.com/documentation/combine/publisher/sink(receivevalue:)>
  public func sink(receiveValue: @escaping ((Output) -> Void)) -> AnyCancellable { fatalError() }
}

/// <https://developer.apple.com/documentation/combine/anycancellable>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
final public class AnyCancellable: Hashable {
  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) {}
}
