// Requirements of types, and those that refer to the type itself.

import Foundation

enum MakeError: Error {
  case invalid
}

infix operator <~

// generated --write intercepted
protocol StaticMethod: Sendable {
  static func standard() -> Int
  func load() async throws(MakeError)
}

// generated --write intercepted --failure MakeError.init
protocol StaticMethodThatThrows: Sendable {
  static func version(of name: String) async throws -> Int
  static func check() throws(MakeError)
  func load() async throws
}

// generated --write intercepted
protocol Initializer: Sendable {
  init(baseURL: URL)
  func load() async throws(MakeError) -> Data
}

// generated --write intercepted
protocol InitializerThatThrows: Sendable {
  init(path: String) throws
  init(name: String, retries: Int) throws(MakeError)
  func load() async throws(MakeError)
}

// generated --write intercepted
protocol FailableInitializer: Sendable {
  init?(url: URL)
  func load() async throws(MakeError)
}

// generated --write intercepted
protocol AsyncInitializer: Sendable {
  init(name: String) async throws
  func load() async throws(MakeError)
}

// generated --write intercepted
protocol InitializerWithoutArguments: AnyObject, Sendable {
  init()
  func load() async throws(MakeError)
}

// refused: change(): it mutates the value
protocol Mutating {
  mutating func change()
}

// refused: change(to:): it mutates the value
protocol MutatingAsync: Sendable {
  mutating func change(to value: Int) async throws(MakeError)
}

// generated --write intercepted
protocol EqualityOperator: Sendable {
  static func == (one: Self, other: Self) -> Bool
  func load() async throws(MakeError)
}

// generated --write intercepted
protocol OwnOperator: Sendable {
  static func <~ (store: Self, value: Int)
  func load() async throws(MakeError)
}

// refused: configured(with:): it uses Self
protocol ReturnsSelf: Sendable {
  func configured(with name: String) -> Self
}

// refused: merge(_:): it uses Self
protocol TakesSelf: Sendable {
  func merge(_ other: Self) async throws(MakeError)
}

// refused: shared: it uses Self
protocol StaticSelf: Sendable {
  static var shared: Self { get }
}

// generated
protocol CallAsFunction: Sendable {
  func callAsFunction(_ id: Int) async throws(MakeError) -> String
}

// generated
// logged: isSupported
protocol Metatypes: Sendable {
  func register(_ type: any Error.Type, named name: String) async throws(MakeError)
  func isSupported(_ type: Any.Type) -> Bool
}
