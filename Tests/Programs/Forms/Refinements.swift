// Protocols that refine others.

import Foundation
import Observation

enum StoreError: Error {
  case missing
}

class Desk {}

// generated
// logged: name
protocol Named: Sendable {
  var name: String { get }
}

// generated
protocol Closing: Sendable {
  func close() async throws(StoreError)
}

// generated
// logged: name
protocol RefinesOwn: Named {
  func load() async throws(StoreError) -> [String]
}

// generated
// logged: name
protocol RefinesTwo: Named, Closing {
  func load() async throws(StoreError) -> [String]
}

// generated
// logged: name
protocol RefinesTwice: RefinesOwn, RefinesTwo {
  func reload() async throws(StoreError)
}

// generated
// logged: name
protocol RefinesComposition: Named & Closing {}

// generated
// logged: name
protocol RepeatsRequirement: Named {
  var name: String { get }
  func load() async throws(StoreError)
}

// refused: name: it adds a setter to a property of a protocol that it refines
protocol AddsSetter: Named, AnyObject {
  var name: String { get set }
}

// generated --write intercepted
protocol RefinesHashable: Hashable, Sendable {
  func load() async throws(StoreError) -> Int
}

// generated --write intercepted
protocol RefinesEquatable: Equatable, Sendable {
  func load() async throws(StoreError) -> Int
}

// generated --write intercepted
protocol RefinesIdentifiable: Identifiable, Sendable {
  func load() async throws(StoreError) -> Int
}

// generated --write intercepted
protocol RefinesIdentifiableWithType: Identifiable, Sendable where ID == UUID {
  func load(_ id: ID) async throws(StoreError) -> Int
}

// generated
// logged: titles
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor protocol RefinesObservable: AnyObject, Observable {
  var titles: [String] { get }
  func load() async throws(StoreError)
}

// generated
// logged: code
protocol RefinesError: Error {
  var code: Int { get }
}

// refused: CustomStringConvertible: write the conformance to it by hand
protocol RefinesTextual: Sendable, CustomStringConvertible {
  func load() async throws(StoreError)
}

// refused: RefinesClass: it requires a subclass of Desk
protocol RefinesClass: Desk {
  func load() async throws(StoreError)
}
