// Written by: understudy generate --module GenerationFixtures --protocol Assorted --omit 'make()' --omit add --output Tests/UnderstudyCommandTests/Generation/Generated/Assorted+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import GenerationFixtures
public import Understudy

extension Intercepted.Operation where Base: Assorted {
  /// ``Assorted/add(_:)``.
  public static var add: Self { Self("add") }
  /// ``Assorted/load()``.
  public static var load: Self { Self("load") }
}

extension Intercepted: Assorted where Base: Assorted {
  /// ``Assorted/load()``, through the interceptors.
  public func load() async throws(TodoError) -> Int {
    try await intercept(.load, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.load()
    }
  }
}

/// A ``Assorted`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedAssorted: Assorted {
  /// ``Assorted/load()``.
  public var onLoad: @Sendable () async throws(TodoError) -> Int = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("Assorted.load()", closure: "onLoad"))
  }

  /// A double that implements nothing yet.
  public init() {}

  /// Calls what the test says.
  public func load() async throws(TodoError) -> Int {
    try await onLoad()
  }
}
