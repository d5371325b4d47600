// Written by: understudy generate --module GenerationFixtures --protocol Feed --failure TodoError.init --output Tests/UnderstudyCommandTests/Generation/Generated/Feed+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import GenerationFixtures
public import Understudy

extension Intercepted.Operation where Base: Feed {
  /// ``Feed/updates(after:)``.
  public static var updates: Self { Self("updates") }
  /// ``Feed/plain()``.
  public static var plain: Self { Self("plain") }
  /// ``Feed/eventual()``.
  public static var eventual: Self { Self("eventual") }
  /// ``Feed/immediate(_:)``.
  public static var immediate: Self { Self("immediate") }
  /// ``Feed/live``.
  public static var live: Self { Self("live") }
  /// ``Feed/steady()``.
  public static var steady: Self { Self("steady") }
  /// ``Feed/opaque()``.
  public static var opaque: Self { Self("opaque") }
}

extension Intercepted: Feed where Base: Feed {
  /// ``Feed/updates(after:)``, through the interceptors, which see the call and each element.
  public func updates(after id: Int) async throws(TodoError) -> AsyncThrowingStream<Int, any Error> {
    try await interceptStream(.updates, id, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.updates(after: id)
    }
  }

  /// ``Feed/plain()``, through the interceptors, which see the call and each element.
  public func plain() async throws -> AsyncThrowingStream<Int, any Error> {
    try await interceptStream(.plain, failure: { TodoError($0) as any Error }) { base throws in
      try await base.plain()
    }
  }

  /// ``Feed/eventual()``, through the interceptors: what would fail the call fails its stream.
  public func eventual() async -> AsyncThrowingStream<Int, any Error> {
    await interceptStream(.eventual, streamFailure: { TodoError($0) as any Error }) { base in
      await base.eventual()
    }
  }

  /// ``Feed/immediate(_:)``, through the interceptors: what would fail the call fails its stream.
  public func immediate(_ id: Int) -> AsyncThrowingStream<Int, any Error> {
    interceptStream(.immediate, id, streamFailure: { TodoError($0) as any Error }) { base in
      base.immediate(id)
    }
  }

  /// ``Feed/live``, through the interceptors: what would fail the call fails its stream.
  public var live: AsyncThrowingStream<Int, any Error> {
    interceptStream(.live, streamFailure: { TodoError($0) as any Error }) { base in
      base.live
    }
  }

  /// ``Feed/steady()``, through the interceptors: a stream that a fault breaks ends.
  public func steady() -> AsyncStream<Int> {
    interceptStream(.steady) { base in
      base.steady()
    }
  }

  /// ``Feed/opaque()``, through the interceptors, which see the call and each element.
  public func opaque() async throws -> any Sendable & AsyncSequence<Int, any Error> {
    try await interceptStream(.opaque, failure: { TodoError($0) as any Error }) { base throws in
      AsyncThrowingStream(pulling: try await base.opaque())
    }
  }
}

/// A ``Feed`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedFeed: Feed {
  /// ``Feed/updates(after:)``.
  public var onUpdates: @Sendable (_ id: Int) async throws(TodoError) -> AsyncThrowingStream<Int, any Error> = {
    _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("Feed.updates(after:)", closure: "onUpdates"))
  }

  /// ``Feed/plain()``.
  public var onPlain: @Sendable () async throws -> AsyncThrowingStream<Int, any Error> = { () throws in
    throw TodoError(Fault.unimplemented("Feed.plain()", closure: "onPlain"))
  }

  /// ``Feed/eventual()``.
  public var onEventual: @Sendable () async -> AsyncThrowingStream<Int, any Error> = { () in
    AsyncThrowingStream { $0.finish(throwing: TodoError(Fault.unimplemented("Feed.eventual()", closure: "onEventual"))) }
  }

  /// ``Feed/immediate(_:)``.
  public var onImmediate: @Sendable (_ id: Int) -> AsyncThrowingStream<Int, any Error> = { _ in
    AsyncThrowingStream { $0.finish(throwing: TodoError(Fault.unimplemented("Feed.immediate(_:)", closure: "onImmediate"))) }
  }

  /// ``Feed/live``.
  public var live: AsyncThrowingStream<Int, any Error>

  /// ``Feed/steady()``.
  public var onSteady: @Sendable () -> AsyncStream<Int>

  /// ``Feed/opaque()``.
  public var onOpaque: @Sendable () async throws -> any Sendable & AsyncSequence<Int, any Error> = {
    () throws in
    throw TodoError(Fault.unimplemented("Feed.opaque()", closure: "onOpaque"))
  }

  /// A double that implements what it is given.
  public init(
    live: AsyncThrowingStream<Int, any Error>, onSteady: @escaping @Sendable () -> AsyncStream<Int>
  ) {
    self.live = live
    self.onSteady = onSteady
  }

  /// Calls what the test says.
  public func updates(after id: Int) async throws(TodoError) -> AsyncThrowingStream<Int, any Error> {
    try await onUpdates(id)
  }

  /// Calls what the test says.
  public func plain() async throws -> AsyncThrowingStream<Int, any Error> {
    try await onPlain()
  }

  /// Calls what the test says.
  public func eventual() async -> AsyncThrowingStream<Int, any Error> {
    await onEventual()
  }

  /// Calls what the test says.
  public func immediate(_ id: Int) -> AsyncThrowingStream<Int, any Error> {
    onImmediate(id)
  }

  /// Calls what the test says.
  public func steady() -> AsyncStream<Int> {
    onSteady()
  }

  /// Calls what the test says.
  public func opaque() async throws -> any Sendable & AsyncSequence<Int, any Error> {
    try await onOpaque()
  }
}
