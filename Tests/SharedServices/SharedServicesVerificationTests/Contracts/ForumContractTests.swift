import Foundation
import SharedServices
import SharedServicesBackends
import SharedServicesContracts
import SharedServicesDoubles
import SharedServicesVerification
import Understudy
import UnderstudyHTTP
import SharedServicesForum
import TestSupport
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct ForumContractTests {
  @Test(arguments: Contract.forumsClient.checks(of: .inMemory, .html(over: .emulator)))
  func honours(_ check: ContractCheck<any ForumsClient>) async throws { try await check.run() }

  /// A skip would hide a clause from this package's own doubles, which can bring every condition about.
  ///
  /// In memory by default, because it tries again what `honours(_:)` has tried; with full effort on the others too.
  @Test func nothingIsSkipped() async {
    let section = await Contract.forumsClient.report(
      on: Effort.some(of: [.inMemory, .html(over: .emulator), .html(over: .faults), .recorded], every: 4))
    #expect(section.count(.skipped) == 0)
    #expect(section.clauses.count >= 46)
  }

  /// The app sees the same failure whether a double throws a fault or a transport injects it.
  @Test(arguments: Fault.failures(of: .call))
  func faultsMeanTheSameInADoubleAndInATransport(_ fault: Fault) async throws {
    let time = TestClock(.immediate).time
    let thread = ForumThread(
      id: 1, forumID: 26, title: "t", bookmark: .red, author: ForumUser(id: 7, name: "a"),
      lastPostDate: Date(timeIntervalSince1970: 0), lastPostAuthor: "b")
    let boards = [ForumBoard(id: 26, name: "Games")]
    let emulator = ForumEmulator(boards: boards, threads: [thread])
    let forum = InMemoryForum(boards: boards, threads: [thread])
    let url = try #require(URL(string: "http://forum.invalid"))
    let transport = Intercepted(
      InProcessTransport(to: emulator, time: time), by: .faults(.on(.any, fault)), time: time)
    let service = Intercepted(InMemoryForumsClient(forum), by: .faults(.on(.any, fault)), time: time)
    let clients: [any ForumsClient] = [service, HTMLForumsClient(at: url, over: transport, now: time.date)]
    var outcomes: [[DataError?]] = []
    for client in clients {
      outcomes.append([
        await Self.error { () async throws(DataError) in _ = try await client.threads(inForum: 26, page: 1) },
        await Self.error { () async throws(DataError) in _ = try await client.bookmarks(page: 1) },
        await Self.error { () async throws(DataError) in try await client.markSeen(threadID: 1, upTo: 1) },
        await Self.error { () async throws(DataError) in try await client.markUnseen(threadID: 1) },
        await Self.error { () async throws(DataError) in try await client.setBookmark(.red, threadID: 1) },
        await Self.error { () async throws(DataError) in try await client.setBookmark(nil, threadID: 1) },
      ])
    }
    #expect(outcomes[0] == outcomes[1])
    #expect(!outcomes[0].contains(nil), "A failure must be reported.")
  }

  /// The error of a call; the message of a parsing error is for developers.
  private static func error(_ call: () async throws(DataError) -> Void) async -> DataError? {
    do throws(DataError) {
      try await call()
      return nil
    } catch .parsingError {
      return .parsingError("")
    } catch {
      return error
    }
  }
}
