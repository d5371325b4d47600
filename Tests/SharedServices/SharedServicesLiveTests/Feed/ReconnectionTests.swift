import Testing
import UnderstudyTesting

@testable import SharedServicesLive

@Suite(.stallLimit()) struct ReconnectionTests {
  /// Half a wait at least, a whole one at most; each twice the one before, up to half a minute.
  @Test(arguments: [0, 1, 2, 42, UInt64.max]) func waitsGrowUpToTheLongest(_ seed: UInt64) {
    let reconnection = Reconnection(seed: seed)
    let wholes: [Double] = [0.5, 1, 2, 4, 8, 16, 30, 30, 30]
    for (attempt, whole) in wholes.enumerated() {
      let wait = reconnection.delay(before: attempt) / .seconds(1)
      #expect((whole / 2...whole).contains(wait), "seed \(seed), attempt \(attempt)")
      #expect(reconnection.delay(before: attempt) == reconnection.delay(before: attempt))
    }
  }

  /// Clients that lost the same server must not come back together.
  @Test func waitsDifferFromSeedToSeed() {
    let waits = Set((0..<100).map { Reconnection(seed: $0).delay(before: 6) })
    #expect(waits.count > 90)
  }

  @Test func extremeWaitsAreLimited() {
    #expect(Reconnection(first: .seconds(-1), longest: .seconds(1), seed: 0).delay(before: 5) == .zero)
    #expect(
      Reconnection(first: .seconds(9), longest: .seconds(1), seed: 0).delay(before: .max) <= .seconds(1))
    #expect(Reconnection(first: .seconds(9), longest: .zero, seed: 0).delay(before: .min) == .zero)
  }
}
