import Foundation
import TodoDoubles
import Todos
public import UnderstudyTransport

/// The server, as a handler: it answers in this process, or on a socket.
public struct TodoBackend: HTTPHandler {
  private let todos = InMemoryTodoService()

  /// A server without todos.
  public init() {}

  /// Answers `GET` and `POST` of `/todos`, and `PATCH` and `DELETE` of `/todos/<id>`.
  public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    let id = Int(request.url.lastPathComponent)
    do throws(TodoError) {
      switch (request.method, id) {
      case (.get, nil): return answer(200, try await todos.items())
      case (.post, nil):
        guard let title = values(String.self, of: request)?["title"] else { return HTTPResponse(status: 422) }
        return answer(201, try await todos.add(title))
      case (.patch, let id?):
        guard let isDone = values(Bool.self, of: request)?["isDone"] else { return HTTPResponse(status: 422) }
        return answer(200, try await todos.setDone(isDone, id: id))
      case (.delete, let id?):
        try await todos.remove(id: id)
        return HTTPResponse(status: 204)
      default: return HTTPResponse(status: 405)
      }
    } catch .duplicate {
      return HTTPResponse(status: 409)
    } catch .notFound {
      return HTTPResponse(status: 404)
    } catch {
      return HTTPResponse(status: 500)
    }
  }

  private func values<Value: Decodable>(_ type: Value.Type, of request: HTTPRequest) -> [String: Value]? {
    request.body.flatMap { try? JSONDecoder().decode([String: Value].self, from: $0) }
  }

  private func answer(_ status: Int, _ value: some Encodable) -> HTTPResponse {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let body = try? encoder.encode(value) else { return HTTPResponse(status: 500) }
    return HTTPResponse(status: status, body: body, contentType: "application/json")
  }
}
