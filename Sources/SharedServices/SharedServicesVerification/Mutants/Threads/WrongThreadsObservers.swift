import SharedServices
import Understudy

/// The updates that a ``WrongThreadsRepository`` delivers to its observers.
final class WrongThreadsObservers: Sendable {
  typealias Mistake = WrongThreadsRepository.Mistake
  typealias Changes = WrongThreadsRepository.Changes

  private let base: any ThreadsRepository
  private let mistake: Mistake
  private let kept = Locked<[Changes]>([])
  private let queue = Locked<(sections: [[ForumThread]], changes: Changes.Continuation)?>(nil)
  /// A list that was refused and is delivered nevertheless.
  private let refused = Locked<[ForumThread]?>(nil)
  /// The number of writes that each observer has not read.
  private let unread = Locked<[Int: Int]>([:])
  /// The number of the newest observer.
  private let newest = Locked(0)
  /// Whether the delivery has ended for all observers.
  private let isOver = Locked(false)

  init(base: any ThreadsRepository, mistake: Mistake) {
    self.base = base
    self.mistake = mistake
  }

  /// Records a write.
  func written() async throws(DataError) {
    switch mistake {
    case .endsAllWhenOneIsBehind:
      let isBehind = unread.withLock { unread in
        for number in unread.keys { unread[number, default: 0] += 1 }
        return unread.values.contains { $0 > 40 }
      }
      if isBehind { isOver.withLock { $0 = true } }
    case .queuesEveryChange:
      let new = try await base.threads(inForum: 1, offset: 0, limit: nil).sections
      queue.withLock { queue in
        guard let old = queue else { return }
        old.changes.yield(ThreadListChange(from: old.sections, to: new))
        queue?.sections = new
      }
    default: break
    }
  }

  /// Records a refused write.
  func refused(_ threads: [ForumThread]) {
    if mistake == .tellsWhatIsRefused { refused.withLock { $0 = threads } }
  }

  func changes(inForum forumID: Int) async throws(DataError) -> Changes {
    let changes = try await base.changes(inForum: forumID)
    switch mistake {
    case .keepsObserversOfLeavers:
      kept.withLock { $0.append(changes) }
      return changes
    case .queuesEveryChange:
      let sections = try await base.threads(inForum: forumID, offset: 0, limit: nil).sections
      let (all, continuation) = Changes.makeStream()
      continuation.yield(ThreadListChange(sections: sections, rows: []))
      queue.withLock { $0 = (sections, continuation) }
      return all
    case .tellsWhatDidNotChange:
      let last = Locked<ThreadListChange?>(nil)
      return Changes {
        if let again = last.withLock({ $0.take() }) {
          return ThreadListChange(sections: again.sections, rows: [])
        }
        let change = try await changes.next()
        last.withLock { $0 = change }
        return change
      }
    case .endsQuietly: return Changes { try? await changes.next() }
    case .endsAllWhenOneIsBehind, .hasOneObserver, .endsAllWithOne: return ending(changes)
    default: return spoiled(changes)
    }
  }

  /// The changes, until the delivery ends for all observers.
  private func ending(_ changes: Changes) -> Changes {
    let number = newest.withLock { newest in
      newest += 1
      return newest
    }
    unread.withLock { $0[number] = 0 }
    let ending = Ending { [self] in
      if mistake == .endsAllWithOne { isOver.withLock { $0 = true } }
    }
    return Changes { [self, ending] in
      _ = ending
      if isOver.withLock({ $0 }) || mistake == .hasOneObserver && newest.withLock({ $0 }) != number {
        return nil
      }
      unread.withLock { $0[number] = 0 }
      return try await changes.next()
    }
  }

  /// The changes, with wrong rows.
  private func spoiled(_ changes: Changes) -> Changes {
    let last = Locked<ThreadListChange?>(nil)
    return Changes { [self] in
      if let refused = refused.withLock({ $0.take() }) {
        return ThreadListChange(from: [[], []], to: refused.sections)
      }
      guard let change = try await changes.next() else { return nil }
      let old = last.withLock { last in
        defer { last = change }
        return last?.sections
      }
      guard let old else {
        return mistake == .tellsInsertionsFirst
          ? ThreadListChange(from: [[], []], to: change.sections) : change
      }
      return spoiled(change, from: old)
    }
  }

  private func spoiled(_ change: ThreadListChange, from old: [[ForumThread]]) -> ThreadListChange {
    var change = change
    switch mistake {
    case .reloadsEverything:
      change.rows =
        ThreadListChange(from: old, to: [[], []]).rows
        + ThreadListChange(from: [[], []], to: change.sections).rows
    case .forgetsThreadsThatLeave:
      change.rows.removeAll { if case .delete = $0 { true } else { false } }
    case .forgetsMoves:
      change.rows.removeAll { if case .move = $0 { true } else { false } }
    case .tellsPlacesAfterDeletions:
      var gone = [0, 0]
      change.rows = change.rows.map { row in
        guard case .delete(let thread, var place) = row else { return row }
        place.row -= gone[place.section]
        gone[place.section] += 1
        return .delete(thread, at: place)
      }
    default: break
    }
    return change
  }
}

/// Runs a closure on deinitialization: a stream releases what it reads when it ends, for any reason.
private final class Ending: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }

  deinit { body() }
}
