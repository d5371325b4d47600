import UnderstudyHTTP

/// Puts other placeholders in the place of some.
struct PlaceholderRenaming: ArchiveEditor {
  private var new: [String: String]

  init(_ renamed: [(old: String, new: String)]) {
    new = [:]
    precede(by: renamed)
  }

  var isEmpty: Bool { new.isEmpty }

  /// Adds what happened before all that was added until now.
  mutating func precede(by renamed: [(old: String, new: String)]) {
    // The last first, since what one gave may have been renamed by the next.
    for (old, new) in renamed.reversed() { self.new[old] = self.new[new] ?? new }
  }

  subscript(placeholder: String) -> String { new[placeholder] ?? placeholder }

  mutating func edits(in text: SecretScanner.Bytes, _ place: ArchivePlace) -> [ByteEdit] {
    edits(in: text)
  }

  func edits(in text: SecretScanner.Bytes) -> [ByteEdit] {
    guard !new.isEmpty else { return [] }
    let stem = Array(Redactor.stem.utf8)
    var edits: [ByteEdit] = []
    var position = 0
    while position < text.count {
      guard text[position] == stem[0], text[position...].starts(with: stem) else {
        position += 1
        continue
      }
      var end = position + stem.count
      while end < text.count, text[end] >= 0x30, text[end] <= 0x39 { end += 1 }
      if let new = new[String(decoding: text[position..<end], as: UTF8.self)] {
        edits.append((position..<end, Array(new.utf8)))
      }
      position = end
    }
    return edits
  }
}
