import Foundation
import UnderstudyPrimitives
import UnderstudyTransport

extension Fault {
  /// Realises the fault in an exchange of HTTP.
  ///
  /// - Parameters:
  ///   - request: The request that meets the fault.
  ///   - time: What pauses and time-outs run on.
  ///   - forward: Asks the base.
  func respond(
    to request: HTTPRequest, on time: Time, forwarding forward: () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    switch effect {
    case .answer(let answer):
      return HTTPResponse(status: answer.status, fields: answer.fields, body: HTTPBody(answer.body))
    case .failure(let code, let message):
      throw TransportError(code, message)
    case .silence(let workIsDone):
      if workIsDone { _ = try await forward() }
      throw try await Self.silence(request.timeout, on: time)
    case .lostAnswer:
      _ = try await forward()
      throw TransportError(.connectionLost, "The connection was closed without an answer.")
    case .cut(let count, let silently):
      var response = try await forward()
      guard response.hasBody(inAnswerTo: request) else {
        throw silently ? try await Self.silence(request.timeout, on: time) : Self.cutOff
      }
      response.body = response.body.cut(afterBytes: count) {
        silently ? try await Self.silence(request.timeout, on: time) : Self.cutOff
      }
      return response
    case .garbled:
      var response = try await forward()
      if !response.hasBody(inAnswerTo: request) { response.status = 200 }
      response.fields["Content-Length"] = nil
      response.fields["Content-Type"] = "application/json; charset=utf-8"
      response.body = HTTPBody(Data(#"{"unfinished": ["#.utf8))
      return response
    case .latency(let delay):
      try await time.sleep(for: delay)
      return try await forward()
    case .dribble(let bytes, let pause):
      var response = try await forward()
      response.body = response.body.dribbled(bytes: bytes, pause: pause, on: time)
      return response
    case .stream(let effect):
      var response = try await forward()
      if effect == .splitCharacters || response.isEventStream && response.hasBody(inAnswerTo: request) {
        response.fields["Content-Length"] = nil
        response.body = response.body.meeting(effect) { try await Self.silence(request.timeout, on: time) }
        return response
      }
      guard let nearest = effect.effectOnWholeAnswer else { return response }
      return try await Fault(description, nearest).respond(to: request, on: time) { response }
    }
  }

  static let cutOff = TransportError(
    .connectionLost, "The connection broke before the whole answer was there.")

  /// Waits for the time-out.
  private static func silence(_ timeout: Duration?, on time: Time) async throws -> TransportError {
    guard let timeout else {
      try await time.stall()
      return cutOff
    }
    try await time.sleep(for: timeout)
    return TransportError(.timedOut, "Nothing came for \(timeout).")
  }
}

extension HTTPResponse {
  /// Whether a client would read a body (RFC 9110 §6.4.1), and there is one.
  fileprivate func hasBody(inAnswerTo request: HTTPRequest) -> Bool {
    request.method != .head && status != 204 && status != 304 && body.chunksInMemory != []
  }
}

extension HTTPBody {
  /// The first bytes, and then the error.
  fileprivate func cut(
    afterBytes count: Int, _ error: @escaping @Sendable () async throws -> TransportError
  ) -> HTTPBody {
    HTTPBody(perReader: {
      let next = makeReader()
      let left = Locked(count)
      return {
        if left.withLock({ $0 }) > 0, let chunk = try await next() {
          return left.withLock { left in
            let kept = chunk.prefix(left)
            left -= kept.count
            return Data(kept)
          }
        }
        throw try await error()
      }
    })
  }

  /// The same bytes in pieces, with a pause before each.
  fileprivate func dribbled(bytes: Int, pause: Duration, on time: Time) -> HTTPBody {
    HTTPBody(perReader: {
      let next = makeReader()
      let rest = Locked(Data())
      return {
        while rest.withLock({ $0.isEmpty }) {
          guard let chunk = try await next() else { return nil }
          rest.withLock { $0 = chunk }
        }
        try await time.sleep(for: pause)
        return rest.withLock { rest in
          let piece = Data(rest.prefix(bytes))
          rest = Data(rest.dropFirst(bytes))
          return piece
        }
      }
    })
  }
}
