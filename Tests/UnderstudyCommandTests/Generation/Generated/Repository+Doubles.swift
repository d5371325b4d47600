// Written by: understudy generate --module GenerationFixtures --protocol Repository --protocol Cache --failure TodoError.init --output Tests/UnderstudyCommandTests/Generation/Generated/Repository+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import GenerationFixtures
public import Understudy

extension Intercepted.Operation where Base: Repository {
  /// ``Repository/save(_:)``.
  public static var save: Self { Self("save") }
  /// ``Repository/all()``.
  public static var all: Self { Self("all") }
  /// ``Repository/first(where:)``.
  public static var first: Self { Self("first") }
}

extension Intercepted: Repository where Base: Repository {
  /// What the base has.
  public typealias Item = Base.Item
  /// What the base has.
  public typealias Marker = Base.Marker

  /// ``Repository/save(_:)``, through the interceptors.
  public func save(_ item: Base.Item) async throws {
    try await intercept(.save, item, failure: { TodoError($0) as any Error }) { base throws in
      try await base.save(item)
    }
  }

  /// ``Repository/all()``, through the interceptors.
  public func all() async throws(TodoError) -> [Base.Item] {
    try await intercept(.all, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.all()
    }
  }

  /// ``Repository/first(where:)``, through the interceptors; it cannot fail, so a fault lets it pass.
  ///
  /// Logs do not have `isIncluded`: not `Sendable`, or a function.
  public func first(where isIncluded: @Sendable (Base.Item) -> Bool) async -> Base.Item? {
    await intercept(.first) { base in
      await base.first(where: isIncluded)
    }
  }
}

extension Intercepted.Operation where Base: Cache {
  /// ``Cache/cached()``.
  public static var cached: Self { Self("cached") }
}

extension Intercepted: Cache where Base: Cache {
  /// What the base has.
  public typealias Item = Base.Item

  /// ``Cache/cached()``, through the interceptors.
  public func cached() async throws -> Base.Item? {
    try await intercept(.cached, failure: { TodoError($0) as any Error }) { base throws in
      try await base.cached()
    }
  }
}

/// A ``Repository`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedRepository<Item: Hashable & Sendable, Marker: Sendable>: Repository {
  /// ``Repository/save(_:)``.
  public var onSave: @Sendable (_ item: Item) async throws -> Void = { _ throws in
    throw TodoError(Fault.unimplemented("Repository.save(_:)", closure: "onSave"))
  }

  /// ``Repository/all()``.
  public var onAll: @Sendable () async throws(TodoError) -> [Item] = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("Repository.all()", closure: "onAll"))
  }

  /// ``Repository/first(where:)``.
  public var onFirst: @Sendable (_ isIncluded: @Sendable (Item) -> Bool) async -> Item?

  /// A double that implements what it is given.
  public init(onFirst: @escaping @Sendable (_ isIncluded: @Sendable (Item) -> Bool) async -> Item?) {
    self.onFirst = onFirst
  }

  /// Calls what the test says.
  public func save(_ item: Item) async throws {
    try await onSave(item)
  }

  /// Calls what the test says.
  public func all() async throws(TodoError) -> [Item] {
    try await onAll()
  }

  /// Calls what the test says.
  public func first(where isIncluded: @Sendable (Item) -> Bool) async -> Item? {
    await onFirst(isIncluded)
  }
}

/// A ``Cache`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedCache<Item: Sendable>: Cache {
  /// ``Cache/cached()``.
  public var onCached: @Sendable () async throws -> Item? = { () throws in
    throw TodoError(Fault.unimplemented("Cache.cached()", closure: "onCached"))
  }

  /// A double that implements nothing yet.
  public init() {}

  /// Calls what the test says.
  public func cached() async throws -> Item? {
    try await onCached()
  }
}
