/// Typed throws, documented, with an error whose names are usual.
public protocol LibraryService: Sendable {
  /// Adds a book to the shelf. Fails if it is there already.
  func add(title: String, pages: Int) async throws(LibraryError) -> Book
  /// All books, the newest first.
  func books() async throws(LibraryError) -> [Book]
  /// Finds a book by its number; `nil` if no shelf has it.
  func book(id: Book.ID) async throws(LibraryError) -> Book?
  /// Lends a book to a reader until a day.
  func lend(_ book: Book, to reader: Reader, days: Int) async throws(LibraryError)
}

/// A book.
public struct Book: Hashable, Sendable, Identifiable {
  /// The number.
  public let id: Int
  /// The title.
  public var title: String

  /// A book.
  public init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// A person who borrows books.
public struct Reader: Hashable, Sendable {
  /// How long a reader may keep a book.
  public enum Card: Hashable, Sendable {
    case regular
    case teacher(school: String)
  }

  /// The name.
  public var name: String
  /// The kind of card.
  public var card: Card

  /// A reader.
  public init(name: String, card: Card = .regular) {
    self.name = name
    self.card = card
  }
}

/// Why the library refused.
public enum LibraryError: Error, Hashable {
  case signedOut, notAllowed, bookNotFound, duplicate, lentOut
  case offline, timedOut, connectionLost, cancelled, unreadableAnswer, unavailable
}
