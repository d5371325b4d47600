// Written by: understudy generate --module GenerationFixtures --protocol TodoService --failure TodoError.init --output Tests/UnderstudyCommandTests/Generation/Generated/TodoService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import Foundation
public import GenerationFixtures
public import GenerationFixturesBase
public import Understudy

extension Intercepted.Operation where Base: Closing {
  /// ``Closing/close()``.
  public static var close: Self { Self("close") }
  /// ``Closing/closings``.
  public static var closings: Self { Self("closings") }
}

extension Intercepted: Closing where Base: Closing {
  /// ``Closing/close()``, through the interceptors; it cannot fail, so a fault lets it pass.
  public func close() async {
    await intercept(.close) { base in
      await base.close()
    }
  }

  /// ``Closing/closings``, through the interceptors.
  public var closings: Int {
    get async throws {
      try await intercept(.closings, failure: { TodoError($0) as any Error }) { base throws in
        try await base.closings
      }
    }
  }
}

extension Intercepted.Operation where Base: TodoService {
  /// ``TodoService/add(_:)``.
  public static var add: Self { Self("add") }
  /// ``TodoService/add(_:at:)``.
  public static var addAt: Self { Self("addAt") }
  /// ``TodoService/add(_:)``.
  public static var addString: Self { Self("addString") }
  /// ``TodoService/items()``.
  public static var items: Self { Self("items") }
  /// ``TodoService/count()``.
  public static var count: Self { Self("count") }
  /// ``TodoService/cached()``.
  public static var cached: Self { Self("cached") }
  /// ``TodoService/checked(_:)``.
  public static var checked: Self { Self("checked") }
  /// ``TodoService/move(from:to:)``.
  public static var move: Self { Self("move") }
  /// ``TodoService/repeat(in:_:)``.
  public static var `repeat`: Self { Self("repeat") }
  /// ``TodoService/submit(_:)``.
  public static var submit: Self { Self("submit") }
  /// ``TodoService/count(into:)``.
  public static var countInto: Self { Self("countInto") }
  /// ``TodoService/each(_:)``.
  public static var each: Self { Self("each") }
  /// ``TodoService/sorted(by:)``.
  public static var sorted: Self { Self("sorted") }
  /// ``TodoService/lazily(_:)``.
  public static var lazily: Self { Self("lazily") }
  /// ``TodoService/keep(_:beside:)``.
  public static var keep: Self { Self("keep") }
  /// ``TodoService/any(of:)``.
  public static var anyOf: Self { Self("anyOf") }
  /// ``TodoService/name``.
  public static var name: Self { Self("name") }
  /// ``TodoService/remaining``.
  public static var remaining: Self { Self("remaining") }
  /// ``TodoService/latest``.
  public static var latest: Self { Self("latest") }
  /// ``TodoService/strict``.
  public static var strict: Self { Self("strict") }
  /// ``TodoService/subscript(_:)``.
  public static var `subscript`: Self { Self("subscript") }
  /// ``TodoService/subscript(named:)``.
  public static var subscriptNamed: Self { Self("subscriptNamed") }
  /// ``TodoService/everything()``.
  public static var everything: Self { Self("everything") }
  /// ``TodoService/news()``.
  public static var news: Self { Self("news") }
}

extension Intercepted: TodoService where Base: TodoService {
  /// ``TodoService/add(_:)``, through the interceptors.
  @discardableResult public func add(_ title: String) async throws(TodoError) -> Todo {
    try await intercept(.add, title, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.add(title)
    }
  }

  /// ``TodoService/add(_:at:)``, through the interceptors.
  public func add(_ title: String, at index: Int) async throws(TodoError) -> Todo {
    try await intercept(.addAt, title, index, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.add(title, at: index)
    }
  }

  /// ``TodoService/add(_:)``, through the interceptors.
  public func add(_ titles: [String]) async throws(TodoError) -> Todo {
    try await intercept(.addString, titles, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.add(titles)
    }
  }

  /// ``TodoService/items()``, through the interceptors.
  public func items() async throws -> [Todo] {
    try await intercept(.items, failure: { TodoError($0) as any Error }) { base throws in
      try await base.items()
    }
  }

  /// ``TodoService/count()``, through the interceptors; it cannot fail, so a fault lets it pass.
  public func count() async -> Int {
    await intercept(.count) { base in
      await base.count()
    }
  }

  /// ``TodoService/cached()``, which logs see and nothing else does.
  public func cached() -> [Todo] {
    forward(.cached) { base in
      base.cached()
    }
  }

