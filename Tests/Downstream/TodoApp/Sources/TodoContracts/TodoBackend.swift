import Foundation
import Todos
import Understudy
public import UnderstudyHTTP

/// The server, as a handler: it answers in this process, or on a socket.
///
/// It stores the todos itself, and not in the double: a mistake of the double would be one of the server, too, and no
/// comparison of the two could notice it.
public struct TodoBackend: HTTPHandler {
  private let table = TodoTable()

  /// A server without todos.
  public init() {}

  /// Answers `GET` and `POST` of `/todos`, and `PATCH` and `DELETE` of `/todos/<id>`.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let id = Int(request.url.lastPathComponent)
    do throws(TodoError) {
      switch (request.method, id) {
      case (.get, nil): return answer(200, table.rows)
      case (.post, nil):
        guard let title = values(String.self, of: request)?["title"] else {
          return HTTP.Response(status: 422)
        }
        return answer(201, try table.insert(title))
      case (.patch, let id?):
        guard let isDone = values(Bool.self, of: request)?["isDone"] else {
          return HTTP.Response(status: 422)
        }
        return answer(200, try table.update(id, isDone: isDone))
      case (.delete, let id?):
        table.delete(id)
        return HTTP.Response(status: 204)
      default: return HTTP.Response(status: 405)
      }
    } catch .duplicate {
      return HTTP.Response(status: 409)
    } catch .notFound {
      return HTTP.Response(status: 404)
    } catch {
      return HTTP.Response(status: 500)
    }
  }

  private func values<Value: Decodable>(_ type: Value.Type, of request: HTTP.Request) -> [String: Value]? {
    request.body.flatMap { try? JSONDecoder().decode([String: Value].self, from: $0) }
  }

  private func answer(_ status: Int, _ value: some Encodable) -> HTTP.Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let body = try? encoder.encode(value) else { return HTTP.Response(status: 500) }
    return HTTP.Response(status: status, body: body, contentType: "application/json")
  }
}

/// What the server stores: rows by their id.
private final class TodoTable: Sendable {
  private let state = Locked((rows: [Todo.ID: Todo](), lastID: 0))

  var rows: [Todo] { state.withLock { $0.rows.values.sorted { $0.id < $1.id } } }

  func insert(_ title: String) throws(TodoError) -> Todo {
    try state.withLock { (state) throws(TodoError) in
      // A column is unique byte for byte; == of two strings is not.
      if state.rows.values.contains(where: { $0.title.utf8.elementsEqual(title.utf8) }) { throw .duplicate }
      state.lastID += 1
      let todo = Todo(id: state.lastID, title: title)
      state.rows[todo.id] = todo
      return todo
    }
  }

  func update(_ id: Todo.ID, isDone: Bool) throws(TodoError) -> Todo {
    try state.withLock { (state) throws(TodoError) in
      guard var todo = state.rows[id] else { throw .notFound }
      todo.isDone = isDone
      state.rows[id] = todo
      return todo
    }
  }

  func delete(_ id: Todo.ID) { state.withLock { $0.rows[id] = nil } }
}
