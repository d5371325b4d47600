import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudySupabase

/// The edge function `send-message`.
struct SendMessageFunction: Sendable {
  let turn: ConversationTurn

  /// The body of a request.
  private struct Body: Decodable {
    struct Context: Decodable {
      let age: Int
      let temperament: Temperament
      let goals: [String]
      let topics: [String]
    }

    let conversationId: UUID
    /// The id of the message, if the client chose it.
    let messageId: UUID?
    let message: String
    let childContext: Context
  }

  /// The data of an event.
  private struct Event: Encodable {
    let text: String
    let sources: [Citation]?
    let isDone: Bool
  }

  /// Streams the answer as server-sent events, each in one chunk of the body.
  func respond(to request: HTTP.Request, as caller: DatabaseRole) -> HTTP.Response {
    guard request.method == .post else {
      return Self.failure(405, code: "METHOD_NOT_ALLOWED", "Expected POST, found \(request.method).")
    }
    let body: Body
    do {
      body = try JSONDecoder().decode(Body.self, from: request.body ?? Data())
    } catch {
      return Self.failure(
        400, code: "BAD_REQUEST",
        "Expected {\"conversationId\", \"message\", \"childContext\": {\"age\", \"temperament\", \"goals\", \"topics\"}}."
      )
    }
    let context = ChildContext(
      age: body.childContext.age, temperament: body.childContext.temperament,
      goals: body.childContext.goals, topics: body.childContext.topics)
    do throws(PostgRESTError) {
      let answer = try turn.begin(
        body.message, id: body.messageId, in: body.conversationId, about: context, as: caller)
      let stream = HTTP.Body(unfolding: {
        do {
          guard let chunk = try await answer.next() else { return nil }
          let event = Event(text: chunk.text, sources: chunk.sources, isDone: chunk.isDone)
          return Data("data: ".utf8) + .json(of: event) + Data("\n\n".utf8)
        } catch is ConversationTurn.Interrupted {
          // The body ends early without an error.
          return nil
        } catch is CancellationError {
          throw TransportError(.cancelled, "The task was cancelled.")
        } catch {
          // The head is already sent, so the connection has to be closed.
          throw TransportError(.connectionLost, "The function failed while it answered.", cause: error)
        }
      })
      // Without the `Connection: keep-alive` of seed 001, which is not part of an answer (RFC 9110 §7.6.1).
      return HTTP.Response(
        status: 200, fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"], body: stream)
    } catch {
      if error.code == PostgRESTError.notSingular(rows: 0).code {
        return Self.failure(404, code: error.code, "There is no such conversation.")
      }
      if error.code == "23505" {
        return Self.failure(409, code: error.code, "Another message has this id.")
      }
      return Self.failure(500, code: error.code, error.message)
    }
  }

  private static func failure(_ status: Int, code: String, _ message: String) -> HTTP.Response {
    EdgeFunctionError(status: status, code: code, message: message).response
  }
}

/// The work of the function `send-message`, for the emulator and for the service in memory.
struct ConversationTurn: Sendable {
  let database: InMemoryDatabase
  let writer: ReplyWriter

  /// Stores the user's message and starts the answer.
  ///
  /// A message that is stored under the same id is not stored again; if it is answered, the answer is the stored one.
  ///
  /// - Parameter id: The id that the client chose for the message; `nil` generates one.
  /// - Throws: PGRST116 if the role cannot see the conversation; 23505 if another message has the id; the database's
  ///   other refusals.
  func begin(
    _ message: String, id: UUID?, in conversationID: UUID, about child: ChildContext, as role: DatabaseRole
  ) throws(PostgRESTError) -> Answer {
    // The policies check whose conversation it is.
    let conversations = try database.select(
      from: "conversations", where: .equals("id", .uuid(conversationID)), as: role)
    guard conversations.count == 1 else { throw .notSingular(rows: conversations.count) }
    // Seed 001 reads the history after it has stored the message, so the model would receive the message twice.
    guard var history = try database.history(of: conversationID, as: role) else {
      throw PostgRESTError(
        code: "XX000", message: "a row of \"messages\" does not have the columns of the shared services")
    }
    // By scalars: two normal forms are equal by `==` of `String`.
    if let place = history.firstIndex(where: {
      $0.id == id && $0.role == .user && $0.content.unicodeScalars.elementsEqual(message.unicodeScalars)
    }) {
      let next = history.index(after: place)
      if next < history.endIndex, history[next].role == .assistant {
        return Answer(Reply(repeating: history[next]), storingWith: { _, _ in })
      }
      history.removeSubrange(place...)
    } else {
      var values: [String: ColumnValue] = [
        "conversation_id": .uuid(conversationID), "role": "user", "content": .text(message),
      ]
      if let id { values["id"] = .uuid(id) }
      try database.insert(values, into: "messages", as: role)
    }
    return Answer(
      writer.reply(
        to: message, after: history, about: child,
        remembering: try memory(of: conversations[0]["child_id"], as: role)),
      storingWith: { [database] content, sources in
        try database.insert(
          [
            "conversation_id": .uuid(conversationID), "role": "assistant", "content": .text(content),
            "sources": MessageRow.value(of: sources),
          ], into: "messages", as: role)
      })
  }

  /// What is remembered about a child, as JSON, or `nil`.
  private func memory(of childID: ColumnValue, as role: DatabaseRole) throws(PostgRESTError) -> String? {
    let rows = try database.select(from: "child_memory", where: .equals("child_id", childID), as: role)
    guard let row = rows.first, case .json(let content) = row["content"] else { return nil }
    return content.compactText
  }

  /// An answer in progress, which is stored when it is complete.
  final class Answer: Sendable {
    private struct State: Sendable {
      /// `nil` once the answer has ended, to release the writer's resources.
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

    /// The next chunk; `nil` after the last one, and after an error.
    ///
    /// - Throws: What the writer throws, `PostgRESTError` if the answer cannot be stored, and ``Interrupted`` where it
    ///   ends without being done.
    func next() async throws -> MessageChunk? {
      guard let reply = state.withLock({ $0.reply }) else { return nil }
      do {
        guard let chunk = try await reply.nextChunk() else { throw Interrupted() }
        let whole = state.withLock { state in
          state.content += chunk.text
          state.sources += chunk.sources ?? []
          return (state.content, state.sources)
        }
        if chunk.isDone {
          // Stored first, so that a client that receives the last chunk finds the message.
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
  struct Interrupted: Error {}
}
