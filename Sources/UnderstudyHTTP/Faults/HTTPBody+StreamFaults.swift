import Foundation
import Understudy

extension HTTP.Response {
  /// Whether the body is a stream of server-sent events (WHATWG HTML §9.2.5).
  var isEventStream: Bool {
    let type = fields["Content-Type"]?.prefix { $0 != ";" } ?? ""
    return isSuccess && type.trimmingCharacters(in: .whitespaces).lowercased() == "text/event-stream"
  }
}

extension HTTP.Body {
  /// The body of an event stream with a fault in it.
  ///
  /// - Parameter silence: Waits for the request's timeout, and returns the error to throw then.
  func meeting(
    _ effect: StreamEffect, silence: @escaping @Sendable () async throws -> any Error
  ) -> HTTP.Body {
    if effect == .splitCharacters { return splitInCharacters() }
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
      let stream = FaultyStream(Self.blocks(of: self.makeReader()), effect, realisation)
      return { try await stream.next()?.bytes }
    })
  }

  /// The blocks of an event stream.
  private static func blocks(
    of next: @escaping @Sendable () async throws -> Data?
  ) -> @Sendable () async throws -> EventBlocks.Block? {
    struct State {
      var parser = EventBlocks()
      /// In reverse order.
      var ready: [EventBlocks.Block] = []
      var hasEnded = false
    }
    let state = Locked(State())
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
  private func splitInCharacters() -> HTTP.Body {
    HTTP.Body(perReader: {
      let next = makeReader()
      let rest = Locked(Data())
      return {
        if rest.withLock({ $0.isEmpty }) {
          guard let chunk = try await next() else { return nil }
          rest.withLock { $0 = chunk }
        }
        return rest.withLock { rest in
          // A byte 10xxxxxx continues a character, so a chunk that ends before it splits the character.
          let place = rest.dropFirst().firstIndex { $0 & 0xC0 == 0x80 } ?? rest.endIndex
          defer { rest = Data(rest[place...]) }
          return Data(rest[..<place])
        }
      }
    })
  }
}
