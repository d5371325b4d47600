// Written by: understudy generate --module GenerationFixtures --protocol Named --omit CustomStringConvertible --output Tests/UnderstudyCommandTests/Generation/Generated/Named+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import GenerationFixtures
public import Understudy

extension Intercepted.Operation where Base: Named {
  /// ``Named/rename(_:)``.
  public static var rename: Self { Self("rename") }
}

extension Intercepted: Named where Base: Named {
  /// ``Named/rename(_:)``, through the interceptors.
  public func rename(_ name: String) async throws(TodoError) {
    try await intercept(.rename, name, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.rename(name)
    }
  }
}

/// A ``Named`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedNamed: Named {
  /// ``Named/rename(_:)``.
  public var onRename: @Sendable (_ name: String) async throws(TodoError) -> Void = { _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("Named.rename(_:)", closure: "onRename"))
  }

  /// A double that implements nothing yet.
  public init() {}

  /// Calls what the test says.
  public func rename(_ name: String) async throws(TodoError) {
    try await onRename(name)
  }
}
