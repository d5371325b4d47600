import Foundation
import SharedServices
import UnderstudyHTTP
import UnderstudySupabase

/// The edge function `send-message`, as the dialect calls it.
struct SendMessageFunction: Sendable {
  let exchange: Exchange

  /// The body of a request.
  private struct Body: Decodable {
    struct Context: Decodable {
      let age: Int
      let temperament: Temperament
      let goals: [String]
      let topics: [String]
    }

    let conversationId: UUID
    let message: String
    let childContext: Context
  }

  /// The data of an event.
  private struct Event: Encodable {
    let text: String
    let sources: [Citation]?
    let isDone: Bool
  }

  /// Streams the answer as server-sent events, one chunk of the body for each.
  func respond(to request: HTTPRequest, as caller: DatabaseRole) -> HTTPResponse {
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
      let answer = try exchange.begin(
        body.message, in: body.conversationId, about: context, as: caller)
      let stream = HTTPBody(unfolding: {
        do {
          guard let chunk = try await answer.next() else { return nil }
          let event = Event(text: chunk.text, sources: chunk.sources, isDone: chunk.isDone)
          return Data("data: ".utf8) + .json(of: event) + Data("\n\n".utf8)
        } catch is Exchange.Broken {
          // Nothing is wrong with the body; it says less than it should.
          return nil
        } catch is CancellationError {
          throw TransportError(.cancelled, "The task was cancelled.")
        } catch {
          // The head is sent, so all that a function can do is to stop.
          throw TransportError(.connectionLost, "The function failed while it answered.", cause: error)
        }
      })
      return HTTPResponse(
        status: 200, fields: ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"], body: stream)
    } catch {
      if error.code == PostgRESTError.notSingular(rows: 0).code {
        return Self.failure(404, code: error.code, "There is no such conversation.")
      }
      return Self.failure(500, code: error.code, error.message)
    }
  }

  private static func failure(_ status: Int, code: String, _ message: String) -> HTTPResponse {
    EdgeFunctionError(status: status, code: code, message: message).response
  }
}
