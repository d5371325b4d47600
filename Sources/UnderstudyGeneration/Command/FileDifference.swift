/// How a file differs from what it should be, on less than a screen.
struct FileDifference {
  private let old: String?
  private let new: String

  /// A difference; `nil` stands for a file that is not there.
  init(from old: String?, to new: String) {
    self.old = old
    self.new = new
  }

  /// What is to be told behind the path of the file: the first lines that differ, each with its number.
  var lines: [String] {
    guard let old else { return [" is not there."] }
    let changes = Self.lines(of: new).difference(from: Self.lines(of: old)).map(Self.told)
      .sorted { ($0.number, $1.text) < ($1.number, $0.text) }
    let shown = changes.prefix(12).map { ":\($0.number): \($0.text)" }
    let rest = changes.count - shown.count
    return [" is not what the protocol says now:"] + shown
      + (rest > 0 ? [": and \(rest) more such lines."] : [])
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func told(
    _ change: CollectionDifference<Substring>.Change
  ) -> (number: Int, text: String) {
    switch change {
    case .insert(let offset, let line, _): (offset + 1, "+ \(line)")
    case .remove(let offset, let line, _): (offset + 1, "- \(line)")
    }
  }
}
