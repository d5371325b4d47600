// Written by: understudy generate --module GenerationFixtures --protocol Door --omit Closing --failure TodoError.init --output Tests/UnderstudyCommandTests/Generation/Generated/Door+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import GenerationFixtures
public import Understudy

extension Intercepted.Operation where Base: Door {
  /// ``Door/open()``.
  public static var open: Self { Self("open") }
}

extension Intercepted: Door where Base: Door {
  /// ``Door/open()``, through the interceptors.
  public func open() async throws(TodoError) {
    try await intercept(.open, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.open()
    }
  }
}

/// A ``Door`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedDoor: Door {
  /// ``Closing/close()``.
  public var onClose: @Sendable () async -> Void

  /// ``Closing/closings``.
  public var onClosings: @Sendable () async throws -> Int = { () throws in
    throw TodoError(Fault.unimplemented("Closing.closings", closure: "onClosings"))
  }

  /// ``Door/open()``.
  public var onOpen: @Sendable () async throws(TodoError) -> Void = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("Door.open()", closure: "onOpen"))
  }

  /// A double that implements what it is given.
  public init(onClose: @escaping @Sendable () async -> Void) {
    self.onClose = onClose
  }

  /// Calls what the test says.
  public func close() async {
    await onClose()
  }

  /// Calls what the test says.
  public var closings: Int {
    get async throws {
      try await onClosings()
    }
  }

  /// Calls what the test says.
  public func open() async throws(TodoError) {
    try await onOpen()
  }
}
