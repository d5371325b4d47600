import Foundation
import SharedServices
import Understudy
import UnderstudyRecording
import SharedServicesContracts
import UnderstudyHTTP

extension FixtureCodec {
  /// The conditions of the shared services that a recording can bring about.
  static let sharedServices: [FixtureCodec] =
    common + [
      FixtureCodec(.signedIn), FixtureCodec(.anotherUser), FixtureCodec(.nameIsTaken),
      FixtureCodec(.sessionEnded), FixtureCodec(.lastChunkIsEmpty), FixtureCodec(.piecesAreSmallest),
      FixtureCodec(.answerGoesOn), FixtureCodec(.answerNamesSources), FixtureCodec(.storedSession),
      FixtureCodec(.emptySession), FixtureCodec(.cursorsExpire),
      account(.account), account(.secondAccount), account(.bannedAccount),
      broken(.nextConnectionDrops), broken(.nextConnectionIsClosed), broken(.nextConnectionIsCorrupt),
      broken(.streamDrops), broken(.streamStalls), broken(.streamIsCorrupt), broken(.streamEndsEarly),
      FixtureCodec(.child, keeping: ArchivedChild.init, as: { child, _ in child.child }),
      FixtureCodec(
        .childOfAnotherUser,
        keeping: { foreign in
          ArchivedForeignChild(
            before: ArchivedChild(foreign.child), after: try await foreign.current().map(ArchivedChild.init))
        },
        as: { archived, _ in
          ForeignChild(child: archived.before.child, current: { archived.after?.child })
        }),
      FixtureCodec(
        .conversationOfAnotherUser,
        keeping: { foreign in
          ArchivedForeignConversation(foreign.conversation, history: try await foreign.history())
        },
        as: { archived, _ in archived.fixture }),
      FixtureCodec(
        .tokenExpired, keeping: { _ in true },
        as: { _, trial in Refreshes(count: trial.refreshes()) }),
      FixtureCodec(
        .timePasses, keeping: { _ in true },
        as: { _, trial in Passage { trial.time.advance(by: $0) } }),
      FixtureCodec(.readerIsBanned), FixtureCodec(.databaseIsDown), FixtureCodec(.threadIsClosed),
      FixtureCodec(.pageIsUnrecognisable), FixtureCodec(.pageIsCutOff), FixtureCodec(.forumObjects),
      FixtureCodec(.idIsFree),
      page(.forumHasThreads), page(.bookmarksAreSet), page(.forumIsEmpty),
      FixtureCodec(
        .forumIsLong, keeping: { $0.map(ArchivedThreadListPage.init) }, as: { pages, _ in pages.map(\.page) }),
    ]

  private static func page(_ condition: Condition<ThreadListPage>) -> FixtureCodec {
    FixtureCodec(condition, keeping: ArchivedThreadListPage.init, as: { archived, _ in archived.page })
  }

  private static func account(_ condition: Condition<Account>) -> FixtureCodec {
    FixtureCodec(
      condition, keeping: ArchivedAccount.init, as: { account, _ in account.account })
  }

  private static func broken(_ condition: Condition<BrokenSubscription>) -> FixtureCodec {
    FixtureCodec(
      condition, keeping: { $0.changes }, as: { changes, _ in BrokenSubscription(afterChanges: changes) })
  }

  private static func broken(_ condition: Condition<BrokenStream>) -> FixtureCodec {
    FixtureCodec(condition, keeping: { $0.chunks }, as: { chunks, _ in BrokenStream(afterChunks: chunks) })
  }
}

/// What only something alive can bring about.
extension Provision {
  static let beyondRecordings: [Provision] = [
    .unavailable(.secondSession, because: "a replay has no server that a second device could ask"),
    .unavailable(.sessionsAreCounted, because: "a replay has no server whose sessions could be counted"),
    .unavailable(
      .exchangesAreUnlimited,
      because:
        "how many exchanges concurrent calls share differs from run to run, and a recording has its number"),
    .unavailable(.streamIsHeld, because: "a recording has no source that could be held while it is replayed"),
    .unavailable(
      .upstreamIsWatched, because: "a recording has no source that could be seen while it is replayed"),
  ]
}

extension ReplayedTrial {
  /// How often tokens were exchanged, counted from now.
  func refreshes() -> @Sendable () async -> Int {
    let before = log.count(of: .post("/auth/v1/token"))
    return { [log] in log.count(of: .post("/auth/v1/token")) - before }
  }
}
