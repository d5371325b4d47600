/// One call of a recorded history: its beginning and end on a logical clock, and its answer.
struct HistoryEntry<Model: Sendable>: Sendable {
  /// The call as it is displayed.
  let name: String
  /// The number of the task that made the call, starting at 1; 0 for calls that do not overlap.
  let task: Int
  /// The part of the model that the call concerns; `nil` for the whole model.
  let key: (any Hashable & Sendable)?
  /// The time of its beginning.
  let begin: Int
  /// The time of its end.
  let end: Int
  /// Whether the answer was lost, so that the call may take effect at any time after its beginning, or never.
  let isUnanswered: Bool
  let answer: AnsweredCall<Model>
}

/// A clock that advances each time it is read.
struct LogicalClock: Sendable {
  private let last = Locked(0)

  func tick() -> Int {
    last.withLock { time in
      time += 1
      return time
    }
  }
}
