import Foundation

extension ForumThread {
  /// Whether it stands before another thread in the list of a forum; see ``ThreadsRepository``.
  package func isListed(before other: ForumThread) -> Bool {
    if isSticky != other.isSticky { return isSticky }
    if lastPostDate != other.lastPostDate { return lastPostDate > other.lastPostDate }
    return id > other.id
  }

  /// Marks it as read to its end, or as never read.
  package mutating func mark(isRead: Bool) {
    reading = isRead ? .seen(unreadCount: 0) : .never
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
