// Written by: understudy generate --module Todos --protocol TodoService --output Sources/TodoDoubles/Generated/TodoService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import Todos
public import Understudy

extension Intercepted.Operation where Base: TodoService {
  /// ``TodoService/add(_:)``.
  public static var add: Self { Self("add") }
  /// ``TodoService/items()``.
  public static var items: Self { Self("items") }
  /// ``TodoService/setDone(_:id:)``.
  public static var setDone: Self { Self("setDone") }
  /// ``TodoService/remove(id:)``.
  public static var remove: Self { Self("remove") }
}

extension Intercepted: TodoService where Base: TodoService {
  /// ``TodoService/add(_:)``, through the interceptors.
  public func add(_ title: String) async throws(TodoError) -> Todo {
    try await intercept(.add, title, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.add(title)
    }
  }

  /// ``TodoService/items()``, through the interceptors.
  public func items() async throws(TodoError) -> [Todo] {
    try await intercept(.items, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.items()
    }
  }

  /// ``TodoService/setDone(_:id:)``, through the interceptors.
  public func setDone(_ isDone: Bool, id: Todo.ID) async throws(TodoError) -> Todo {
    try await intercept(.setDone, isDone, id, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.setDone(isDone, id: id)
    }
  }

  /// ``TodoService/remove(id:)``, through the interceptors.
  public func remove(id: Todo.ID) async throws(TodoError) {
    try await intercept(.remove, id, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.remove(id: id)
    }
  }
}

/// A ``TodoService`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedTodoService: TodoService {
  /// ``TodoService/add(_:)``.
  public var onAdd: @Sendable (_ title: String) async throws(TodoError) -> Todo = { _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.add(_:)", closure: "onAdd"))
  }

  /// ``TodoService/items()``.
  public var onItems: @Sendable () async throws(TodoError) -> [Todo] = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.items()", closure: "onItems"))
  }

  /// ``TodoService/setDone(_:id:)``.
  public var onSetDone: @Sendable (_ isDone: Bool, _ id: Todo.ID) async throws(TodoError) -> Todo = {
    _, _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.setDone(_:id:)", closure: "onSetDone"))
  }

  /// ``TodoService/remove(id:)``.
  public var onRemove: @Sendable (_ id: Todo.ID) async throws(TodoError) -> Void = { _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("TodoService.remove(id:)", closure: "onRemove"))
  }

  /// A double that implements nothing yet.
  public init() {}

  /// Calls what the test says.
  public func add(_ title: String) async throws(TodoError) -> Todo {
    try await onAdd(title)
  }

  /// Calls what the test says.
  public func items() async throws(TodoError) -> [Todo] {
    try await onItems()
  }

  /// Calls what the test says.
  public func setDone(_ isDone: Bool, id: Todo.ID) async throws(TodoError) -> Todo {
    try await onSetDone(isDone, id)
  }

  /// Calls what the test says.
  public func remove(id: Todo.ID) async throws(TodoError) {
    try await onRemove(id)
  }
}
