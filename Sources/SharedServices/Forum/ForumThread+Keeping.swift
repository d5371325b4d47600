import Foundation

extension ForumThread {
  /// Whether the thread precedes another one in the list of a forum; see ``ThreadsRepository``.
  package func isListed(before other: ForumThread) -> Bool {
    if isSticky != other.isSticky { return isSticky }
    if lastPostDate != other.lastPostDate { return lastPostDate > other.lastPostDate }
    return id > other.id
  }

  /// Marks the posts up to and including an index as read, or the thread as never read; see ``ThreadsRepository``.
  package mutating func mark(readUpTo index: Int?) {
    guard let index else { return reading = .never }
    // The first post of a thread is not counted as a reply.
    let answersRead = max(1, index) - 1
    reading = .seen(unreadCount: max(answersRead, replyCount) - answersRead)
  }

  /// Throws for a thread that cannot be sorted: its date or its average is NaN.
  package func checkIsStorable() throws(DataError) {
    guard lastPostDate.timeIntervalSinceReferenceDate.isNaN || rating?.average.isNaN == true else { return }
    throw .storeError(
      "Thread \(id) has a date or a rating that is not a number (NaN). Nothing was stored."
    )
  }
}

extension [ForumThread] {
  /// The sticky threads and the others, for a list that is sorted.
  package var sections: [[ForumThread]] {
    let end = firstIndex { !$0.isSticky } ?? endIndex
    return [Array(self[..<end]), Array(self[end...])]
  }
}
