import Foundation
import UnderstudyPrimitives
import UnderstudyTransport

/// A recorded body that is read again.
enum ReplayedBody {
  /// The response of an entry; its body is decoded now, since this is when it is asked for.
  static func response(
    _ entry: HTTPArchive.Entry, number: Int, pauses: Time?, timeout: Duration?
  ) throws(TransportError) -> HTTPResponse {
    let recorded = entry.response
    guard let bytes = recorded.content.body else {
      throw TransportError(
        .unreadableResponse, "The body of entry \(number) of the recording says base64 and is none.")
    }
    let fields = HTTPFields(recorded.headers.map { .init(name: $0.name, value: $0.value) })
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
          The recorded reader left the body of entry \(number) (\(entry.request.method) \(entry.request.url)) \
          here, and this one reads on. Record the session again with a client that reads to the end.
          """)
      }
    var body = HTTPBody(chunks: chunks, endingWith: ending)
    if let pauses, let stream {
      let times = stream.chunks.map(\.time) + [stream.endTime ?? stream.chunks.last?.time ?? 0]
      body = paced(body, times, on: pauses, timeout: timeout)
    }
    return HTTPResponse(status: recorded.status, fields: fields, body: body)
  }

  /// The bytes in chunks of these sizes; what is left over is a chunk of its own.
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

  /// The same body, each chunk and the end as long after the one before as they were recorded.
  private static func paced(
    _ body: HTTPBody, _ times: [Double], on time: Time, timeout: Duration?
  ) -> HTTPBody {
    HTTPBody(perReader: {
      let next = body.makeReader()
      let position = Locked((place: 0, time: 0.0))
      return {
        let pause = position.withLock { position in
          let recorded = position.place < times.count ? times[position.place] : position.time
          defer { position = (position.place + 1, max(position.time, recorded)) }
          return recorded - position.time
        }
        try await time.pass(.milliseconds(recorded: pause), within: timeout)
        return try await next()
      }
    })
  }
}

extension Duration {
  /// Recorded milliseconds; nothing where they are missing, negative or longer than a year.
  static func milliseconds(recorded milliseconds: Double?) -> Duration {
    guard let milliseconds, milliseconds > 0, milliseconds < 32_000_000_000 else { return .zero }
    return .microseconds(Int64((milliseconds * 1000).rounded()))
  }
}

extension Time {
  /// Waits, unless it takes longer than somebody bears to.
  func pass(_ pause: Duration, within timeout: Duration?) async throws {
    guard pause > .zero else { return }
    try await withTimeout(timeout) { try await sleep(for: pause) }
  }
}
