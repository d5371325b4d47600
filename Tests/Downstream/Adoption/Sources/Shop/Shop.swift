import ShopErrors

/// Plain throws: the error is the only one that another target of the package lets it throw.
public protocol OrderService: Sendable {
  func order(_ article: Article) async throws -> Int
  func cancel(_ number: Int) async throws
}

/// Typed throws, of an error of another target.
public protocol BasketService: Sendable {
  func add(_ article: Article) async throws(ShopError) -> Int
  func articles() async throws(ShopError) -> [Article]
}

/// Known in the module alone, with plain throws: an internal error of another target is not one that it can throw.
protocol ReturnDesk: Sendable {
  func take(_ article: Article) async throws
}

/// Something that is sold.
public struct Article: Hashable, Sendable {
  /// What it is called.
  public let name: String

  /// An article.
  public init(name: String) { self.name = name }
}
