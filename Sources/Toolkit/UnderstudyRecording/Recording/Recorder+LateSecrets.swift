import Foundation
import UnderstudyHTTP

extension Recorder {
  /// Replaces new secrets in earlier lines of the journal, where they had harmless names.
  ///
  /// - Returns: Whether they were replaced in all lines. What cannot be read or written now is replaced when the
  ///   recorder finishes.
  static func removeLateSecrets(
    from file: JournalFile, _ texts: inout ArchiveTexts<Redactor>, _ index: inout JournalIndex
  ) -> Bool {
    let spellings = texts.editor.takeSpellings()
    guard !spellings.isEmpty else { return true }
    var isComplete = true
    var copies = CopySearch()
    for spelling in spellings { copies.insert(spelling, as: 0) }
    for place in index.lines(with: spellings) {
      guard let bytes = try? file.bytes(at: place.offset, count: place.length) else {
        isComplete = false
        continue
      }
      guard place.hasBase64 || bytes.withUnsafeBufferPointer({ !copies.matches(in: $0).isEmpty }) else {
        continue
      }
      guard let (line, range) = JournalLine.read(bytes.dropLast()),
        let entry = try? JSONValue(parsing: Data(bytes[range]))
      else {
        isComplete = false
        continue
      }
      if line.isMoved { continue }
      let redacted = texts.redactedAgain(entry) { $0.entry($1) }
      guard redacted != entry else { continue }
      var changed = line
      changed.secretCount = texts.editor.count
      var new: [UInt8] = []
      do {
        if changed.write(with: redacted, into: &new, length: place.length) {
          try file.overwrite(at: place.offset, with: new)
        } else {
          try move(changed, redacted, at: place, in: file, &index)
        }
      } catch {
        isComplete = false
      }
    }
    return isComplete
  }

  /// Moves a line that has become longer to the end of the journal.
  private static func move(
    _ line: JournalLine, _ entry: JSONValue, at place: JournalIndex.Line, in file: JournalFile,
    _ index: inout JournalIndex
  ) throws {
    // The placeholders that a later line renames in earlier ones.
    var names = ArchiveTexts(PlaceholderRenaming([]))
    for later in try JournalContents(file.contents())?.lines.reversed() ?? []
    where later.entry.lowerBound > place.offset + place.length {
      names.editor.precede(by: later.line.renamed)
    }
    let entry = names.entry(entry) ?? entry
    var moved = line
    (moved.placeholders, moved.renamed) = ([], [])
    var bytes: [UInt8] = []
    moved.write(with: entry, into: &bytes)
    let offset = try file.append(bytes)
    index.add(
      entry, written: bytes,
      at: JournalIndex.Line(offset: offset, length: bytes.count, hasBase64: line.hasBase64))
    // The placeholders of the line remain where they were assigned.
    var rest = line
    rest.isMoved = true
    bytes = []
    if rest.write(with: .null, into: &bytes, length: place.length) {
      try file.overwrite(at: place.offset, with: bytes)
    }
  }
}
