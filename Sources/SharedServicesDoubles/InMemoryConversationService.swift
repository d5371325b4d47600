public import Foundation
public import SharedServices
package import Understudy
import UnderstudyHTTP
package import UnderstudySupabase

/// The conversations of the signed-in user in a database in memory, with a writer that replaces the guide.
///
/// Each call presents the session's token, is refreshed once if that has expired, and runs with the user's rights.
/// Only the writer suspends: any other call in a cancelled task changes nothing, or runs to its end.
public struct InMemoryConversationService: ConversationService {
  private let database: InMemoryDatabase
  private let auth: InMemoryAuthService
  private let writer: ReplyWriter
  private let time: Time
  private let timeout: Duration?

  /// A service for the user of a session.
  ///
  /// - Parameters:
  ///   - database: The one of the auth service's server, with the tables of `[DatabaseTable].sharedServices`.
  ///   - writer: What writes the answers.
  ///   - time: What the time-out runs on.
  ///   - timeout: The longest silence of the writer; `nil` waits without limit.
  package init(
    database: InMemoryDatabase, auth: InMemoryAuthService, writer: ReplyWriter = .standard,
    time: Time = .system, timeout: Duration? = .seconds(30)
  ) {
    self.database = database
    self.auth = auth
    self.writer = writer
    self.time = time
    self.timeout = timeout
  }

  /// Stores a conversation and returns it as it is stored; see `ConversationService`.
  ///
  /// - Throws: `.network(.notFound)`, and the errors of every call.
  public func startConversation(childID: UUID, id: UUID?) async throws(AppError) -> Conversation {
    try auth.perform(
      // The row belongs to the user, so it is the child that the policy hides.
      refusedAs: { $0 == .refusedByPolicy(table: "conversations") ? .network(.notFound) : AppError($0) }
    ) { (role) throws(PostgRESTError) in
      guard let userID = role.userID else { throw .refusedByPolicy(table: "conversations") }
      var values: [String: ColumnValue] = ["user_id": .uuid(userID), "child_id": .uuid(childID)]
      guard let id else {
        return ConversationRow.conversation(try database.insert(values, into: "conversations", as: role))
      }
      values["id"] = .uuid(id)
      do throws(PostgRESTError) {
        return ConversationRow.conversation(try database.insert(values, into: "conversations", as: role))
      } catch {
        guard error.code == "23505" else { throw error }
        let rows = try database.select(from: "conversations", where: .equals("id", .uuid(id)), as: role)
        guard let stored = rows.first.flatMap(ConversationRow.conversation), stored.childID == childID else {
          throw error
        }
        return stored
      }
    }
  }

  /// The messages, the oldest first; see `ConversationService`.
  ///
  /// - Throws: The errors of every call.
  public func history(conversationID: UUID) async throws(AppError) -> [Message] {
    try auth.perform { (role) throws(PostgRESTError) in
      try database.history(of: conversationID, as: role)
    }
  }

  /// Stores the user's message and streams the writer's answer; see `ConversationService`.
  ///
  /// A consumer whose task is cancelled while it waits gets `.cancelled`; one that was cancelled before it asks gets
  /// the end, as from every `AsyncThrowingStream`: look for `isDone`.
  ///
  /// - Throws: `.network(.notFound)`, and the errors of every call.
  public func sendMessageStream(
    conversationID: UUID, messageID: UUID?, message: String, childContext: ChildContext
  ) async throws(AppError) -> AsyncThrowingStream<MessageChunk, any Error> {
    let answer = try auth.perform { (role) throws(PostgRESTError) in
      try Exchange(database: database, writer: writer).begin(
        message, id: messageID, in: conversationID, about: childContext, as: role)
    }
    return AsyncThrowingStream { [time, timeout] in
      do {
        try Task.checkCancellation()
        let chunk = try await time.withTimeout(timeout) { try await answer.next() }
        // The writer may have ignored the cancellation.
        try Task.checkCancellation()
        return chunk
      } catch {
        throw AppError(breakingOff: error)
      }
    }
  }
}

extension AppError {
  /// The app's error for an interrupted answer.
  fileprivate init(breakingOff error: any Error) {
    switch error {
    case is CancellationError: self = .cancelled
    case _ where Task.isCancelled: self = .cancelled
    case let error as AppError: self = error
    case is TimeoutError: self = .network(.timeout)
    default: self = .network(.connectionLost)
    }
  }
}

/// A conversation as a row of the table `conversations`.
package enum ConversationRow {
  /// `nil` if the table is not that of the shared services.
  package static func conversation(_ row: DatabaseRow) -> Conversation? {
    guard let id = row["id"].uuidValue, let userID = row["user_id"].uuidValue,
      let childID = row["child_id"].uuidValue, let createdAt = row["created_at"].timestampValue
    else { return nil }
    return Conversation(id: id, userID: userID, childID: childID, createdAt: createdAt)
  }
}

/// A message as a row of the table `messages`.
package enum MessageRow {
  /// `nil` if the table is not that of the shared services.
  package static func message(_ row: DatabaseRow) -> Message? {
    guard let id = row["id"].uuidValue, let conversationID = row["conversation_id"].uuidValue,
      let role = row["role"].textValue.flatMap(Message.Role.init), let content = row["content"].textValue,
      let sources = sources(in: row["sources"]), let createdAt = row["created_at"].timestampValue
    else { return nil }
    return Message(
      id: id, conversationID: conversationID, role: role, content: content, sources: sources,
      createdAt: createdAt)
  }

  /// `NULL` for no sources, else an array of `{"title", "url"}`.
  package static func value(of sources: [Citation]) -> ColumnValue {
    if sources.isEmpty { return .null }
    return .json(
      .array(
        sources.map { source in
          .object(
            [.init("title", .string(source.title))]
              + (source.url.map { [.init("url", .string($0.absoluteString))] } ?? []))
        }))
  }

  private static func sources(in value: ColumnValue) -> [Citation]? {
    if value.isNull { return [] }
    guard case .json(.array(let elements)) = value else { return nil }
    let sources = elements.compactMap { element in
      element["title"]?.stringValue.map { title in
        Citation(title: title, url: element["url"]?.stringValue.flatMap(URL.init(string:)))
      }
    }
    return sources.count == elements.count ? sources : nil
  }
}

extension InMemoryDatabase {
  /// The messages of a conversation that a role sees, the oldest first; `nil` if a row cannot be read as a message.
  func history(of conversationID: UUID, as role: DatabaseRole) throws(PostgRESTError) -> [Message]? {
    let rows = try select(
      from: "messages", where: .equals("conversation_id", .uuid(conversationID)),
      orderedBy: [.ascending("created_at")], as: role)
    let messages = rows.compactMap(MessageRow.message)
    return messages.count == rows.count ? messages : nil
  }
}
