// Properties and subscripts.

import Foundation

enum StateError: Error {
  case unknown
}

// generated
// logged: observer
protocol Observing: AnyObject {
  func observer(didChange value: Int)
}

// generated
// logged: name, isOpen
protocol ReadOnly: Sendable {
  var name: String { get }
  var isOpen: Bool { get }
}

// refused: name: it mutates the value
protocol ReadWrite: Sendable {
  var name: String { get set }
}

// refused --write unimplemented: name: it is settable, so the double would require a lock
// generated --write intercepted
// logged: name, setName
protocol ReadWriteOfClass: AnyObject {
  var name: String { get set }
}

// generated
// logged: name, setName, onChange, setOnChange, observer, setObserver
@MainActor protocol ReadWriteOnMainActor: AnyObject {
  var name: String { get set }
  var onChange: ((String) -> Void)? { get set }
  var observer: (any Observing)? { get set }
}

// refused --write unimplemented: name: its setter is nonmutating
// generated --write intercepted
// logged: name, setName
protocol NonmutatingSetter: Sendable {
  var name: String { get nonmutating set }
}

// refused: name: it mutates the value
protocol MutatingGetter {
  var name: String { mutating get }
}

// generated --failure StateError.init
// delayed: count
protocol AccessorsWithEffects: Sendable {
  var count: Int { get async }
  var total: Int { get throws }
  var latest: String { get async throws }
  var oldest: String { get async throws(StateError) }
  var strict: String { get throws(StateError) }
}

// generated --write intercepted
protocol StaticProperty: Sendable {
  static var name: String { get }
  func load() async throws(StateError)
}

// generated --write intercepted
protocol StaticPropertyWithSetter: Sendable {
  static var isEnabled: Bool { get set }
  func load() async throws(StateError)
}

// generated
// logged: subscript, subscriptNamed
protocol Subscripts: Sendable {
  subscript(index: Int) -> String { get }
  subscript(named name: String) -> String? { get }
}

// generated --failure StateError.init
protocol SubscriptsWithEffects: Sendable {
  subscript(index: Int) -> String { get async throws }
  subscript(named name: String, version: Int) -> String { get throws(StateError) }
}

// refused --write unimplemented: subscript(_:): it is a settable subscript
// generated --write intercepted
// logged: subscript, setSubscript
protocol SettableSubscript: AnyObject {
  subscript(key: String) -> Data? { get set }
}

// refused --write unimplemented: subscript(_:): it is generic and does not throw
// generated --write intercepted
// logged: subscript
protocol GenericSubscript: Sendable {
  subscript<Value: Sendable>(key: String) -> Value? { get }
}
