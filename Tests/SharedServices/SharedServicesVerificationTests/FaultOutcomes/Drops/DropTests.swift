import SharedServicesVerification
import TestSupport
import Testing
import UnderstudyTesting

/// Twenty messages over a connection that breaks at a frame; the command `drops` tries two hundred, and pairs.
///
/// A message that is lost is one that the chat waits for until the time limit.
@Suite(.stallLimit()) struct DropTests {
  @Test func aSessionWithoutADropHasFramesInBothDirections() async throws {
    let outcome = try await DropSession(messages: 20).run()
    #expect(outcome.difference == nil)
    // Each of at least fifteen messages that are said while it is shown, and the client's own frames.
    #expect(outcome.frames >= 20)
  }

  @Test(arguments: [false, true]) func aDropAtAnyFrameLosesNothing(isAfter: Bool) async throws {
    let frames = try await DropSession(messages: 20).run().frames
    for frame in Effort.some(of: 1...frames, every: 3) {
      let drop = Drop(frame: frame, isAfter: isAfter)
      let outcome = try await DropSession(messages: 20, drops: [drop]).run()
      #expect(outcome.difference == nil, "\(drop)")
      #expect(outcome.drops == 1, "\(drop)")
    }
  }

  @Test func aDropAtEachFrameOfARowLosesNothing() async throws {
    for first in 1...10 {
      let drops = (first..<first + 5).map { Drop(frame: $0, isAfter: $0.isMultiple(of: 2)) }
      let outcome = try await DropSession(messages: 20, drops: drops).run()
      #expect(outcome.difference == nil, "\(drops)")
    }
  }

  /// It would be right whatever the client does about drops.
  @Test func aSessionThatIsOverBeforeItsDropProvesNothing() async throws {
    let outcome = try await DropSession(messages: 4, drops: [Drop(frame: 1_000, isAfter: false)]).run()
    #expect(outcome.drops == 0)
    #expect(outcome.difference == "No connection was dropped, for there were only \(outcome.frames) frames.")
  }
}
