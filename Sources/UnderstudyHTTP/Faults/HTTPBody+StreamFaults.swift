import Foundation
import Understudy

extension HTTP.Response {
  /// What ends an event in the body; `nil` if the response is not a stream of events.
  var eventFraming: EventFraming? {
    isSuccess ? EventFraming(mediaType: fields["Content-Type"]) : nil
  }
}

extension HTTP.Body {
  /// The body of an event stream with a fault in it.
  ///
  /// - Parameters:
  ///   - framing: What ends an event.
  ///   - silence: Waits for the request's time-out, and says what then is thrown.
  func meeting(
    _ effect: StreamEffect, framedBy framing: EventFraming,
    silence: @escaping @Sendable () async throws -> any Error
  ) -> HTTP.Body {
    let realisation = FaultyStream<EventBlocks.Block>.Realisation(
      isEvent: \.isEvent,
      cut: {
        switch effect {
        case .stall: throw try await silence()
        case .end: break
        case .badFrame: throw TransportError(.unreadableResponse, "What arrived cannot be read.")
        default: throw Fault.cutOff
        }
      },
      corrupted: \.corrupted, unterminated: \.unterminated)
    return HTTP.Body(perReader: {
      let stream = FaultyStream(Self.blocks(of: self.makeReader(), framing), effect, realisation)
      return { try await stream.next()?.bytes }
    })
  }

  /// The blocks of an event stream.
  private static func blocks(
    of next: @escaping @Sendable () async throws -> Data?, _ framing: EventFraming
  ) -> @Sendable () async throws -> EventBlocks.Block? {
    struct State {
      var parser: EventBlocks
      /// The last one first.
      var ready: [EventBlocks.Block] = []
      var hasEnded = false
    }
    let state = Locked(State(parser: EventBlocks(framing)))
    return {
      while true {
        let (block, hasEnded) = state.withLock { state in
          (state.ready.popLast(), state.hasEnded)
        }
        if block != nil || hasEnded { return block }
        let chunk = try await next()
        state.withLock { state in
          state.ready = (chunk.map { state.parser.append($0) } ?? state.parser.finish()).reversed()
          state.hasEnded = chunk == nil
        }
      }
    }
  }

  /// The same bytes, cut within each character that has several (RFC 3629 §3).
  func splitInCharacters() -> HTTP.Body {
    HTTP.Body(perReader: {
      let next = makeReader()
      let rest = Locked(Data())
      return {
        if rest.withLock({ $0.isEmpty }) {
          guard let chunk = try await next() else { return nil }
          rest.withLock { $0 = chunk }
        }
        return rest.withLock { rest in
          // A byte 10xxxxxx continues a character, so the bytes before it end within one.
          let place = rest.dropFirst().firstIndex { $0 & 0xC0 == 0x80 } ?? rest.endIndex
          defer { rest = Data(rest[place...]) }
          return Data(rest[..<place])
        }
      }
    })
  }
}
