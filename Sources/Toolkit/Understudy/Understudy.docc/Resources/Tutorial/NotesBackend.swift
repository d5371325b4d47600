import Foundation
import Notes
import Synchronization
import Understudy
public import UnderstudyHTTP

extension HTTPErrorStyle {
  /// `{"code":"not_found"}`.
  public static let notes = HTTPErrorStyle { refusal in
    let code =
      switch refusal.status {
      case 401: "session_expired"
      case 409: "duplicate"
      case 404: "not_found"
      default: "failed"
      }
    return try .json(["code": code], status: refusal.status)
  }
}

/// The server in this process.
///
/// It stores the notes itself, and not in the double: a mistake of the double would be one of the server, too, and no
/// comparison of the two could notice it.
public struct NotesBackend: HTTPHandler {
  /// `{"code":"not_found"}`.
  public let errorStyle = HTTPErrorStyle.notes

  private let stub: StubBackend

  /// A server without notes.
  public init() {
    let table = NotesTable()
    stub = StubBackend {
      Stub(.get, "/notes") { _ in try .json(table.rows) }
      Stub(.post, "/notes") { call in
        let text = try JSONDecoder().decode([String: String].self, from: call.request.body ?? Data())["text"]
        return try .json(try table.insert(text ?? ""), status: 201)
      }
      Stub(.delete, "/notes/{id}") { call in
        try table.delete(Int(call["id"]) ?? 0)
        return HTTP.Response(status: 204)
      }
      Stub(.get, "/changes") { _ in
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let lines = try (table.log + [.upToDate]).map { try encoder.encode($0) + Data("\n".utf8) }
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

/// What the server stores: rows by their id, and every change.
private final class NotesTable: Sendable {
  private struct State {
    var rows: [Note.ID: String] = [:]
    var lastID = 0
    var log: [Change] = []
  }

  private let state = Mutex(State())

  var rows: [Note] {
    state.withLock { $0.rows.sorted { $0.key < $1.key }.map { Note(id: $0.key, text: $0.value) } }
  }
  var log: [Change] { state.withLock { $0.log } }

  func insert(_ text: String) throws -> Note {
    try state.withLock { state in
      // A column is unique byte for byte; == of two strings is not.
      if state.rows.values.contains(where: { $0.utf8.elementsEqual(text.utf8) }) {
        throw NotesError.duplicate
      }
      state.lastID += 1
      state.rows[state.lastID] = text
      let note = Note(id: state.lastID, text: text)
      state.log.append(.added(note: note))
      return note
    }
  }

  func delete(_ id: Note.ID) throws {
    try state.withLock { state in
      guard state.rows.removeValue(forKey: id) != nil else { throw NotesError.notFound }
      state.log.append(.removed(id: id))
    }
  }
}
