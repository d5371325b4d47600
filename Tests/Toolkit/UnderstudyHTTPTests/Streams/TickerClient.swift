import Foundation
import TestSupport
import Understudy
import UnderstudyHTTP

/// The same service over a transport: a minimal reader of server-sent events, or of lines, each a JSON string.
///
/// It knows that the last tick closes the stream, so one that ends before is a lost connection.
struct TickerClient<Transport: HTTPTransport>: TickerService {
  let transport: Transport
  let last: String
  var mediaType = "text/event-stream"

  func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
    let response: HTTP.Response
    do {
      guard let url = URL(string: "https://backend.example/ticks") else { throw TodoError.full }
      response = try await transport.send(HTTP.Request(.post, url, timeout: .seconds(30)))
    } catch {
      throw TodoError(Fault.Symptom(TransportError(wrapping: error).code))
    }
    guard response.isSuccess else { throw TodoError(Fault.Symptom(refusal: response)) }
    guard response.fields["Content-Type"]?.lowercased().hasPrefix(mediaType) == true else {
      throw .unreadable
    }
    let reader = EventReader(response.body, mediaType)
    let hasClosed = Locked(false)
    return AsyncThrowingStream(unfolding: { [last] in
      if hasClosed.withLock({ $0 }) { return nil }
      do {
        guard let data = try await reader.nextEvent() else { throw TodoError.connectionLost }
        guard let tick = try? JSONDecoder().decode(String.self, from: data) else {
          throw TodoError.unreadable
        }
        if tick == last { hasClosed.withLock { $0 = true } }
        return tick
      } catch let error as TransportError {
        throw TodoError(Fault.Symptom(error.code))
      }
    })
  }
}

/// The data of the events of a body; lines end with LF.
actor EventReader {
  private let next: @Sendable () async throws -> Data?
  private let isOfLines: Bool
  private var bytes = Data()

  init(_ body: HTTP.Body, _ mediaType: String) {
    next = body.makeReader()
    isOfLines = mediaType != "text/event-stream"
  }

  func nextEvent() async throws -> Data? {
    let ending = Data((isOfLines ? "\n" : "\n\n").utf8)
    while true {
      while let end = bytes.range(of: ending) {
        let block = bytes[..<end.lowerBound]
        bytes = Data(bytes[end.upperBound...])
        if isOfLines {
          if block.contains(where: { $0 > UInt8(ascii: " ") }) { return Data(block) }
          continue
        }
        let lines = block.split(separator: UInt8(ascii: "\n"))
        let data = lines.filter { $0.starts(with: "data: ".utf8) }.map { $0.dropFirst(6) }
        if !data.isEmpty { return Data(data.joined(separator: "\n".utf8)) }
      }
      guard let chunk = try await next() else { return nil }
      bytes += chunk
    }
  }
}

extension Fault.Symptom {
  /// The symptom of an unsuccessful answer by its status (RFC 9110 §15), independent of the fault.
  init(refusal response: HTTP.Response) {
    self =
      switch response.status {
      case 401: .unauthorized
      case 403: .forbidden
      case 404: .notFound
      case 409: .conflict
      case 422: .unprocessable
      case 429:
        .rateLimited(retryAfter: response.fields["Retry-After"].flatMap { Int($0) }.map { .seconds($0) })
      case 502, 503, 504: .unavailable
      case 500...: .serverError
      default: .refused
      }
  }

  /// The symptom of a failed exchange.
  init(_ code: TransportError.Code) {
    self =
      switch code {
      case .timedOut: .timedOut
      case .offline: .offline
      case .hostNotFound, .connectionRefused: .unreachable
      case .connectionLost: .connectionLost
      case .cancelled: .cancelled
      case .unreadableResponse, .tooManyRedirects: .unreadable
      default: .unimplemented
      }
  }
}
