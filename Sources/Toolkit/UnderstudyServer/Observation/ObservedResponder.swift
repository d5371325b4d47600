import Foundation
import Understudy
import UnderstudyHTTP

/// A responder that reports its exchanges to an observer.
final class ObservedResponder: WireResponder {
  private let base: any WireResponder
  private let observer: ServerObserver
  private let watch: StopWatch
  private let count = Locked(0)

  init(_ base: any WireResponder, observer: ServerObserver, watch: StopWatch) {
    self.base = base
    self.observer = observer
    self.watch = watch
  }

  func respondOnWire(to request: HTTP.Request) async throws -> HTTP.Response {
    let number = count.withLock { count in
      count += 1
      return count
    }
    let observation = Observation(ServedExchange(number: number, request: request), observer, watch)
    do {
      let response = try await FaultWitness.$current.withValue(observation.witness) {
        try await base.respondOnWire(to: request)
      }
      return observe(response, to: request, observation)
    } catch {
      observation.end(as: .init(error))
      throw error
    }
  }

  private func observe(
    _ response: HTTP.Response, to request: HTTP.Request, _ observation: Observation
  ) -> HTTP.Response {
    var response = response
    // The response that the server sends in place of an invalid handshake response.
    let sent = response.answeringHandshake(of: request)
    // The response that the server sends in place of one that HTTP cannot carry.
    if sent.webSocketSession == nil, let problem = sent.problem {
      let failure = Connection.failure(problem)
      observation.end(status: failure.status, chunks: failure.body.chunksInMemory ?? [])
      return failure
    }
    if let session = response.webSocketSession, sent.webSocketSession != nil {
      observation.begin(.webSocket, status: sent.status)
      response.webSocketSession = { socket in
        do {
          try await session(ObservedSocket(socket, observation))
          observation.end(as: .complete)
        } catch {
          observation.end(as: socket.closure == nil ? .init(error) : .complete)
          throw error
        }
      }
    } else if let chunks = sent.body.chunksInMemory {
      observation.end(status: sent.status, chunks: request.method == .head ? [] : chunks)
    } else if request.method == .head || !sent.mayHaveBody {
      observation.end(status: sent.status, chunks: [])
    } else {
      observation.begin(.stream, status: sent.status)
      let body = response.body
      let length = response.fields["Content-Length"].flatMap { Int($0) }
      response.body = HTTP.Body(
        breaksOff: body.breaksOff, perReader: { ObservedBody(body.makeReader(), length, observation).next })
    }
    return response
  }
}

/// An exchange in progress; it ends once and reports its end to the observer.
final class Observation: Sendable {
  /// Records the faults that are injected into the exchange.
  let witness = FaultWitness()
  private let observer: ServerObserver
  private let watch: StopWatch
  private let start: Duration
  private let state: Locked<(exchange: ServedExchange, hasEnded: Bool)>

  init(_ exchange: ServedExchange, _ observer: ServerObserver, _ watch: StopWatch) {
    self.observer = observer
    self.watch = watch
    start = watch.elapsed
    state = Locked((exchange, false))
  }

  /// Released without an end: the exchange was abandoned.
  deinit {
    end(as: .abandoned)
  }

  func begin(_ kind: ServedExchange.Kind, status: Int) {
    observer.exchange(
      state.withLock { state in
        state.exchange.kind = kind
        state.exchange.status = status
        state.exchange.stage = .begun
        state.exchange.duration = watch.elapsed - start
        state.exchange.note(witness)
        return state.exchange
      })
  }

  /// Counts the bytes passed to the socket.
  func sent(_ bytes: Int) {
    state.withLock { state in
      state.exchange.bytes += bytes
      state.exchange.chunks += 1
    }
  }

  func receivedMessage() {
    state.withLock { $0.exchange.messagesReceived += 1 }
  }

  /// The number of bytes passed to the socket.
  var bytes: Int { state.withLock { $0.exchange.bytes } }

  /// Ends an exchange with a body in memory.
  func end(status: Int, chunks: [Data]) {
    state.withLock { state in
      state.exchange.status = status
      state.exchange.bytes = chunks.reduce(0) { $0 + $1.count }
      state.exchange.chunks = chunks.count
      if chunks.count == 1 { state.exchange.body = chunks.first }
    }
    end(as: .complete)
  }

  /// Ends the exchange; only the first end counts.
  func end(as stage: ServedExchange.Stage) {
    let ended = state.withLock { state -> ServedExchange? in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      state.exchange.stage = stage
      state.exchange.duration = watch.elapsed - start
      state.exchange.note(witness)
      return state.exchange
    }
    if let ended { observer.exchange(ended) }
  }
}

extension ServedExchange {
  fileprivate mutating func note(_ witness: FaultWitness) {
    (faults, obstacles) = (witness.faults, witness.obstacles)
  }
}

extension ServedExchange.Stage {
  init(_ error: any Error) {
    switch error {
    case let error as ConnectionBreak: self = .brokenOff(error.words)
    case is CancellationError: self = .abandoned
    case let error as TransportError where error.code == .cancelled: self = .abandoned
    default: self = .brokenOff("\(error)")
    }
  }
}

extension ConnectionBreak {
  fileprivate var words: String {
    switch self {
    case .reset: "the connection is reset"
    case .close: "the connection is closed"
    case .silence: "the connection stays silent"
    case .bytes: "invalid HTTP is sent"
    case .truncatedChunk: "a chunk is truncated"
    case .malformedChunk: "a chunk has an invalid size"
    }
  }
}
