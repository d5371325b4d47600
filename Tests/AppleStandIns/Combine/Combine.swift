// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary
// What the package uses of Apple's module Combine, for .ci/apple: https://developer.apple.com/documentation/combine.

public import Dispatch

/// <https://developer.apple.com/documentation/combine/publisher>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
  func receive<S>(subscriber: S) where S: Subscriber, Self.Failure == S.Failure, Self.Output == S.Input
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Publisher where Failure == Never {
  /// <https://developer.apple.com/documentation/combine/publisher/sink(receivevalue:)>
  public func sink(receiveValue: @escaping ((Output) -> Void)) -> AnyCancellable { fatalError() }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Publisher {
  /// <https://developer.apple.com/documentation/combine/publisher/sink(receivecompletion:receivevalue:)>
  public func sink(
    receiveCompletion: @escaping ((Subscribers.Completion<Failure>) -> Void),
    receiveValue: @escaping ((Output) -> Void)
  ) -> AnyCancellable { fatalError() }
  /// <https://developer.apple.com/documentation/combine/publisher/receive(on:options:)>, with a queue as the scheduler.
  public func receive(on scheduler: DispatchQueue) -> AnyPublisher<Output, Failure> { fatalError() }
  /// <https://developer.apple.com/documentation/combine/publisher/erasetoanypublisher()>
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }
}

/// <https://developer.apple.com/documentation/combine/anypublisher>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct AnyPublisher<Output, Failure>: Publisher where Failure: Error {
  public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {}
}

/// <https://developer.apple.com/documentation/combine/subscriber>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error
  func receive(subscription: any Subscription)
  func receive(_ input: Input) -> Subscribers.Demand
  func receive(completion: Subscribers.Completion<Failure>)
}

/// <https://developer.apple.com/documentation/combine/subscription>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  func request(_ demand: Subscribers.Demand)
}

/// <https://developer.apple.com/documentation/combine/cancellable>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol Cancellable {
  func cancel()
}

/// <https://developer.apple.com/documentation/combine/customcombineidentifierconvertible>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public protocol CustomCombineIdentifierConvertible {
  var combineIdentifier: CombineIdentifier { get }
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension CustomCombineIdentifierConvertible where Self: AnyObject {
  public var combineIdentifier: CombineIdentifier { fatalError() }
}

/// <https://developer.apple.com/documentation/combine/combineidentifier>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct CombineIdentifier: Hashable, Sendable {}

/// <https://developer.apple.com/documentation/combine/subscribers>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public enum Subscribers {
  /// <https://developer.apple.com/documentation/combine/subscribers/demand>
  @frozen public struct Demand: Equatable, Hashable, Sendable {
    public static var unlimited: Self { fatalError() }
    @inlinable public static func max(_ value: Int) -> Self { fatalError() }
    @inlinable public var max: Int? { fatalError() }
  }

  /// <https://developer.apple.com/documentation/combine/subscribers/completion>
  @frozen public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

/// <https://developer.apple.com/documentation/combine/just>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
public struct Just<Output>: Publisher {
  public typealias Failure = Never
  public init(_ output: Output) {}
  public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == Never {}
}

@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
extension Publisher where Failure == Never {
  /// <https://developer.apple.com/documentation/combine/publisher/setfailuretype(to:)>
  public func setFailureType<E>(to failureType: E.Type) -> AnyPublisher<Output, E> where E: Error {
    fatalError()
  }
}

/// <https://developer.apple.com/documentation/combine/passthroughsubject>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
final public class PassthroughSubject<Output, Failure>: Publisher where Failure: Error {
  public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {}
}

/// <https://developer.apple.com/documentation/combine/anycancellable>
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, visionOS 1.0, *)
final public class AnyCancellable: Cancellable, Hashable {
  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) {}
  public func cancel() {}
}
