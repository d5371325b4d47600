public import UnderstudyHTTP
import Foundation
import SharedServices

/// The HTTP door of a ``MessageFeedServer``.
///
/// `GET /sessions/<id>/messages?cursor=&limit=` is a page of the history, and `GET /sessions/<id>/stream` opens a
/// WebSocket. A client says there first where it was, `{"type": "resume", "lastMessageId": …}`, without an id from the
/// beginning. The server answers `connected`, what is being written so far, and what was missed with
/// `reconnect_complete` behind it, or else `cursor_evicted` or `cursor_invalid`. Then it tells what happens. Both sides
/// may send `ping`, and answer with `pong`.
public struct MessageFeedEmulator: HTTPHandler {
  private let server: MessageFeedServer

  init(_ server: MessageFeedServer) {
    self.server = server
  }

  /// The answer; every refusal is JSON with a `code` and a `message`.
  public func respond(to request: HTTPRequest) async throws -> HTTPResponse {
    let path = request.url.path(percentEncoded: true).split(separator: "/").map {
      $0.removingPercentEncoding ?? String($0)
    }
    guard path.count == 3, path[0] == "sessions", ["messages", "stream"].contains(path[2]) else {
      return Self.refusing(
        Refusal(
          status: 404, code: "NOT_FOUND",
          message: "Expected /sessions/<id>/messages or /sessions/<id>/stream, found \(request.url.path())."))
    }
    guard request.method == .get else {
      return Self.refusing(
        Refusal(
          status: 405, code: "METHOD_NOT_ALLOWED", message: "Expected GET, found \(request.method)."))
    }
    return path[2] == "messages" ? page(of: path[1], request) : stream(of: path[1])
  }

  // MARK: - The history

  private func page(of sessionID: String, _ request: HTTPRequest) -> HTTPResponse {
    let query = URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    func value(_ name: String) -> String? { query.last { $0.name == name }?.value }
    do throws(FeedError) {
      guard let limit = value("limit").map({ Int($0) }) ?? 50 else { throw .invalidParameters }
      guard let page = try server.page(of: sessionID, after: value("cursor"), limit: limit) else {
        return Self.refusing(
          Refusal(
            status: 404, code: "SESSION_NOT_FOUND",
            message: "Expected the id of a session, found \"\(sessionID)\"."))
      }
      return HTTPResponse(
        status: 200, body: Data(page.json.compactText.utf8), contentType: "application/json")
    } catch {
      return Self.refusing(Refusal(error))
    }
  }

  private static func refusing(_ refusal: Refusal) -> HTTPResponse {
    let body = JSONValue.object([
      .init("code", .string(refusal.code ?? "ERROR")), .init("message", .string(refusal.message)),
    ])
    return HTTPResponse(
      status: refusal.status, body: Data(body.compactText.utf8), contentType: "application/json")
  }

  // MARK: - The stream

  private func stream(of sessionID: String) -> HTTPResponse {
    if let refusal = server.refusal(of: sessionID) { return Self.refusing(refusal) }
    return .webSocket { socket in
      guard let first = try await socket.receive() else { return }
      guard case .text(let text) = first, let frame = try? JSONValue(parsing: Data(text.utf8)),
        frame["type"] == .string("resume")
      else {
        return await socket.close(WebSocketClosure(.policyViolation, "Expected a frame of the type resume."))
      }
      let last = frame["lastMessageId"]?.stringValue
      guard let subscription = server.subscribe(to: sessionID, after: last) else { return }
      for event in subscription.opening(after: last) { try await send(event, over: socket) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        group.addTask {
          while let message = try await socket.receive() {
            guard case .text(let text) = message, let frame = try? JSONValue(parsing: Data(text.utf8)) else {
              continue
            }
            if frame["type"] == .string("ping") {
              try await send(.control(.pong(serverTime: nil)), over: socket)
            }
          }
        }
        group.addTask {
          for await event in subscription.events { try await send(event, over: socket) }
          throw TransportError(.connectionLost, "The server broke the connection.")
        }
        try await group.next()
      }
    }
  }

  private func send(_ event: StreamEvent, over socket: any WebSocketConnection) async throws {
    try await socket.send(.text(event.frame(at: server.timestamp)))
  }
}

extension MessageFeedServer.Subscription {
  /// What a connection tells before what happens from then on.
  fileprivate func opening(after messageID: String?) -> [StreamEvent] {
    let begun = [.control(.connected)] + drafts.filter { !$0.text.isEmpty }.map(\.delta)
    return switch resumption {
    case .missed(let events):
      begun + events + [.control(.reconnectComplete(missedCount: events.count, fromMessageID: messageID))]
    case .evicted: begun + [.control(.cursorEvicted(lastMessageID: messageID))]
    case .invalid: begun + [.control(.cursorInvalid(lastMessageID: messageID))]
    }
  }
}

extension Refusal {
  fileprivate init(_ error: FeedError) {
    switch error {
    case .cursorNotFound:
      self.init(status: 404, code: "CURSOR_NOT_FOUND", message: "There is no such place in the session.")
    case .cursorExpired:
      self.init(
        status: 410, code: "CURSOR_EXPIRED", message: "This place in the session is not known any more.")
    case .invalidParameters:
      self.init(status: 400, code: "INVALID_PARAMS", message: "Expected a limit from 1 to 100.")
    }
  }
}
