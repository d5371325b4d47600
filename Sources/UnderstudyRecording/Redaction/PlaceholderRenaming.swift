import UnderstudyHTTP

/// An editor that renames placeholders.
struct PlaceholderRenaming: ArchiveEditor {
  private var new: [String: String]

  init(_ renamed: [(old: String, new: String)]) {
    new = [:]
    precede(by: renamed)
  }

  var isEmpty: Bool { new.isEmpty }

  /// Adds renamings that happened before all renamings added so far.
  mutating func precede(by renamed: [(old: String, new: String)]) {
    // In reverse order, because a new name may have been renamed later.
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
