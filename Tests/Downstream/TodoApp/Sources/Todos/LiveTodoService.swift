public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The todos on a server.
public struct LiveTodoService: TodoService {
  private let session: URLSession
  private let url: URL

  /// The todos of a server, such as `https://todos.example.com`.
  public init(session: URLSession = .shared, at url: URL) {
    self.session = session
    self.url = url.appending(path: "todos")
  }

  /// Posts a todo.
  public func add(_ title: String) async throws(TodoError) -> Todo {
    try decoded(await send("POST", url, ["title": title]))
  }

  /// Gets the list.
  public func items() async throws(TodoError) -> [Todo] {
    try decoded(await send("GET", url))
  }

  /// Patches a todo.
  public func setDone(_ isDone: Bool, id: Todo.ID) async throws(TodoError) -> Todo {
    try decoded(await send("PATCH", url.appending(path: "\(id)"), ["isDone": isDone]))
  }

  /// Deletes a todo.
  public func remove(id: Todo.ID) async throws(TodoError) {
    guard try await send("DELETE", url.appending(path: "\(id)")).isEmpty else { throw .unreadable }
  }

  private func send(
    _ method: String, _ url: URL, _ body: (some Encodable)? = Optional<Int>.none
  ) async throws(TodoError) -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.flatMap { try? JSONEncoder().encode($0) }
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    do {
      let (data, response) = try await session.data(for: request)
      guard let response = response as? HTTPURLResponse else { throw TodoError.unreadable }
      guard (200..<300).contains(response.statusCode) else { throw TodoError(response) }
      return data
    } catch let error as TodoError {
      throw error
    } catch {
      throw Task.isCancelled ? .cancelled : TodoError(error)
    }
  }

  private func decoded<Value: Decodable>(_ data: Data) throws(TodoError) -> Value {
    do { return try JSONDecoder().decode(Value.self, from: data) } catch { throw .unreadable }
  }
}

extension TodoError {
  fileprivate init(_ response: HTTPURLResponse) {
    switch response.statusCode {
    case 404: self = .notFound
    case 409: self = .duplicate
    case 429: self = .busy(seconds: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) })
    default: self = .unavailable
    }
  }

  fileprivate init(_ error: any Error) {
    switch (error as? URLError)?.code {
    case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost: self = .offline
    case .timedOut: self = .timedOut
    case .networkConnectionLost: self = .connectionLost
    case .cancelled: self = .cancelled
    case .some: self = .unreadable
    case nil: self = error is CancellationError ? .cancelled : .unavailable
    }
  }
}
