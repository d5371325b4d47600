import Foundation
import SharedServices
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import SharedServicesLive

/// Which calls are tried again, how often, and when.
@Suite(.stallLimit()) struct RetryTests {
  private func fetch(_ bench: Bench) async -> AppError? {
    await failure { () throws(AppError) in try await bench.children.fetchChildren(userID: Sample.user) }
  }

  @Test func readsAreTriedFourTimesOneTwoAndFourSecondsApart() async throws {
    let bench = try await Bench.signedIn { _, _ in HTTP.Response(status: 503) }
    async let thrown = fetch(bench)
    for (seconds, tries) in [(1, 1), (2, 2), (4, 3)] {
      try await bench.clock.wait(forSleepers: 1)
      #expect(bench.calls.count == tries)
      bench.clock.advance(by: .seconds(seconds) - .milliseconds(1))
      #expect(bench.clock.sleeperCount == 1, "It waits for \(seconds) s, and not less.")
      bench.clock.advance(by: .milliseconds(1))
    }
    #expect(await thrown == .network(.serverError))
    #expect(bench.calls.map { $0.fields["X-Retry-Count"] } == [nil, "1", "2", "3"])
  }

  @Test(arguments: [TransportError.Code.connectionLost, .connectionRefused, .hostNotFound])
  func aReadAfterAFailedConnectionSucceeds(code: TransportError.Code) async throws {
    let bench = try await Bench.signedIn { _, number in
      if number == 1 { throw TransportError(code, "broken") }
      return .json("[]")
    }
    async let thrown = fetch(bench)
    try await bench.clock.wait(forSleepers: 1)
    bench.clock.advance(by: .seconds(1))
    #expect(await thrown == nil)
    #expect(bench.calls.count == 2)
  }

  @Test func aReadWhoseBodyBreaksOffIsTriedAgain() async throws {
    let bench = try await Bench.signedIn { _, number in
      if number == 1 {
        let end = TransportError(.connectionLost, "cut")
        return HTTP.Response(status: 200, body: HTTP.Body(chunks: [Data("[".utf8)], endingWith: end))
      }
      return .json("[]")
    }
    async let thrown = fetch(bench)
    try await bench.clock.wait(forSleepers: 1)
    bench.clock.advance(by: .seconds(1))
    #expect(await thrown == nil)
  }

  @Test(arguments: [TransportError.Code.timedOut, .offline, .untrusted, .unreadableResponse, .cancelled])
  func otherFailuresAreReportedAtOnce(code: TransportError.Code) async throws {
    let bench = try await Bench.signedIn { _, _ in throw TransportError(code, "broken") }
    #expect(await fetch(bench) != nil)
    #expect(bench.calls.count == 1)
  }

  @Test(arguments: [500, 502, 504, 429, 408]) func otherStatusesAreReportedAtOnce(status: Int) async throws {
    let bench = try await Bench.signedIn { _, _ in HTTP.Response(status: status) }
    #expect(await fetch(bench) != nil)
    #expect(bench.calls.count == 1)
  }

  @Test func writesAreNeverTriedAgain() async throws {
    let busy = try await Bench.signedIn { _, _ in HTTP.Response(status: 503) }
    let cut = try await Bench.signedIn { _, _ in throw TransportError(.connectionLost, "cut") }
    let (newChild, child) = (try Sample.newChild(), try Sample.child())
    for (bench, expected) in [(busy, AppError.network(.serverError)), (cut, .network(.connectionLost))] {
      #expect(
        await failure { () throws(AppError) in try await bench.children.createChild(newChild) } == expected)
      #expect(
        await failure { () throws(AppError) in try await bench.children.updateChild(child) } == expected)
      #expect(
        await failure { () throws(AppError) in try await bench.children.deleteChild(id: child.id) }
          == expected)
      #expect(bench.calls.count == 3)
    }
  }

  @Test func cancellingEndsTheWait() async throws {
    let bench = try await Bench.signedIn { _, _ in HTTP.Response(status: 503) }
    let task = Task { await fetch(bench) }
    try await bench.clock.wait(forSleepers: 1)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(bench.calls.count == 1)
  }

  @Test func aCancelledCallIsNotSent() async throws {
    let bench = try await Bench.signedIn { _, _ in .json("[]") }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await fetch(bench)
    }
    #expect(await task.value == .cancelled)
    #expect(bench.calls.isEmpty)
  }
}
