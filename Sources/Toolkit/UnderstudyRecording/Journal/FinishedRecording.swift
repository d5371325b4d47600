package import Foundation
import UnderstudyHTTP

/// The exchanges of a journal in the order of their requests, after those of an older recording.
struct FinishedRecording {
  /// The log without the entries of the journal.
  private var log: HTTPArchive.Log
  /// The entries of the journal, as JSON without white space.
  private var entries: [(order: Int, bytes: ArraySlice<UInt8>)] = []

  /// Combines a journal with an older recording.
  ///
  /// - Parameters:
  ///   - journal: The recorded exchanges.
  ///   - texts: The known secrets, if any; secrets that were detected late are replaced in earlier lines.
  ///   - removedCount: The number of known secrets that were already replaced in all lines.
  ///   - fixtures: The values of the recorder's user.
  ///   - older: A recording whose exchanges precede the new ones; known secrets are replaced there too.
  ///   - file: The file of the journal, for errors.
  init(
    _ journal: JournalContents, texts: ArchiveTexts<Redactor>? = nil, removedCount: Int = 0,
    fixtures: JSONValue? = nil, keeping older: HTTPArchive? = nil, file: URL? = nil
  ) throws(RecordingError) {
    var texts = texts
    let fixtures = fixtures.map { value in
      texts?.redacted(value) { $0.anything($1, part: "fixtures") } ?? value
    }
    var rows = texts?.editor.table ?? journal.placeholders
    let moved = Self.moved(rows, awayFrom: older)
    var names = PlaceholderRenaming(moved)
    var older = older
    if var known = texts, let kept = older, !kept.log.entries.isEmpty {
      // Secrets that are known now may occur unredacted in the older recording, and its secrets may occur in the lines.
      known.editor.rename(moved)
      older = kept.redacted(by: &known)
      names = PlaceholderRenaming(known.editor.takeRenamed())
      names.precede(by: moved)
      rows = known.editor.table
      texts = known
    }

    var renaming = ArchiveTexts(names)
    for (line, range) in journal.lines.reversed() {
      defer { renaming.editor.precede(by: line.renamed) }
      if line.isMoved { continue }
      let bytes = journal.bytes[range]
      let isToRedact =
        texts.map { texts in
          max(line.secretCount, removedCount) < texts.editor.count
            && (line.hasBase64 || bytes.withUnsafeBufferPointer { texts.editor.isCopy(in: $0) })
        } ?? false
      let isToRename =
        !renaming.editor.isEmpty
        && (line.hasBase64 || bytes.withUnsafeBufferPointer { !renaming.editor.edits(in: $0).isEmpty })
      if isToRedact || isToRename {
        var entry = try journal.entry(range, file: file)
        if isToRedact { entry = texts?.redactedAgain(entry) { $0.entry($1) } ?? entry }
        if isToRename || isToRedact { entry = renaming.entry(entry) ?? entry }
        var bytes: [UInt8] = []
        entry.write(into: &bytes)
        entries.append((line.order, bytes[...]))
      } else {
        entries.append((line.order, bytes))
      }
    }
    entries.reverse()
    // The sort order is unambiguous, because no two entries have the same number.
    if zip(entries, entries.dropFirst()).contains(where: { $0.order > $1.order }) {
      entries.sort { $0.order < $1.order }
    }

    log = older?.log ?? HTTPArchive.Log()
    if older == nil || (log["_startedDateTime"] == nil && log.entries.isEmpty) {
      log.startedDateTime = journal.header.started
    }
    if log.seed == nil { log.seed = journal.header.seed }
    if let fixtures {
      var last = ArchiveTexts(names)
      let named = last.anything(fixtures, part: "fixtures") ?? fixtures
      log.fixtures = texts?.redactedAgain(named) { $0.anything($1, part: "fixtures") } ?? named
    }
    var table = log.placeholderTable
    let there = Set(table.map(\.placeholder))
    // A secret of an older session is not known any more, so it may be equal to one of this session.
    let session =
      there.isEmpty ? nil : (table.compactMap { RecordedSession.number(of: $0.origin) }.max() ?? 1) + 1
    table += rows.map { row in
      row.isKept
        ? (row.placeholder, row.origin)
        : (names[row.placeholder], session.map { RecordedSession.origin(row.origin, in: $0) } ?? row.origin)
    }
    .filter { !there.contains($0.0) }
    if !table.isEmpty { log.placeholderTable = table }
  }

