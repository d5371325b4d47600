import Foundation
import SharedServices
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@Suite(.stallLimit()) struct ThreadListChangeTests {
  /// A difference that forgets a kind of row, or names a place of the wrong list, leads to another list somewhere.
  @Test(arguments: 0..<8) func rowsLeadFromAnyListToAnyOther(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for step in 1...Effort.times(40) {
      let (old, new) = (Self.list(&generator), Self.list(&generator))
      let change = ThreadListChange(from: old, to: new)
      #expect(change.rowsApplied(to: old) == new, "seed \(seed), step \(step): \(old) to \(new)")
      #expect(change.sections == new)
      #expect(ThreadListChange(from: new, to: new).rows.isEmpty, "seed \(seed), step \(step)")
    }
  }

  /// The fewest moves there can be, found by trying all subsets of a short list.
  @Test(arguments: 0..<4) func noFewerMovesWouldDo(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for step in 1...50 {
      let old = (1...7).map { thread($0) }
      let new = old.shuffled(using: &generator)
      let moves = ThreadListChange(from: [[], old], to: [[], new]).rows.count
      let longest =
        (0..<1 << 7).map { subset -> Int in
          let ids = new.indices.filter { subset >> $0 & 1 == 1 }.map { new[$0].id }
          return ids == ids.sorted() ? ids.count : 0
        }.max() ?? 0
      #expect(moves == 7 - longest, "seed \(seed), step \(step): \(new.map(\.id))")
    }
  }

  @Test func aThreadThatBecomesStickyMovesBetweenSections() {
    let change = ThreadListChange(
      from: [[], [thread(1), thread(2)]], to: [[thread(2, isSticky: true)], [thread(1)]])
    #expect(
      change.rows == [
        .move(thread(2, isSticky: true), from: .init(section: 1, row: 1), to: .init(section: 0, row: 0))
      ])
  }

  /// A wrong row is refused, and traps nowhere.
  @Test(arguments: [
    ThreadListChange.Row.delete(thread(2), at: .init(section: 1, row: 0)),
    .delete(thread(1), at: .init(section: 1, row: 1)), .delete(thread(1), at: .init(section: 2, row: 0)),
    .delete(thread(1), at: .init(section: -1, row: 0)), .update(thread(1), at: .init(section: 1, row: -1)),
    .insert(thread(2), at: .init(section: 1, row: 2)), .insert(thread(2), at: .init(section: 1, row: -1)),
    .insert(thread(2), at: .init(section: .max, row: .max)),
    .move(thread(1), from: .init(section: 1, row: 0), to: .init(section: 1, row: 1)),
  ])
  func aRowThatDoesNotFitIsRefused(_ row: ThreadListChange.Row) {
    #expect(ThreadListChange(sections: [], rows: [row]).rowsApplied(to: [[], [thread(1)]]) == nil)
  }

  private static func list(_ generator: inout SeededGenerator) -> [[ForumThread]] {
    let ids = (1...12).shuffled(using: &generator).prefix(Int.random(in: 0...12, using: &generator))
    return ids.map { id in
      thread(
        id, isSticky: Int.random(in: 0...2, using: &generator) == 0,
        at: Int.random(in: 0...5, using: &generator), replies: Int.random(in: 0...1, using: &generator))
    }.sorted { $0.isListed(before: $1) }.sections
  }
}

func thread(_ id: Int, isSticky: Bool = false, at minute: Int = 0, replies: Int = 0) -> ForumThread {
  ForumThread(
    id: id, forumID: 1, title: "Thread \(id)", isSticky: isSticky, author: ForumUser(id: 7, name: "Robin"),
    replyCount: replies, lastPostDate: Date(timeIntervalSinceReferenceDate: Double(minute) * 60),
    lastPostAuthor: "Kim")
}
