/// One call of a recorded history: when it began and ended by a logical clock, and its answer.
struct HistoryEntry<Model: Sendable>: Sendable {
  /// The call as it is shown.
  let name: String
  /// The task that made it, from 1; 0 for calls that overlap none.
  let task: Int
  /// The part of the model that it is about; `nil` if it is about the whole.
  let key: (any Hashable & Sendable)?
  /// When it began.
  let begin: Int
  /// When it ended.
  let end: Int
  /// Whether nobody heard its answer, so that it may take effect at any time from its beginning, or never.
  let isUnanswered: Bool
  let answer: AnsweredCall<Model>
}

/// A clock that ticks whenever it is asked.
struct LogicalClock: Sendable {
  private let last = Locked(0)

  func tick() -> Int {
    last.withLock { time in
      time += 1
      return time
    }
  }
}
