import Foundation
import Understudy
package import UnderstudyHTTP
import UnderstudyText

/// A factory of responses with recorded bodies.
enum ReplayedBody {
  /// Returns the response of an entry; its body is decoded on demand.
  static func response(
    _ entry: HTTPArchive.Entry, number: Int, pauses: Time?, timeout: Duration?
  ) throws(TransportError) -> HTTP.Response {
    let recorded = entry.response
    guard let bytes = recorded.content.body else {
      throw TransportError(
        .unreadableResponse, "The body of entry \(number) is marked as base64 but is not valid base64.")
    }
    var fields = HTTP.Fields(recorded: recorded.headers)
    let stream = recorded.content.stream
    let chunks = stream.map { cut(bytes, $0.chunks) } ?? (bytes.isEmpty ? [] : [bytes])
    let ending: TransportError? =
      switch stream?.ending ?? .complete {
      case .complete: nil
      case .failed(let error): error
      case .unfinished:
        TransportError(
          .unknown,
          """
          The recorded body of entry \(number) (\(entry.request.method) \(entry.request.url)) is incomplete: its \
          reader stopped here. Re-record the session with a client that reads to the end.
          """)
      case .cutOff(let limit):
        .cutOff("body of entry \(number) (\(entry.request.method) \(entry.request.url))", at: limit)
      }
    // The length of placeholders differs from that of secrets. For an incomplete or encoded body, the length is
    // unknown.
    if ending == nil, !bytes.isEmpty, fields["Content-Length"] != nil, fields["Content-Encoding"] == nil {
      fields["Content-Length"] = "\(bytes.count)"
    } else if let lengths = fields.repeatedLength {
      fields["Content-Length"] = lengths
    }
    var body = HTTP.Body(chunks: chunks, endingWith: ending)
    if let pauses, let stream {
      let times = stream.chunks.map(\.time) + [stream.endTime ?? stream.chunks.last?.time ?? 0]
      body = body.paced(by: Self.pauses(between: times), on: pauses, within: timeout)
    }
    var response = HTTP.Response(status: recorded.status, fields: fields, body: body)
    response.reason = recorded.reason
    response.hasEncodedBody = recorded.content.isEncoded
    response.trailers = recorded.trailers.map { HTTP.Trailers(HTTP.Fields(recorded: $0)) }
    return response
  }

  /// Returns the bytes split into chunks of these sizes; the remainder is one more chunk.
  private static func cut(_ bytes: Data, _ chunks: [HTTPArchive.Chunk]) -> [Data] {
    var rest = bytes[...]
    var parts = chunks.map { chunk in
      let part = rest.prefix(max(0, chunk.size))
      rest = rest.dropFirst(part.count)
      return Data(part)
    }
    if !rest.isEmpty { parts.append(Data(rest)) }
    return parts
  }

  /// Returns the pauses before each chunk and the end, from their times since the head.
  private static func pauses(between times: [Double]) -> [Duration] {
    var latest = 0.0
    return times.map { time in
      defer { latest = max(latest, time) }
      return .milliseconds(recorded: time - latest)
    }
  }
}

extension HTTP.Fields {
  /// The length that several equal fields repeat (RFC 9110 §8.6); `nil` if there is at most one field.
  fileprivate var repeatedLength: String? {
    let values = values(of: "Content-Length")
    return values.count > 1 && Set(values).count == 1 ? values.first : nil
  }

  /// Creates the recorded fields that a message can have.
  ///
  /// Browsers join the values of repeated fields with line breaks. Some tools include the pseudo-header fields of HTTP/2
  /// (RFC 9113 §8.3), or a status line as a field.
  package init(recorded headers: [HTTPArchive.NamedValue]) {
    self.init(sending: headers)
    self = HTTP.Fields(
      filter { !$0.name.isEmpty && $0.name.utf8.allSatisfy(HTTP.isTokenCharacter) })
  }

  /// Creates the recorded fields with any names; each value of a repeated field is a field.
  init(sending headers: [HTTPArchive.NamedValue]) {
    self.init(
      headers.flatMap { field in
        Self.values(of: field.value).map { .init(name: field.name, value: $0, isLatin1: field.isLatin1) }
      })
  }

  /// Returns the values that are joined with line breaks; control characters, which no message can have, become spaces.
  private static func values(of text: String) -> [String] {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return [text] }
    let lines = text.unicodeScalars.split { $0 == "\n" || $0 == "\r" }.map { line in
      String(
        String.UnicodeScalarView(line.map { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F ? " " : $0 })
      )
      .trimmingCharacters(in: .whitespaces)
    }
    return lines.isEmpty ? [""] : lines
  }
}

extension TransportError {
  /// The error of a reader beyond the limit at which the recorder cut off a body or the messages of a WebSocket.
  static func cutOff(_ what: String, at limit: Int) -> TransportError {
    TransportError(
      .bodyTooLarge,
      """
      The recorded \(what) is incomplete: it was cut off here at the limit of \(Words.bytes(limit)). Re-record the \
      session with a higher limit: RecordingOptions(bodyLimit:), or record --body-limit.
      """)
  }
}

extension HTTP.Response {
  /// The placeholders of secrets in the header fields, and in the body if it is in memory.
  var placeholders: Set<String> {
    let texts = fields.map(\.value) + [body.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""]
    return texts.reduce(into: []) { found, text in
      for match in text.matches(of: /redacted-[0-9]+/) { found.insert(String(match.output)) }
    }
  }
}

extension HTTP.Body {
  /// Returns the same body with a pause before each chunk and before its end; chunks beyond the list have no pause.
  ///
  /// - Parameter timeout: The maximum duration of a pause.
  func paced(by pauses: [Duration], on time: Time, within timeout: Duration? = nil) -> HTTP.Body {
    HTTP.Body(
      breaksOff: breaksOff,
      perReader: {
        let next = makeReader()
        let rest = Locked(pauses[...])
        return {
          try await time.pass(rest.withLock { $0.popFirst() } ?? .zero, within: timeout)
          return try await next()
        }
      })
  }
}

extension Duration {
  /// Returns recorded milliseconds as a duration; zero if they are missing, negative or longer than a year.
  static func milliseconds(recorded milliseconds: Double?) -> Duration {
    guard let milliseconds, milliseconds > 0, milliseconds < 32_000_000_000 else { return .zero }
    return .microseconds(Int64((milliseconds * 1000).rounded()))
  }
}

extension Time {
  /// Waits for a pause, or throws `.timedOut` if it exceeds the timeout.
  func pass(_ pause: Duration, within timeout: Duration?) async throws {
    guard pause > .zero else { return }
    do {
      try await withTimeout(timeout) { try await sleep(for: pause) }
    } catch let error as TimeoutError {
      throw TransportError(wrapping: error)
    }
  }
}
