// Written by: understudy generate --module GenerationFixtures --protocol Coding --failure TodoError.init --output Tests/UnderstudyCommandTests/Generation/Generated/Coding+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import GenerationFixtures
public import Understudy

extension Intercepted.Operation where Base: Coding {
  /// ``Coding/encode(_:)``.
  public static var encode: Self { Self("encode") }
  /// ``Coding/decode(_:from:)``.
  public static var decode: Self { Self("decode") }
  /// ``Coding/describe(_:)``.
  public static var describe: Self { Self("describe") }
  /// ``Coding/join(_:)``.
  public static var join: Self { Self("join") }
}

extension Intercepted: Coding where Base: Coding {
  /// ``Coding/encode(_:)``, through the interceptors.
  public func encode<Value>(_ value: Value) async throws -> String where Value : Encodable, Value : Sendable {
    try await intercept(.encode, value, failure: { TodoError($0) as any Error }) { base throws in
      try await base.encode(value)
    }
  }

  /// ``Coding/decode(_:from:)``, through the interceptors.
  public func decode<Value>(
    _ type: Value.Type, from text: String
  ) async throws -> Value where Value : Decodable, Value : SendableMetatype {
    try await intercept(.decode, type, text, failure: { TodoError($0) as any Error }) { base throws in
      try await base.decode(type, from: text)
    }
  }

  /// ``Coding/describe(_:)``, through the interceptors.
  public func describe(_ values: some Sendable & Sequence<Int>) async throws -> String {
    try await intercept(.describe, values, failure: { TodoError($0) as any Error }) { base throws in
      try await base.describe(values)
    }
  }

  /// ``Coding/join(_:)``, through the interceptors.
  public func join<each Part>(
    _ part: repeat each Part
  ) async throws -> Int where repeat each Part : Sendable {
    try await intercept(.join, repeat each part, failure: { TodoError($0) as any Error }) { base throws in
      try await base.join(repeat each part)
    }
  }
}

/// A ``Coding`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedCoding: Coding {
  // Coding.encode(_:) is generic, as no closure is: it always throws.

  // Coding.decode(_:from:) is generic, as no closure is: it always throws.

  // Coding.describe(_:) is generic, as no closure is: it always throws.

  // Coding.join(_:) is generic, as no closure is: it always throws.

  /// A double that implements nothing yet.
  public init() {}

  /// Calls what the test says.
  public func encode<Value>(_ value: Value) async throws -> String where Value : Encodable, Value : Sendable {
    throw TodoError(Fault.unimplemented("Coding.encode(_:)"))
  }

  /// Calls what the test says.
  public func decode<Value>(
    _ type: Value.Type, from text: String
  ) async throws -> Value where Value : Decodable, Value : SendableMetatype {
    throw TodoError(Fault.unimplemented("Coding.decode(_:from:)"))
  }

  /// Calls what the test says.
  public func describe(_ values: some Sendable & Sequence<Int>) async throws -> String {
    throw TodoError(Fault.unimplemented("Coding.describe(_:)"))
  }

  /// Calls what the test says.
  public func join<each Part>(
    _ part: repeat each Part
  ) async throws -> Int where repeat each Part : Sendable {
    throw TodoError(Fault.unimplemented("Coding.join(_:)"))
  }
}
