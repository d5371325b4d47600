// What a call receives.

import Foundation

enum InputError: Error {
  case invalid
}

struct Entry: Hashable, Codable, Sendable {
  var title: String
  let date: Date
}

final class Draft {
  var text = ""
}

// generated
// logged: count
protocol DefaultArguments: Sendable {
  func entries(limit: Int, containing text: String?) async throws(InputError) -> [Entry]
  func count(of text: String) -> Int
}

extension DefaultArguments {
  func entries(limit: Int = 20, containing text: String? = nil) async throws(InputError) -> [Entry] {
    try await entries(limit: limit, containing: text)
  }

  func count(of text: String = "") -> Int { text.count }
  func first() async throws(InputError) -> Entry? { try await entries(limit: 1).first }
}

// generated
// logged: remove
protocol OverloadsByLabel: Sendable {
  func entries() async throws(InputError) -> [Entry]
  func entries(on day: Date) async throws(InputError) -> [Entry]
  func entries(from first: Date, to last: Date) async throws(InputError) -> [Entry]
  func remove(_ entry: Entry)
  func remove(_ entry: Entry, completion: @escaping @Sendable (InputError?) -> Void)
}

// generated
protocol OverloadsByType: Sendable {
  func add(_ entry: Entry) async throws(InputError)
  func add(_ entries: [Entry]) async throws(InputError)
  func add(_ title: String) async throws(InputError)
  func add(_ draft: Draft) async throws(InputError)
}

// generated
protocol OverloadsByResult: Sendable {
  func value(for key: String) async throws(InputError) -> Int
  func value(for key: String) async throws(InputError) -> String?
  func value(for key: String) async throws(InputError) -> [Entry]
}

// generated --failure InputError.init
protocol GenericParameters: Sendable {
  func save<Value: Encodable & Sendable>(_ value: Value, as name: String) async throws
  func load<Value>(_ type: Value.Type) async throws -> Value where Value: Decodable & Sendable
  func all<Value: Decodable & Sendable>(of type: Value.Type, matching text: String?) async throws -> [Value]
}

// generated --failure InputError.init
protocol GenericParametersWithoutSendable {
  func save<Value: Encodable>(_ value: Value) async throws
  func load<Value: Decodable>(_ type: Value.Type) async throws -> Value
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

// refused --write unimplemented: value(for:): it is generic and does not throw
// refused --write unimplemented: set(_:for:): it is generic and does not throw
// generated --write intercepted
// logged: value, set
protocol GenericWithoutThrows: Sendable {
  func value<Value: Sendable>(for key: String) -> Value?
  func set<Value: Sendable>(_ value: Value, for key: String)
}

// generated --failure InputError.init
protocol OpaqueParameters: Sendable {
  func add(_ entries: some Sequence<Entry> & Sendable) async throws
  func describe(_ value: some CustomStringConvertible & Sendable) throws -> String
}

// generated --failure InputError.init
protocol ParameterPacks: Sendable {
  func join<each Part: Sendable>(_ part: repeat each Part) async throws -> Int
}

// refused: add(_:): its parameter entries is variadic
protocol Variadic: Sendable {
  func add(_ entries: Entry...) async throws(InputError)
}

// The array is the forwarding of a variadic parameter.
// generated
protocol VariadicBesideArray: Sendable {
  func add(_ entries: Entry...) async throws(InputError)
  func add(_ entries: [Entry]) async throws(InputError)
}

// generated
// logged: normalize
protocol Inout: Sendable {
  func fill(_ entry: inout Entry) async throws(InputError)
  func normalize(_ text: inout String)
}

// generated
// logged: log
protocol Autoclosure: Sendable {
  func log(_ message: @autoclosure () -> String, level: Int)
  func check(_ condition: @autoclosure () throws -> Bool) throws(InputError)
}

// generated --failure InputError.init
// logged: sorted, observe
protocol Functions: Sendable {
  func perform(_ work: @escaping @Sendable () async throws -> Void) async throws
  func transaction(_ body: @Sendable (Int) throws -> Entry) async throws -> Entry
  func sorted(by areInOrder: (Entry, Entry) -> Bool) -> [Entry]
  func observe(_ handler: @escaping () -> Void, onEnd: (() -> Void)?)
  func retry(_ work: @escaping () throws -> Void) throws
}

// refused: each(_:): its parameter body is not Sendable
protocol FunctionThatStays: Sendable {
  func each(_ body: (Entry) -> Void) async throws(InputError)
}

// generated
protocol Tuples: Sendable {
  func move(_ range: (from: Int, to: Int)) async throws(InputError) -> (old: Entry, new: Entry)
  func pairs(_ pairs: [(String, Int)]) async throws(InputError) -> [(key: String, value: Int)]
}

// generated --failure InputError.init
protocol AnyValues {
  func send(_ body: [String: Any]) async throws -> [String: Any]
  func track(_ name: String, parameters: [String: Any]?) throws
  func encode(_ value: any Encodable) async throws -> Data
  func wrap(_ value: Any) async throws -> Any?
}

// generated
// delayed: latest
protocol WithoutSendable {
  func submit(_ draft: Draft) async throws(InputError) -> Draft
  func latest() async -> Draft?
  func merge(_ drafts: [Draft], into other: Draft?) async throws(InputError)
}

// generated
// logged: text
protocol KeyPaths: Sendable {
  func sorted(by path: KeyPath<Entry, String>) async throws(InputError) -> [Entry]
  func text(at path: WritableKeyPath<Entry, String>) -> String
}

// generated
protocol Ownership: Sendable {
  func keep(_ entries: consuming [Entry], beside others: borrowing [Entry]) async throws(InputError)
  func send(_ draft: sending Draft) async throws(InputError) -> sending Draft
  func on(_ actor: isolated (any Actor)?, _ entry: Entry) async throws(InputError)
}

// The names that generated code uses itself.
// generated
protocol NamesInGeneratedCode: Sendable {
  func add(base: Int, service: Int, subject: Int) async throws(InputError) -> Int
  func fail(failure: Int, fault: Int, error: Int, operation: Int) async throws(InputError)
  func answer(_ answer: Int, completion: @escaping @Sendable (Result<Int, InputError>) -> Void)
  func call(intercept: Int, forward: Int, interceptSynchronously: Int) async throws(InputError)
  func note(value: Int, newValue: Int, elements: Int, observer: Int) throws(InputError)
  func each(`self`: Int, `in` place: Int, `for` name: String) async throws(InputError)
}

// generated
protocol LongDeclaration: Sendable {
  func search(
    containing text: String?, in folders: [String], from first: Date?, to last: Date?, limit: Int,
    offset: Int,
    sortedBy order: [String: Bool], includingArchived isIncludingArchived: Bool
  ) async throws(InputError) -> (entries: [Entry], total: Int, next: Int?)
}
