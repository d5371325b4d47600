import Understudy

// The services of the screens: a protocol, a double in memory, and what the generator writes for the protocol.

/// The errors of the app.
enum AppError: Error, Hashable {
  case cancelled, offline, unauthorized, refused, unreadable

  init(_ fault: Fault) {
    self =
      switch fault.symptom {
      case .cancelled: .cancelled
      case .offline, .unreachable, .connectionLost, .timedOut: .offline
      case .unauthorized: .unauthorized
      case .unreadable, .delayed, .altered: .unreadable
      default: .refused
      }
  }
}

extension Error {
  /// Whether the call was cancelled, so that there is nothing to show.
  var isCancellation: Bool { self is CancellationError || self as? AppError == .cancelled }
}

// MARK: - Search

protocol SearchService: Sendable {
  func results(for query: String) async throws -> [String]
}

@MainActor final class Fruits: SearchService {
  private let names = ["apple", "apricot", "banana", "blueberry"]

  func results(for query: String) async throws -> [String] { names.filter { $0.hasPrefix(query) } }
}

extension Intercepted.Operation where Base: SearchService {
  static var results: Self { Self("results") }
}

extension Intercepted: SearchService where Base: SearchService {
  func results(for query: String) async throws -> [String] {
    try await intercept(.results, query, failure: { AppError($0) }) { try await $0.results(for: $1) }
  }
}

// MARK: - Feed

protocol FeedService: Sendable {
  func page(_ number: Int) async throws -> [String]
  func setLiked(_ isLiked: Bool) async throws
}

@MainActor final class PostFeed: FeedService {
  let posts = (1...7).map { "post \($0)" }
  private(set) var isLiked = false

  func page(_ number: Int) async throws -> [String] { Array(posts.dropFirst(2 * number).prefix(2)) }
  func setLiked(_ isLiked: Bool) async throws { self.isLiked = isLiked }
}

extension Intercepted.Operation where Base: FeedService {
  static var page: Self { Self("page") }
  static var setLiked: Self { Self("setLiked") }
}

extension Intercepted: FeedService where Base: FeedService {
  func page(_ number: Int) async throws -> [String] {
    try await intercept(.page, number, failure: { AppError($0) }) { try await $0.page($1) }
  }

  func setLiked(_ isLiked: Bool) async throws {
    try await intercept(.setLiked, isLiked, failure: { AppError($0) }) { try await $0.setLiked($1) }
  }
}

// MARK: - Notes

protocol NotesService: Sendable {
  func notes() async throws -> [String]
  func add(_ note: String) async throws
  func delete(_ note: String) async throws
  /// Stores the text of a field; the same text twice is as once.
  func save(_ text: String, in field: String) async throws
}

@MainActor final class NoteStore: NotesService {
  private(set) var stored: [String]
  private(set) var fields: [String: String] = [:]

  init(_ notes: String...) { stored = notes }

  func notes() async throws -> [String] { stored }
  func add(_ note: String) async throws { stored.append(note) }
  func delete(_ note: String) async throws { stored.removeAll { $0 == note } }
  func save(_ text: String, in field: String) async throws { fields[field] = text }

  /// Another device adds a note.
  func receive(_ note: String) { stored.append(note) }
}

extension Intercepted.Operation where Base: NotesService {
  static var notes: Self { Self("notes") }
  static var add: Self { Self("add") }
  static var delete: Self { Self("delete") }
  static var save: Self { Self("save") }
}

extension Intercepted: NotesService where Base: NotesService {
  func notes() async throws -> [String] {
    try await intercept(.notes, failure: { AppError($0) }) { try await $0.notes() }
  }

  func add(_ note: String) async throws {
    try await intercept(.add, note, failure: { AppError($0) }) { try await $0.add($1) }
  }

  func delete(_ note: String) async throws {
    try await intercept(.delete, note, failure: { AppError($0) }) { try await $0.delete($1) }
  }

