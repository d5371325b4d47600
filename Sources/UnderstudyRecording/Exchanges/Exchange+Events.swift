import Foundation
import UnderstudyHTTP

extension ExchangeResponse {
  /// Whether the body is a stream of server-sent events (WHATWG HTML §9.2.5).
  var isEventStream: Bool {
    fields.contains {
      $0.key.lowercased() == "content-type" && $0.value.lowercased().hasPrefix("text/event-stream")
    }
  }

  /// In what the events of a stream are not those of ``chunks``; empty if they are the same.
  ///
  /// How the stream is cut into chunks is not looked at, nor what makes no event. Data that is JSON is compared as
  /// JSON, and may vary at paths that begin with the event's number, from zero.
  func differences(fromEvents bytes: Data) throws(TransportError) -> [String] {
    let expected = try events
    let found = try Self.events(in: bytes)
    guard expected.count == found.count else {
      return ["Expected \(expected.count) event(s), found \(found.count): \(found.map(\.data))."]
    }
    var differences: [String] = []
    for (index, pair) in zip(expected, found).enumerated() {
      let (expected, found) = pair
      if expected.type != found.type {
        differences.append("Expected the type \(expected.type) of event \(index), found \(found.type).")
      }
      if let json = try? JSONValue(parsing: Data(expected.data.utf8)),
        let other = try? JSONValue(parsing: Data(found.data.utf8))
      {
        differences += json.differences(from: other, at: "\(index)", variations)
      } else if expected.data != found.data {
        differences.append(
          "Expected the data \(expected.data.debugDescription) of event \(index), found \(found.data.debugDescription)."
        )
      }
    }
    return differences
  }

  /// The events of the stream that is described.
  var events: [ServerSentEvent] {
    get throws(TransportError) { try Self.events(in: Data(chunks.map(\.text).joined().utf8)) }
  }

  private static func events(in bytes: Data) throws(TransportError) -> [ServerSentEvent] {
    var parser = ServerSentEventParser()
    parser.append(bytes)
    var events: [ServerSentEvent] = []
    while let event = try parser.next() { events.append(event) }
    return events
  }
}
