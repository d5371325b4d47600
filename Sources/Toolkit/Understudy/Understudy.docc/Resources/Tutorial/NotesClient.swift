public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The notes on a server, with a bearer token.
public struct NotesClient: NotesService {
  private let session: URLSession
  private let url: URL
  private let token: String

  /// The notes of a server, such as `https://notes.example.com`, for the user that a token was issued to.
  public init(session: URLSession = .shared, at url: URL, token: String) {
    self.session = session
    self.url = url
    self.token = token
  }

  /// Gets the notes.
  public func notes() async throws -> [Note] {
    try decoded(await send(request("GET", "notes")))
  }

  /// Posts a note.
  public func add(_ text: String) async throws -> Note {
    var request = request("POST", "notes")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.httpBody = try JSONEncoder().encode(["text": text])
    return try decoded(await send(request))
  }

  /// Deletes a note.
  public func remove(id: Note.ID) async throws {
    _ = try await send(request("DELETE", "notes/\(id)"))
  }

  /// Reads the lines of the feed as they arrive.
  public func changes() -> AsyncThrowingStream<Change, any Error> {
    AsyncThrowingStream { continuation in
      let reading = Task {
        do {
          try await readChanges { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: NotesError(error))
        }
      }
      continuation.onTermination = { _ in reading.cancel() }
    }
  }

  private func readChanges(_ yield: (Change) -> Void) async throws {
    var request = request("GET", "changes")
    request.setValue("application/x-ndjson", forHTTPHeaderField: "Accept")
    var response: HTTPURLResponse?
    var rest = Data()
    for try await part in FeedDelegate.parts(of: request, in: session) {
      switch part {
      case .head(let head): response = head
      case .bytes(let bytes): rest += bytes
      }
      while response?.statusCode == 200, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let change: Change = try decoded(rest[..<end])
        rest = Data(rest[(end + 1)...])
        yield(change)
        if change == .upToDate { return }
      }
    }
    if response?.statusCode != 200 { throw NotesError(refusal: rest) }
    throw response?.mimeType == "application/x-ndjson" ? NotesError.connectionLost : .unreadable
  }

  private func request(_ method: String, _ path: String) -> URLRequest {
    var request = URLRequest(url: url.appending(path: path))
    request.httpMethod = method
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return request
  }

  private func send(_ request: URLRequest) async throws -> Data {
    do {
      let (data, response) = try await session.data(for: request)
      guard let status = (response as? HTTPURLResponse)?.statusCode, (200..<300).contains(status) else {
        throw NotesError(refusal: data)
      }
      return data
    } catch {
      throw NotesError(error)
    }
  }

  private func decoded<Value: Decodable>(_ data: Data) throws -> Value {
    do { return try JSONDecoder().decode(Value.self, from: data) } catch { throw NotesError.unreadable }
  }
}

/// Receives a body piece by piece: `URLSession.bytes(for:)` does not exist on Linux.
private final class FeedDelegate: NSObject, URLSessionDataDelegate {
  enum Part: Sendable {
    case head(HTTPURLResponse), bytes(Data)
  }

  private let parts: AsyncThrowingStream<Part, any Error>.Continuation

  private init(_ parts: AsyncThrowingStream<Part, any Error>.Continuation) {
    self.parts = parts
  }

  static func parts(of request: URLRequest, in session: URLSession) -> AsyncThrowingStream<Part, any Error> {
    AsyncThrowingStream { parts in
      let own = URLSession(
        configuration: session.configuration, delegate: FeedDelegate(parts), delegateQueue: nil)
      let task = own.dataTask(with: request)
      parts.onTermination = { _ in
        task.cancel()
        own.finishTasksAndInvalidate()
      }
      task.resume()
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let head = response as? HTTPURLResponse { parts.yield(.head(head)) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    parts.yield(.bytes(data))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    parts.finish(throwing: error)
  }
}

extension NotesError {
  /// What the server says in a refusal, such as `{"code":"duplicate"}`.
  fileprivate init(refusal body: Data) {
    self =
      switch try? JSONDecoder().decode([String: String].self, from: body)["code"] {
      case "session_expired": .sessionExpired
      case "duplicate": .duplicate
      case "not_found": .notFound
      default: .unavailable
      }
  }

  fileprivate init(_ error: any Error) {
    switch error {
    case let error as NotesError: self = error
    case is CancellationError: self = .cancelled
    case let error as URLError:
      self =
        switch error.code {
        case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost: .offline
        case .timedOut: .timedOut
        case .networkConnectionLost: .connectionLost
        case .cancelled: .cancelled
        default: .unreadable
        }
    default: self = .unavailable
    }
  }
}