  func save(_ text: String, in field: String) async throws {
    try await intercept(.save, text, field, failure: { AppError($0) }) { try await $0.save($1, in: $2) }
  }
}

// MARK: - Chat

struct ChatMessage: Hashable, Sendable, CustomStringConvertible {
  let id: Int
  let text: String

  var description: String { text }
}

protocol ChatService: Sendable {
  func history() async throws -> [ChatMessage]
  /// The messages from now on.
  func live() async throws -> AsyncThrowingStream<ChatMessage, any Error>
}

@MainActor final class ChatServer: ChatService {
  private(set) var messages: [ChatMessage] = []
  private var readers: [AsyncThrowingStream<ChatMessage, any Error>.Continuation] = []

  init(_ text: String) { receive(text) }

  /// A friend writes.
  func receive(_ text: String) {
    let message = ChatMessage(id: messages.count, text: text)
    messages.append(message)
    for reader in readers { reader.yield(message) }
  }

  func history() async throws -> [ChatMessage] { messages }

  func live() async throws -> AsyncThrowingStream<ChatMessage, any Error> {
    let (stream, reader) = AsyncThrowingStream<ChatMessage, any Error>.makeStream()
    readers.append(reader)
    return stream
  }
}

extension Intercepted.Operation where Base: ChatService {
  static var history: Self { Self("history") }
  static var live: Self { Self("live") }
}

extension Intercepted: ChatService where Base: ChatService {
  func history() async throws -> [ChatMessage] {
    try await intercept(.history, failure: { AppError($0) }) { try await $0.history() }
  }

  func live() async throws -> AsyncThrowingStream<ChatMessage, any Error> {
    try await interceptStream(.live, failure: { AppError($0) }) { try await $0.live() }
  }
}

// MARK: - Session

struct SessionToken: Hashable, Sendable {
  let user: String
  var number = 1
}

protocol SessionService: Sendable {
  func profile(_ token: SessionToken) async throws -> String
  func inbox(_ token: SessionToken) async throws -> [String]
  /// Returns the next token; each token can be refreshed once.
  func refresh(_ token: SessionToken) async throws -> SessionToken
}

@MainActor final class SessionServer: SessionService {
  private var newest: [String: Int] = [:]
  private var firstValid = 1
  /// How often a token was refreshed again, for which a server ends the session.
  private(set) var reuses = 0

  /// The tokens that were issued at first expire.
  func expire() { firstValid = 2 }

  func profile(_ token: SessionToken) async throws -> String {
    try check(token)
    return token.user
  }

  func inbox(_ token: SessionToken) async throws -> [String] {
    try check(token)
    return ["To \(token.user)"]
  }

  func refresh(_ token: SessionToken) async throws -> SessionToken {
    let number = newest[token.user, default: 1]
    guard token.number == number else {
      reuses += 1
      throw AppError.unauthorized
    }
    newest[token.user] = number + 1
    return SessionToken(user: token.user, number: number + 1)
  }

  private func check(_ token: SessionToken) throws {
    guard token.number >= firstValid else { throw AppError.unauthorized }
  }
}

extension Intercepted.Operation where Base: SessionService {
  static var profile: Self { Self("profile") }
  static var inbox: Self { Self("inbox") }
  static var refresh: Self { Self("refresh") }
}

extension Intercepted: SessionService where Base: SessionService {
  func profile(_ token: SessionToken) async throws -> String {
    try await intercept(.profile, token, failure: { AppError($0) }) { try await $0.profile($1) }
  }

  func inbox(_ token: SessionToken) async throws -> [String] {
    try await intercept(.inbox, token, failure: { AppError($0) }) { try await $0.inbox($1) }
  }

  func refresh(_ token: SessionToken) async throws -> SessionToken {
    try await intercept(.refresh, token, failure: { AppError($0) }) { try await $0.refresh($1) }
  }
}
