import Foundation

extension ForumThread {
  /// Whether it stands before another thread in the list of a forum; see ``ThreadsRepository``.
  package func isListed(before other: ForumThread) -> Bool {
    if isSticky != other.isSticky { return isSticky }
    if lastPostDate != other.lastPostDate { return lastPostDate > other.lastPostDate }
    return id > other.id
  }

  /// Marks its posts as read up to and including one, or it as never read; see ``ThreadsRepository``.
  package mutating func mark(readUpTo index: Int?) {
    guard let index else { return reading = .never }
    // The post that began the thread is none of its answers.
    let answersRead = max(1, index) - 1
    reading = .seen(unreadCount: max(answersRead, replyCount) - answersRead)
  }

  /// Refuses what no store can keep in order: a date or an average that is no number.
  package func checkIsStorable() throws(DataError) {
    guard lastPostDate.timeIntervalSinceReferenceDate.isNaN || rating?.average.isNaN == true else { return }
    throw .storeError(
      "Thread \(id) has a date or a rating that is no number (NaN), so it has no place in a list. Nothing was stored."
    )
  }
}

extension [ForumThread] {
  /// The sticky threads and the others, of a list that is in order.
  package var sections: [[ForumThread]] {
    let end = firstIndex { !$0.isSticky } ?? endIndex
    return [Array(self[..<end]), Array(self[end...])]
  }
}
