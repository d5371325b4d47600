import Foundation
import UnderstudyRecording
import UnderstudyHTTP

extension HTTPArchive {
  /// A recording of these requests, each with its index as the response.
  init(answering requests: [HTTP.Request], placeholders: [String: String] = [:]) {
    let entries = requests.enumerated().map { number, request in
      Entry(
        startedDateTime: Date(timeIntervalSince1970: 0), request: .init(request),
        response: .init(
          status: 200, fields: ["Content-Type": "text/plain"],
          content: .init(Data("\(number)".utf8), mimeType: "text/plain")),
        timings: .init(wait: 0, receive: 0))
    }
    self.init(entries, placeholders: placeholders)
  }

  /// A recording of these entries.
  init(_ entries: [Entry], placeholders: [String: String] = [:]) {
    var log = Log(entries: entries)
    if !placeholders.isEmpty {
      log["_placeholders"] = .object(placeholders.map { .init($0.key, .string($0.value)) })
    }
    self.init(log: log)
  }
}

extension HTTPArchive.Entry {
  /// A WebSocket with these messages, a second apart: `>` marks those of the client, `<` those of the server.
  static func webSocket(
    _ messages: [String], at target: String = "/feed", fields: HTTP.Fields = [:],
    ending: HTTPArchive.WebSocketEnd.Cause? = nil
  ) throws -> HTTPArchive.Entry {
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    var entry = HTTPArchive.Entry(
      startedDateTime: date, request: .init(try .get(target, fields: fields)),
      response: .init(status: 101, fields: [:], content: .init(Data(), mimeType: "")),
      timings: .init(wait: 0, receive: 0))
    entry["_resourceType"] = .string("websocket")
    entry.webSocketMessages = messages.enumerated().map { number, text in
      .init(
        .text(String(text.dropFirst())), text.first == ">" ? .send : .receive,
        at: date.addingTimeInterval(Double(number)))
    }
    entry.webSocketEnd = ending.map { .init($0, at: date.addingTimeInterval(Double(messages.count))) }
    return entry
  }
}

extension WebSocketConnection {
  /// The error of sending.
  func failure(of text: String) async -> TransportError? {
    do {
      try await send(.text(text))
      return nil
    } catch {
      return error
    }
  }

  /// The error of receiving.
  func failureOfReceiving() async -> TransportError? {
    do {
      _ = try await receive()
      return nil
    } catch {
      return error
    }
  }
}
