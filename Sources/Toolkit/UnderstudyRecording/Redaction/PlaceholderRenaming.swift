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

  func isSecret(memberNamed name: String) -> Bool { false }

  func edits(in text: SecretScanner.Bytes) -> [ByteEdit] {
    guard !new.isEmpty else { return [] }
    let stem = Array(Redactor.stem.utf8)
    var edits: [ByteEdit] = []
    var position = 0
    while position < text.count {
      if let old = Self.number(at: position, in: text), let new = new[old] {
        edits.append((position..<(position + 10), Array(Redactor.number(of: new).utf8)))
        position += 10
        continue
      }
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

  /// Returns the placeholder of the number that begins here; `nil` for any other text.
  private static func number(at start: Int, in text: SecretScanner.Bytes) -> String? {
    let end = start + 10
    guard text[start] == UInt8(ascii: "2"), end <= text.count,
      start == 0 || !isOfWord(text[start - 1]), end == text.count || !isOfWord(text[end])
    else { return nil }
    return Redactor.placeholder(
      ofNumber: String(decoding: SecretScanner.Bytes(rebasing: text[start..<end]), as: UTF8.self))
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
