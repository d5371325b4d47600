import Foundation
import SharedServices
import Understudy
import UnderstudyHTTP
import UnderstudySupabase

/// What the function `send-message` does, whoever asks: the HTTP door and the service in memory (seed 001, example 2).
struct Exchange: Sendable {
  let database: InMemoryDatabase
  let writer: ReplyWriter

  /// Stores what the user said and begins the answer.
  ///
  /// - Throws: PGRST116 if the role sees no such conversation; what the database refuses.
  func begin(
    _ message: String, in conversationID: UUID, about child: ChildContext, as role: DatabaseRole
  ) throws(PostgRESTError) -> Answer {
    // The policies decide whose conversation it is.
    let conversations = try database.select(
      from: "conversations", where: .equals("id", .uuid(conversationID)), as: role)
    guard conversations.count == 1 else { throw .notSingular(rows: conversations.count) }
    let history = try database.history(of: conversationID, as: role)
    try database.insert(
      ["conversation_id": .uuid(conversationID), "role": "user", "content": .text(message)],
      into: "messages", as: role)
    return Answer(
      writer.reply(to: message, after: history, about: child),
      storingWith: { [database] content, sources in
        try database.insert(
          [
            "conversation_id": .uuid(conversationID), "role": "assistant", "content": .text(content),
            "sources": MessageRow.value(of: sources),
          ], into: "messages", as: role)
      })
  }

  /// An answer under way, which is stored when it is complete.
  final class Answer: Sendable {
    private struct State: Sendable {
      /// `nil` once the answer is over, so that what the writer holds is released.
      var reply: Reply?
      var content = ""
      var sources: [Citation] = []
    }

    private let state: Locked<State>
    private let store: @Sendable (String, [Citation]) throws -> Void

    init(_ reply: Reply, storingWith store: @escaping @Sendable (String, [Citation]) throws -> Void) {
      state = Locked(State(reply: reply))
      self.store = store
    }

    /// The next chunk; `nil` after the one that is done, and after an error.
    ///
    /// - Throws: What the writer throws, `PostgRESTError` if the answer cannot be stored, and ``Broken`` where it
    ///   ends without being done.
    func next() async throws -> MessageChunk? {
      guard let reply = state.withLock({ $0.reply }) else { return nil }
      do {
        guard let chunk = try await reply.next() else { throw Broken() }
        let whole = state.withLock { state in
          state.content += chunk.text
          state.sources += chunk.sources ?? []
          return (state.content, state.sources)
        }
        if chunk.isDone {
          // Stored first, so that whoever is told that it is done finds it.
          try store(whole.0, whole.1)
          state.withLock { $0.reply = nil }
        }
        return chunk
      } catch {
        state.withLock { $0.reply = nil }
        throw error
      }
    }
  }

  /// The answer ended before it was done.
  struct Broken: Error {}
}

/// Values that are taken one by one.
final class LockedQueue<Element: Sendable>: Sendable {
  private let rest: Locked<ArraySlice<Element>>

  init(_ elements: [Element]) {
    rest = Locked(elements[...])
  }

  func next() -> Element? { rest.withLock { $0.popFirst() } }
}
