/// A history as a table: a column for each task, a row for each beginning and each end of a call.
///
/// ```
/// time  task 1         task 2
///    1  ┌ increment
///    2  │              ┌ increment
///    3  └ 1            │
///    4                 └ 1
/// ```
struct HistoryTable {
  private struct Row {
    let time: Int
    let task: Int
    let isBeginning: Bool
    let text: String
  }

  private let rows: [Row]
  private let taskCount: Int

  init<Model>(_ entries: [HistoryEntry<Model>]) {
    taskCount = entries.map(\.task).max() ?? 0
    rows = entries.flatMap { entry in
      [
        Row(time: entry.begin, task: entry.task, isBeginning: true, text: "┌ \(entry.name)"),
        Row(
          time: entry.end, task: entry.task, isBeginning: false,
          text: (entry.isUnanswered ? "┊ " : "└ ") + entry.answer.found()),
      ]
    }.sorted { $0.time < $1.time }
  }

  /// The maximum width of a cell, in characters.
  private static let width = 40

  /// The lines, followed by the text that was too long for its cell.
  var text: String {
    var notes: [String] = []
    let tasks = Array(1...max(1, taskCount)) + (rows.contains { $0.task == 0 } ? [0] : [])
    var table = [["time"] + tasks.map { $0 == 0 ? "after" : "task \($0)" }]
    var open: Set<Int> = []
    for (number, row) in rows.enumerated() {
      // Each row is one line, even if an answer has several.
      var text = row.text.split(whereSeparator: \.isNewline).joined(separator: " ")
      if text.count > Self.width {
        text = text.prefix(Self.width - 1) + "…"
        notes.append("\(number + 1): \(row.text.dropFirst(2))")
      }
      let cells = tasks.map { $0 == row.task ? text : open.contains($0) ? "│" : "" }
      if row.isBeginning { open.insert(row.task) } else { open.remove(row.task) }
      table.append(["\(number + 1)"] + cells)
    }
    let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    let lines = table.map { cells in
      var line = ""
      for (column, cell) in cells.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += column == 0 ? padding + cell : "  " + cell + padding
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    return (lines + notes).joined(separator: "\n")
  }
}

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
