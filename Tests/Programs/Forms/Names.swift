// Names that need care, access and availability.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import Foundation

public enum NameError: Error {
  case unknown
}

public struct Page: Hashable, Sendable {
  public let number: Int
}

enum Shelf {
  // generated
  protocol Source: Sendable {
    func take() async throws(NameError) -> Page
  }

  struct Part: Sendable {
    // generated
    // logged: parts
    protocol Source: Sendable {
      func parts() -> [Part]
      func take(_ part: Part, completion: @escaping @Sendable (Result<Part, NameError>) -> Void)
    }
  }
}

// generated
// logged: events
protocol Aliases: Sendable {
  typealias Pages = [Page]
  typealias Handler = @Sendable (Result<Pages, NameError>) -> Void
  func pages() async throws(NameError) -> Pages
  func page(_ number: Int, _ handler: @escaping Handler)
  func events() -> Self.Pages
}

// generated
protocol AliasOperation: Sendable {
  typealias Operation = @Sendable () async throws(NameError) -> Page
  func perform(_ operation: @escaping Operation) async throws(NameError) -> Page
}

// generated
protocol AliasBase: Sendable {
  typealias Base = [Page]
  typealias Call = Int
  func pages(in base: Base, _ call: Call) async throws(NameError) -> Base
}

// generated
protocol GenericOverBase: Sendable {
  func load<Base: Sendable>(_ base: Base) async throws(NameError) -> Base
}

// generated
protocol GenericOverToolkitNames: Sendable {
  func load<Operation: Sendable, Subject: Sendable>(_ one: Operation, _ other: Subject)
    async throws(NameError)
  func send<Fault: Sendable, Failure: Sendable>(_ one: Fault, _ other: Failure) async throws(NameError)
  func keep<Argument: Sendable, Answer: Sendable>(_ one: Argument) async throws(NameError) -> Answer
}

// generated
// logged: default, setting
protocol Keywords: Sendable {
  func `Type`() async throws(NameError)
  func `repeat`(in place: Int, `while` name: String) async throws(NameError)
  func `init`() async throws(NameError)
  func `switch`(`case` name: String, _ `default`: Int?) throws(NameError)
  func `self`() async throws(NameError)
  var `default`: String { get }
  var `setting`: Int { get }
}

// generated
protocol KeywordsInCompletion: Sendable {
  func `import`(_ `class`: String, `return`: @escaping @Sendable (Result<Page, NameError>) -> Void)
}

// generated
// logged: größe
protocol OtherLetters: Sendable {
  func größe() -> Int
  func öffnen(_ straße: String) async throws(NameError)
}

// generated
// logged: base, chain
protocol MembersOfIntercepted: Sendable {
  var base: URL { get }
  func chain() -> [String]
  func intercept(_ page: Page) async throws(NameError)
  func forward(_ page: Page) throws(NameError)
}

// generated
// logged: any2, description
protocol OperationsOfIntercepted: Sendable {
  func any() -> Int
  func description() -> String
  func hash(_ text: String) async throws(NameError) -> Int
}

// generated --failure NameError.init
protocol ParametersWithoutNames: Sendable {
  func add(_: Int, _: String) async throws
  func put(_: Page, at _: Int) throws
}

// generated
protocol Documented: Sendable {
  /// Loads "all" pages, `*/` and \(none) included.
  ///
  /// - Parameter name: Of the `book`.
  func load(_ name: String) async throws(NameError) -> [Page]
}

// generated
// logged: everything
protocol DeprecatedMembers: Sendable {
  @available(*, deprecated, message: "Use \"pages\" instead.", renamed: "pages")
  func everything() -> [Page]
  @available(*, deprecated)
  func old() async throws(NameError)
  func pages() async throws(NameError) -> [Page]
}

// generated
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
protocol NewProtocol: Sendable {
  func pages() async throws(NameError) -> [Page]
}

// generated
protocol NewMembers: Sendable {
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func news() async throws(NameError) -> [Page]
  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func latest(_ completion: @escaping @Sendable (Result<Page, NameError>) -> Void)
  func pages() async throws(NameError) -> [Page]
}

// generated
// logged: name
public protocol PublicAccess: Sendable {
  var name: String { get }
  func pages() async throws(NameError) -> [Page]
  func page(_ number: Int, completion: @escaping @Sendable (Result<Page, NameError>) -> Void)
}

// generated
// logged: name
package protocol PackageAccess: Sendable {
  var name: String { get }
  func pages() async throws(NameError) -> [Page]
}

// generated
// logged: page
public protocol PublicAccessOfClass: AnyObject {
  func pages() async throws(NameError) -> [Page]
  func page() -> Page?
}

// generated
protocol WithoutRequirements: Sendable {}
