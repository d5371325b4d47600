import Foundation
import TodoDoubles
import Todos
public import UnderstudyHTTP

/// The server, as a handler: it answers in this process, or on a socket.
public struct TodoBackend: HTTPHandler {
  private let todos = InMemoryTodoService()

  /// A server without todos.
  public init() {}

  /// Answers `GET` and `POST` of `/todos`, and `PATCH` and `DELETE` of `/todos/<id>`.
  public func respond(to request: HTTP.Request) async throws -> HTTP.Response {
    let id = Int(request.url.lastPathComponent)
    do throws(TodoError) {
      switch (request.method, id) {
      case (.get, nil): return answer(200, try await todos.items())
      case (.post, nil):
        guard let title = values(String.self, of: request)?["title"] else {
          return HTTP.Response(status: 422)
        }
        return answer(201, try await todos.add(title))
      case (.patch, let id?):
        guard let isDone = values(Bool.self, of: request)?["isDone"] else {
          return HTTP.Response(status: 422)
        }
        return answer(200, try await todos.setDone(isDone, id: id))
      case (.delete, let id?):
        try await todos.remove(id: id)
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
