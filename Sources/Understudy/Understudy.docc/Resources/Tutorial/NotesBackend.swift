import Foundation
import Notes
import NotesDoubles
import Understudy
public import UnderstudyHTTP

extension HTTPErrorStyle {
  /// `{"code":"not_found"}`.
  public static let notes = HTTPErrorStyle { refusal in
    let code =
      switch refusal.reason {
      case .unauthorized: "session_expired"
      case .conflict: "duplicate"
      case .notFound: "not_found"
      default: "failed"
      }
    return try .json(["code": code], status: refusal.status)
  }
}

/// The server in this process.
public struct NotesBackend: HTTPHandler {
  /// `{"code":"not_found"}`.
  public let errorStyle = HTTPErrorStyle.notes

  private let stub: StubBackend

  /// A server without notes.
  public init() {
    let store = InMemoryNotes()
    stub = StubBackend {
      Stub(.get, "/notes") { _ in try .json(try await store.notes()) }
      Stub(.post, "/notes") { call in
        let text = try JSONDecoder().decode([String: String].self, from: call.request.body ?? Data())["text"]
        return try .json(try await store.add(text ?? ""), status: 201)
      }
      Stub(.delete, "/notes/{id}") { call in
        try await store.remove(id: Int(call["id"]) ?? 0)
        return HTTP.Response(status: 204)
      }
      Stub(.get, "/changes") { _ in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var lines: [Data] = []
        for try await change in store.changes() { lines.append(try encoder.encode(change) + Data("\n".utf8)) }
        return HTTP.Response(
          status: 200, fields: ["Content-Type": "application/x-ndjson"], body: HTTP.Body(chunks: lines))
      }
    }
  }

  /// Answers requests that have a valid token.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    do {
      let isAllowed = request.fields["Authorization"] == "Bearer token"
      return isAllowed ? try await stub.respond(to: request) : refusal(.unauthorized)
    } catch NotesError.duplicate {
      return refusal(.conflict)
    } catch NotesError.notFound {
      return refusal(.notFound)
    }
  }

  private func refusal(_ fault: Fault) -> HTTP.Response {
    fault.response(in: errorStyle) ?? HTTP.Response(status: 500)
  }
}
