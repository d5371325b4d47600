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

/// A structure of closures.
public struct StockClient: Sendable {
  /// How many there are of an article.
  public var count: @Sendable (_ article: Article) async throws(ShopError) -> Int
  /// Removes an article.
  public var remove: @Sendable (Article) async throws(ShopError) -> Void
  /// The articles that are sold from now on.
  public var sold: @Sendable () -> AsyncThrowingStream<Article, any Error>
  /// Whether the stock is open.
  public var isOpen: @Sendable () -> Bool
  /// The name of the stock.
  public var name: String

  /// A client of closures.
  public init(
    count: @escaping @Sendable (_ article: Article) async throws(ShopError) -> Int,
    remove: @escaping @Sendable (Article) async throws(ShopError) -> Void,
    sold: @escaping @Sendable () -> AsyncThrowingStream<Article, any Error>,
    isOpen: @escaping @Sendable () -> Bool, name: String = "Stock"
  ) {
    self.count = count
    self.remove = remove
    self.sold = sold
    self.isOpen = isOpen
    self.name = name
  }
}

/// A structure of closures that is known in the module alone, with the initializer of the compiler.
struct QueueClient {
  var length: @Sendable () async throws -> Int
  var leave:
    @Sendable (_ place: Int, _ completion: @escaping @Sendable (Result<Int, ShopError>) -> Void) -> Void
}

/// Something that is sold.
public struct Article: Hashable, Sendable {
  /// What it is called.
  public let name: String

  /// An article.
  public init(name: String) { self.name = name }
}