  /// ``TodoService/checked(_:)``, which logs see and nothing else does.
  public func checked(_ title: String) throws(TodoError) -> Bool {
    try forward(.checked, title) { base throws(TodoError) in
      try base.checked(title)
    }
  }

  /// ``TodoService/move(from:to:)``, through the interceptors.
  public func move(
    from base: Int, to target: GenerationFixtures.Operation
  ) async throws(TodoError) -> (from: Int, to: GenerationFixtures.Operation) {
    try await intercept(.move, base, target, failure: { TodoError($0) }) { service throws(TodoError) in
      try await service.move(from: base, to: target)
    }
  }

  /// ``TodoService/repeat(in:_:)``, through the interceptors.
  public func `repeat`(in for: Int, _ while: UUID?) async throws(TodoError) -> Int {
    try await intercept(.`repeat`, `for`, `while`, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.`repeat`(in: `for`, `while`)
    }
  }

  /// ``TodoService/submit(_:)``, through the interceptors.
  ///
  /// Logs do not have `draft`: not `Sendable`, or a function.
  nonisolated(nonsending) public func submit(_ draft: Draft) async throws {
    try await intercept(.submit, failure: { TodoError($0) as any Error }) { base throws in
      try await base.submit(draft)
    }
  }

  /// ``TodoService/count(into:)``, through the interceptors.
  public func count(into total: inout Int) async throws(TodoError) {
    try await intercept(.countInto, total, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.count(into: &total)
    }
  }

  /// ``TodoService/each(_:)``, through the interceptors.
  ///
  /// Logs do not have `body`: not `Sendable`, or a function.
  public func each(_ body: @escaping @Sendable (Todo) async throws -> Void) async throws {
    try await intercept(.each, failure: { TodoError($0) as any Error }) { base throws in
      try await base.each(body)
    }
  }

  /// ``TodoService/sorted(by:)``, which logs see and nothing else does.
  ///
  /// Logs do not have `areInOrder`: not `Sendable`, or a function.
  public func sorted(by areInOrder: (Todo, Todo) -> Bool) -> [Todo] {
    forward(.sorted) { base in
      base.sorted(by: areInOrder)
    }
  }

  /// ``TodoService/lazily(_:)``, which logs see and nothing else does.
  ///
  /// Logs do not have `title`: not `Sendable`, or a function.
  public func lazily(_ title: @autoclosure () -> String) -> String {
    forward(.lazily) { base in
      base.lazily(title())
    }
  }

  /// ``TodoService/keep(_:beside:)``, through the interceptors.
  public func keep(_ titles: [String], beside others: [String]) async throws(TodoError) {
    try await intercept(.keep, titles, others, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.keep(titles, beside: others)
    }
  }

  /// ``TodoService/any(of:)``, through the interceptors.
  public func any(of titles: [String]) async throws(TodoError) -> String? {
    try await intercept(.anyOf, titles, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.any(of: titles)
    }
  }

  /// ``TodoService/name``, which logs see and nothing else does.
  public var name: String {
    forward(.name) { base in
      base.name
    }
  }

  /// ``TodoService/remaining``, through the interceptors; it cannot fail, so a fault lets it pass.
  public var remaining: Int {
    get async {
      await intercept(.remaining) { base in
        await base.remaining
      }
    }
  }

  /// ``TodoService/latest``, through the interceptors.
  public var latest: Todo {
    get async throws(TodoError) {
      try await intercept(.latest, failure: { TodoError($0) }) { base throws(TodoError) in
        try await base.latest
      }
    }
  }

  /// ``TodoService/strict``, which logs see and nothing else does.
  public var strict: Todo {
    get throws(TodoError) {
      try forward(.strict) { base throws(TodoError) in
        try base.strict
      }
    }
  }

  /// ``TodoService/subscript(_:)``, which logs see and nothing else does.
  public subscript(index: Int) -> Todo {
    forward(.`subscript`, index) { base in
      base[index]
    }
  }

  /// ``TodoService/subscript(named:)``, through the interceptors.
  public subscript(named name: String) -> Todo {
    get async throws(TodoError) {
      try await intercept(.subscriptNamed, name, failure: { TodoError($0) }) { base throws(TodoError) in
        try await base[named: name]
      }
    }
  }

  /// ``TodoService/everything()``, through the interceptors.
  @available(*, deprecated, message: "Ask for the items.")
  public func everything() async throws(TodoError) -> [Todo] {
    try await intercept(.everything, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.everything()
    }
  }

  /// ``TodoService/news()``, through the interceptors.
  @available(iOS, introduced: 18)
  @available(macOS, introduced: 15)
  @available(tvOS, introduced: 18)
  @available(visionOS, introduced: 2)
  @available(watchOS, introduced: 11)
  public func news() async throws(TodoError) -> String {
    try await intercept(.news, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.news()
    }
  }
}

