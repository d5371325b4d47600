import Foundation
import Understudy

extension HTTP.Body {
  /// The body of an event stream with a fault among its events.
  ///
  /// - Parameters:
  ///   - effect: The effect of the fault on the events.
  ///   - token: The token of the fault.
  ///   - framing: How the bytes are divided into events.
  ///   - silence: Waits for the request's timeout, and returns the error to throw.
  func meeting(
    _ effect: StreamEffect, of token: FaultToken?, framing: EventFraming,
    silence: @escaping @Sendable () async throws -> any Error
  ) -> HTTP.Body {
    token?.note(.stream)
    if effect == .splitCharacters { return splitInCharacters(noting: token) }
    let realisation = FaultyStream<FramedBytes>.Realisation(
      isEvent: \.isEvent,
      cut: {
        switch effect {
        case .stall: throw try await silence()
        case .end: break
        case .badFrame:
          throw TransportError(.unreadableResponse, "The received bytes are not a valid answer.")
        default: throw Fault.cutOff
        }
      },
      corrupted: \.corrupted, unterminated: \.unterminated)
    let isCut =
      switch effect {
      case .drop, .stall, .abort, .close, .badFrame: true
      default: breaksOff
      }
    return HTTP.Body(
      breaksOff: isCut,
      perReader: {
        let stream = FaultyStream(Self.blocks(of: self.makeReader(), framing), effect, of: token, realisation)
        return { try await stream.next()?.bytes }
      })
  }

  /// The blocks of an event stream.
  private static func blocks(
    of next: @escaping @Sendable () async throws -> Data?, _ framing: EventFraming
  ) -> @Sendable () async throws -> FramedBytes? {
    struct State {
      var parser: EventBlocks
      /// The complete blocks, the last one first.
      var ready: [FramedBytes] = []
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

  /// The same bytes, split within each multi-byte character (RFC 3629 §3).
  private func splitInCharacters(noting token: FaultToken?) -> HTTP.Body {
    HTTP.Body(
      breaksOff: breaksOff,
      perReader: {
        let next = makeReader()
        let rest = Locked(Data())
        let chunks = Locked(0)
        return {
          if rest.withLock({ $0.isEmpty }) {
            guard let chunk = try await next() else {
              token?.note(.end(after: chunks.withLock(\.self)))
              return nil
            }
            token?.note(
              .event(
                chunks.withLock { chunks in
                  chunks += 1
                  return chunks
                }))
            rest.withLock { $0 = chunk }
          }
          return rest.withLock { rest in
            // A byte 10xxxxxx continues a character, so a chunk that ends before it splits the character.
            let place = rest.dropFirst().firstIndex { $0 & 0xC0 == 0x80 } ?? rest.endIndex
            let isWithinCharacter = rest.first.map { $0 & 0xC0 == 0x80 } ?? false
            if isWithinCharacter || place < rest.endIndex { token?.note(.effect) }
            defer { rest = Data(rest[place...]) }
            return Data(rest[..<place])
          }
        }
      })
  }
}
