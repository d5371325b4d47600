import Foundation
import Understudy
import UnderstudyHTTP

/// A service that streams.
protocol TickerService: Sendable {
  func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error>
}

/// The ticks "1", "2" and so on, each made when it is asked for.
final class InMemoryTicker: TickerService {
  /// How many ticks were asked for.
  let pulls = Locked(0)
  /// How many streams were let go.
  let closed = Signals()

  func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
    if count < 0 { throw .full }
    let source = Source(closed)
    return AsyncThrowingStream(unfolding: { [pulls] in
      let number = source.advance()
      guard number <= count else { return nil }
      pulls.withLock { $0 += 1 }
      return "\(number)"
    })
  }
}

/// Counts, and says so when it goes.
final class Source: Sendable {
  private let position = Locked(0)
  private let closed: Signals

  init(_ closed: Signals) { self.closed = closed }

  deinit { closed.count.withLock { $0 += 1 } }

  func advance() -> Int {
    position.withLock { position in
      position += 1
      return position
    }
  }
}

/// How often something happened.
final class Signals: Sendable {
  let count = Locked(0)
}

extension Intercepted.Operation where Base: TickerService {
  static var ticks: Self { Self("ticks") }
}

extension Intercepted: TickerService where Base: TickerService {
  func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
    try await interceptStream(.ticks, count, failure: TodoError.init) { base throws(TodoError) in
      try await base.ticks(upTo: count)
    }
  }
}

/// The same service over a transport: a minimal reader of server-sent events, whose data is a JSON string.
///
/// It knows that the last tick closes the stream, so one that ends before is a lost connection.
struct TickerClient<Transport: HTTPTransport>: TickerService {
  let transport: Transport
  let last: String

  func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
    let response: HTTPResponse
    do {
      guard let url = URL(string: "https://backend.example/ticks") else { throw TodoError.full }
      response = try await transport.send(HTTPRequest(.post, url, timeout: .seconds(30)))
    } catch {
      throw .noAnswer(TransportError(wrapping: error).code)
    }
    guard response.isSuccess else { throw .refused(status: response.status) }
    guard response.fields["Content-Type"]?.lowercased().hasPrefix("text/event-stream") == true else {
      throw .unreadable
    }
    let reader = SSELines(response.body)
    let hasClosed = Locked(false)
    return AsyncThrowingStream(unfolding: { [last] in
      if hasClosed.withLock({ $0 }) { return nil }
      do {
        guard let data = try await reader.nextEvent() else { throw TodoError.noAnswer(.connectionLost) }
        guard let tick = try? JSONDecoder().decode(String.self, from: data) else {
          throw TodoError.unreadable
        }
        if tick == last { hasClosed.withLock { $0 = true } }
        return tick
      } catch let error as TransportError {
        throw TodoError.noAnswer(error.code)
      }
    })
  }
}

/// The data of the events of a body; lines end with LF.
actor SSELines {
  private let next: @Sendable () async throws -> Data?
  private var bytes = Data()

  init(_ body: HTTPBody) {
    next = body.makeReader()
  }

  func nextEvent() async throws -> Data? {
    let ending = Data("\n\n".utf8)
    while true {
      while let end = bytes.range(of: ending) {
        let block = bytes[..<end.lowerBound]
        bytes = Data(bytes[end.upperBound...])
        let lines = block.split(separator: UInt8(ascii: "\n"))
        let data = lines.filter { $0.starts(with: "data: ".utf8) }.map { $0.dropFirst(6) }
        if !data.isEmpty { return Data(data.joined(separator: "\n".utf8)) }
      }
      guard let chunk = try await next() else { return nil }
      bytes += chunk
    }
  }
}