/// A ``TodoService`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedTodoService: TodoService {
  /// ``Closing/close()``.
  public var onClose: @Sendable () async -> Void

  /// ``Closing/closings``.
  public var onClosings: @Sendable () async throws -> Int = { () throws in
    throw TodoError(Fault.unimplemented("Closing.closings", closure: "onClosings"))
  }

  /// ``TodoService/add(_:)``.
  public var onAdd: @Sendable (_ title: String) async throws(TodoError) -> Todo = { _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.add(_:)", closure: "onAdd"))
  }

  /// ``TodoService/add(_:at:)``.
  public var onAddAt: @Sendable (_ title: String, _ index: Int) async throws(TodoError) -> Todo = {
    _, _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.add(_:at:)", closure: "onAddAt"))
  }

  /// ``TodoService/add(_:)``.
  public var onAddString: @Sendable (_ titles: [String]) async throws(TodoError) -> Todo = {
    _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.add(_:)", closure: "onAddString"))
  }

  /// ``TodoService/items()``.
  public var onItems: @Sendable () async throws -> [Todo] = { () throws in
    throw TodoError(Fault.unimplemented("TodoService.items()", closure: "onItems"))
  }

  /// ``TodoService/count()``.
  public var onCount: @Sendable () async -> Int

  /// ``TodoService/cached()``.
  public var onCached: @Sendable () -> [Todo]

  /// ``TodoService/checked(_:)``.
  public var onChecked: @Sendable (_ title: String) throws(TodoError) -> Bool = { _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.checked(_:)", closure: "onChecked"))
  }

  /// ``TodoService/move(from:to:)``.
  public var onMove: @Sendable (_ base: Int, _ target: GenerationFixtures.Operation) async throws(TodoError) -> (from: Int, to: GenerationFixtures.Operation) = {
    _, _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.move(from:to:)", closure: "onMove"))
  }

  /// ``TodoService/repeat(in:_:)``.
  public var onRepeat: @Sendable (_ `for`: Int, _ `while`: UUID?) async throws(TodoError) -> Int = {
    _, _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.repeat(in:_:)", closure: "onRepeat"))
  }

  /// ``TodoService/submit(_:)``.
  public var onSubmit: nonisolated(nonsending) @Sendable (_ draft: Draft) async throws -> Void = { _ throws in
    throw TodoError(Fault.unimplemented("TodoService.submit(_:)", closure: "onSubmit"))
  }

  /// ``TodoService/count(into:)``.
  public var onCountInto: @Sendable (_ total: inout Int) async throws(TodoError) -> Void = {
    _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.count(into:)", closure: "onCountInto"))
  }

  /// ``TodoService/each(_:)``.
  public var onEach: @Sendable (_ body: @escaping @Sendable (Todo) async throws -> Void) async throws -> Void = {
    _ throws in
    throw TodoError(Fault.unimplemented("TodoService.each(_:)", closure: "onEach"))
  }

  /// ``TodoService/sorted(by:)``.
  public var onSorted: @Sendable (_ areInOrder: (Todo, Todo) -> Bool) -> [Todo]

  /// ``TodoService/lazily(_:)``.
  public var onLazily: @Sendable (_ title: () -> String) -> String

  /// ``TodoService/keep(_:beside:)``.
  public var onKeep: @Sendable (_ titles: [String], _ others: [String]) async throws(TodoError) -> Void = {
    _, _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.keep(_:beside:)", closure: "onKeep"))
  }

  /// ``TodoService/any(of:)``.
  public var onAnyOf: @Sendable (_ titles: [String]) async throws(TodoError) -> String? = {
    _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.any(of:)", closure: "onAnyOf"))
  }

  /// ``TodoService/name``.
  public var name: String

  /// ``TodoService/remaining``.
  public var onRemaining: @Sendable () async -> Int

  /// ``TodoService/latest``.
  public var onLatest: @Sendable () async throws(TodoError) -> Todo = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.latest", closure: "onLatest"))
  }

  /// ``TodoService/strict``.
  public var onStrict: @Sendable () throws(TodoError) -> Todo = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.strict", closure: "onStrict"))
  }

  /// ``TodoService/subscript(_:)``.
  public var onSubscript: @Sendable (_ index: Int) -> Todo

  /// ``TodoService/subscript(named:)``.
  public var onSubscriptNamed: @Sendable (_ name: String) async throws(TodoError) -> Todo = {
    _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.subscript(named:)", closure: "onSubscriptNamed"))
  }

  /// ``TodoService/everything()``.
  public var onEverything: @Sendable () async throws(TodoError) -> [Todo] = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.everything()", closure: "onEverything"))
  }

  /// ``TodoService/news()``.
  public var onNews: @Sendable () async throws(TodoError) -> String = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.news()", closure: "onNews"))
  }

  /// A double that implements what it is given.
  public init(
    onClose: @escaping @Sendable () async -> Void,
    onCount: @escaping @Sendable () async -> Int,
    onCached: @escaping @Sendable () -> [Todo],
    onSorted: @escaping @Sendable (_ areInOrder: (Todo, Todo) -> Bool) -> [Todo],
    onLazily: @escaping @Sendable (_ title: () -> String) -> String,
    name: String,
    onRemaining: @escaping @Sendable () async -> Int,
    onSubscript: @escaping @Sendable (_ index: Int) -> Todo
  ) {
    self.onClose = onClose
    self.onCount = onCount
    self.onCached = onCached
    self.onSorted = onSorted
    self.onLazily = onLazily
    self.name = name
    self.onRemaining = onRemaining
    self.onSubscript = onSubscript
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
  @discardableResult public func add(_ title: String) async throws(TodoError) -> Todo {
    try await onAdd(title)
  }

  /// Calls what the test says.
  public func add(_ title: String, at index: Int) async throws(TodoError) -> Todo {
    try await onAddAt(title, index)
  }

  /// Calls what the test says.
  public func add(_ titles: [String]) async throws(TodoError) -> Todo {
    try await onAddString(titles)
  }

  /// Calls what the test says.
  public func items() async throws -> [Todo] {
    try await onItems()
  }

  /// Calls what the test says.
  public func count() async -> Int {
    await onCount()
  }

  /// Calls what the test says.
  public func cached() -> [Todo] {
    onCached()
  }

  /// Calls what the test says.
  public func checked(_ title: String) throws(TodoError) -> Bool {
    try onChecked(title)
  }

  /// Calls what the test says.
  public func move(
    from base: Int, to target: GenerationFixtures.Operation
  ) async throws(TodoError) -> (from: Int, to: GenerationFixtures.Operation) {
    try await onMove(base, target)
  }

  /// Calls what the test says.
  public func `repeat`(in for: Int, _ while: UUID?) async throws(TodoError) -> Int {
    try await onRepeat(`for`, `while`)
  }

  /// Calls what the test says.
  nonisolated(nonsending) public func submit(_ draft: Draft) async throws {
    try await onSubmit(draft)
  }

  /// Calls what the test says.
  public func count(into total: inout Int) async throws(TodoError) {
    try await onCountInto(&total)
  }

  /// Calls what the test says.
  public func each(_ body: @escaping @Sendable (Todo) async throws -> Void) async throws {
    try await onEach(body)
  }

  /// Calls what the test says.
  public func sorted(by areInOrder: (Todo, Todo) -> Bool) -> [Todo] {
    onSorted(areInOrder)
  }

  /// Calls what the test says.
  public func lazily(_ title: @autoclosure () -> String) -> String {
    onLazily(title)
  }

  /// Calls what the test says.
  public func keep(_ titles: [String], beside others: [String]) async throws(TodoError) {
    try await onKeep(titles, others)
  }

  /// Calls what the test says.
  public func any(of titles: [String]) async throws(TodoError) -> String? {
    try await onAnyOf(titles)
  }

  /// Calls what the test says.
  public var remaining: Int {
    get async {
      await onRemaining()
    }
  }

  /// Calls what the test says.
  public var latest: Todo {
    get async throws(TodoError) {
      try await onLatest()
    }
  }

  /// Calls what the test says.
  public var strict: Todo {
    get throws(TodoError) {
      try onStrict()
    }
  }

  /// Calls what the test says.
  public subscript(index: Int) -> Todo {
    onSubscript(index)
  }

  /// Calls what the test says.
  public subscript(named name: String) -> Todo {
    get async throws(TodoError) {
      try await onSubscriptNamed(name)
    }
  }

  /// Calls what the test says.
  @available(*, deprecated, message: "Ask for the items.")
  public func everything() async throws(TodoError) -> [Todo] {
    try await onEverything()
  }

  /// Calls what the test says.
  @available(iOS, introduced: 18)
  @available(macOS, introduced: 15)
  @available(tvOS, introduced: 18)
  @available(visionOS, introduced: 2)
  @available(watchOS, introduced: 11)
  public func news() async throws(TodoError) -> String {
    try await onNews()
  }
}
