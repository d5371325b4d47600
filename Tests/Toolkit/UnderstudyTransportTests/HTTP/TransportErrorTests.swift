import Foundation
import Testing
import UnderstudyTransport
import UnderstudyTesting

@Suite(.stallLimit()) struct TransportErrorTests {
  private struct Foreign: Error {}

  @Test func wrapping() {
    let own = TransportError(.offline, "no network", cause: Foreign())
    let wrapped = TransportError(wrapping: own)
    #expect(wrapped.code == .offline && wrapped.message == "no network" && wrapped.cause is Foreign)
    let cancelled = TransportError(wrapping: CancellationError())
    #expect(cancelled.code == .cancelled && cancelled.cause is CancellationError)
    let foreign = TransportError(wrapping: Foreign())
    #expect(foreign.code == .unknown && foreign.cause is Foreign)
  }

  @Test func readsAsCodeMessageAndCause() {
    #expect(TransportError(.timedOut, "Nothing arrived.").description == "timed out: Nothing arrived.")
    #expect(
      TransportError(.unknown, "Odd.", cause: Foreign()).description == "unknown: Odd. (Foreign())")
  }

  @Test func codesDiffer() {
    let codes: [TransportError.Code] = [
      .cancelled, .timedOut, .offline, .hostNotFound, .connectionRefused, .connectionLost,
      .unreadableResponse, .untrusted, .tooManyRedirects, .invalidRequest, .bodyTooLarge, .unknown,
    ]
    #expect(Set(codes).count == 12)
    #expect(Set(codes.map(\.description)).count == 12)
  }
}