  /// Returns new names for placeholders that represent other secrets in an older recording.
  private static func moved(
    _ rows: [Redactor.Row], awayFrom older: HTTPArchive?
  ) -> [(old: String, new: String)] {
    let taken = Set(older?.log.placeholderTable.map(\.placeholder) ?? [])
    guard !taken.isEmpty else { return [] }
    let used = taken.union(rows.map(\.placeholder))
    var number = used.count
    return rows.filter { !$0.isKept && taken.contains($0.placeholder) }.map { row in
      repeat { number += 1 } while used.contains("\(Redactor.stem)\(number)")
      return (row.placeholder, "\(Redactor.stem)\(number)")
    }
  }

  /// Stores the id of the journal, so that the journal is recognized as finished.
  mutating func name(_ journal: JournalHeader) {
    log["_journal"] = .string(journal.id)
  }

  /// Returns the archive.
  func archive(file: URL? = nil) throws(RecordingError) -> HTTPArchive {
    var all = log.entries
    all.reserveCapacity(all.count + entries.count)
    for (_, bytes) in entries {
      do {
        all.append(HTTPArchive.Entry(try JSONValue(parsing: Data(bytes))))
      } catch {
        throw RecordingError(
          .init("This entry of the journal is invalid", at: nil, byte: error.offset, of: Data(bytes)),
          file: file)
      }
    }
    var log = log
    log.entries = all
    return HTTPArchive(log: log)
  }

  /// A length of pieces that remain in the cache of a processor.
  private static let pieceLength = 256 << 10

  /// Writes the document in the format of ``HTTPArchive/data``, without parsing the entries of the journal.
  ///
  /// - Parameter output: A function that writes the next piece of the document.
  func write(to output: ([UInt8]) throws(RecordingError) -> Void) throws(RecordingError) {
    var text = Array("{\n  \"log\": {".utf8)
    text.reserveCapacity(Self.pieceLength * 5 / 4)
    var log = log
    if log["entries"] == nil { log["entries"] = .array([]) }
    for (number, member) in log.members.enumerated() {
      text += (number > 0 ? ",\n    " : "\n    ").utf8
      JSONValue.string(member.name).write(into: &text)
      text += ": ".utf8
      guard member.name == "entries", !entries.isEmpty else {
        member.value.writeIndented(into: &text, depth: 2)
        continue
      }
      var separator = "[\n      "
      if case .array(let older) = member.value {
        for entry in older {
          text += separator.utf8
          entry.writeIndented(into: &text, depth: 3)
          separator = ",\n      "
        }
      }
      for (_, bytes) in entries {
        text += separator.utf8
        JSONIndentation.write(bytes, depth: 3, into: &text)
        separator = ",\n      "
        if text.count >= Self.pieceLength {
          try output(text)
          text.removeAll(keepingCapacity: true)
        }
      }
      text += "\n    ]".utf8
    }
    text += "\n  }\n}\n".utf8
    try output(text)
  }
}

extension RecordingJournal {
  /// Returns the recording of a journal; `nil` if the file does not have the name of one.
  package static func recording(of journal: URL) -> URL? {
    let recording = journal.deletingPathExtension()
    return JournalFile.url(of: recording) == journal && recording != journal ? recording : nil
  }
}

extension HTTPArchive {
  /// Reads only the exchanges of a journal, without the recording beside it; its last line may be incomplete.
  package init(journalAt file: URL) throws(RecordingError) {
    let bytes: Data
    do {
      bytes = try Self.bytes(of: file)
    } catch {
      throw error.inFile(file)
    }
    guard let contents = try JournalContents([UInt8](bytes), file: file) else {
      // The recorder was interrupted before its header was complete.
      self.init(log: Log())
      return
    }
    self = try FinishedRecording(contents, file: file).archive(file: file)
  }
}
