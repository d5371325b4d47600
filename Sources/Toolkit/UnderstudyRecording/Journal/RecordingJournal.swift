package import Foundation
import UnderstudyHTTP

/// The journal that an interrupted recorder leaves beside a recording: `session.har.journal` beside `session.har`.
///
/// Each line after the first is an exchange without its secrets. A secret that is only detected in a later exchange is
/// replaced in earlier lines before that exchange is added. The journal of a recorder that was to replace a recording is ignored if a recording exists, which
/// remains unchanged.
package enum RecordingJournal {
  /// Returns the journal file of a recording.
  package static func url(of recording: URL) -> URL {
    JournalFile.url(of: recording)
  }

  /// Adds the exchanges of a journal to the recording beside it, and removes the journal.
  ///
  /// It does nothing if the journal does not exist. The next recorder of the same file calls it automatically.
  ///
  /// - Throws: ``RecordingError`` if another process is recording, or a file cannot be written or read.
  package static func recover(_ recording: URL) throws {
    let path = url(of: recording).path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else { return }
    let file = try JournalFile(of: recording)
    try finish(file)
    try file.remove()
  }

  /// Adds the exchanges of a journal, unless the recording contains them.
  static func finish(_ file: JournalFile) throws {
    let url = JournalFile.url(of: file.recording)
    guard let journal = try JournalContents(try file.contents(), file: url) else { return }
    let older = try archive(file.recording)
    guard !journal.lines.isEmpty, !journal.isWorthless(beside: older) else { return }
    var recording = try FinishedRecording(journal, keeping: older, file: url)
    // Each entry is parsed, so that a damaged one does not become part of the recording.
    _ = try recording.archive(file: url)
    recording.name(journal.header)
    try RecordingFile.write(recording, to: file.recording)
  }

  /// Returns whether a recording exists, or the journal of an interrupted recorder.
  static func hasRecording(at file: URL) -> Bool {
    if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) { return true }
    guard let bytes = try? Data(contentsOf: url(of: file)) else { return false }
    // A journal that cannot be parsed still counts as a recording, so that the error is reported.
    guard let journal = try? JournalContents([UInt8](bytes)) else { return bytes.contains(0x0A) }
    return !journal.lines.isEmpty
  }

  /// Reads a recording without its journal; `nil` if it does not exist.
  static func archive(_ file: URL) throws(RecordingError) -> HTTPArchive? {
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { return nil }
    return try HTTPArchive(contentsOf: file)
  }
}

extension JournalContents {
  /// Returns whether the journal adds nothing to a recording: the recording was created from it, or was to be replaced
  /// by it.
  fileprivate func isWorthless(beside older: HTTPArchive?) -> Bool {
    older.map { header.isReplacing || $0.log.journal == header.id } ?? false
  }
}

extension HTTPArchive.Log {
  /// The id of the journal from which the recording was created (`_journal`).
  var journal: String? { string("_journal") }
}

extension IndexedArchive {
  /// Reads a recording, including the journal of an interrupted recorder, or only the journal that is specified itself.
  ///
  /// - Throws: The errors of `HTTPArchive(recordingAt:)`.
  package init(recordingAt file: URL) throws(RecordingError) {
    if RecordingJournal.recording(of: file) != nil {
      self.init(try HTTPArchive(journalAt: file))
      return
    }
    if FileManager.default.fileExists(atPath: RecordingJournal.url(of: file).path(percentEncoded: false)) {
      self.init(try HTTPArchive(recordingAt: file))
    } else {
      try self.init(contentsOf: file)
    }
  }
}

extension HTTPArchive {
  /// Reads a recording, including the exchanges in the journal of an interrupted recorder.
  ///
  /// It also reads the exchanges that an active recorder has written so far.
  ///
  /// - Throws: `RecordingError` if neither file exists, or one is invalid; only the last line of a journal may be
  ///   incomplete.
  package init(recordingAt file: URL) throws(RecordingError) {
    let url = JournalFile.url(of: file)
    // The journal is read first: if it is finished meanwhile, the file shows that it contains these exchanges.
    let journal = (try? Data(contentsOf: url)).map { [UInt8]($0) }
    let contents = try journal.flatMap { bytes throws(RecordingError) in
      try JournalContents(bytes, file: url)
    }
    let isFile = FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
    guard let contents, !contents.lines.isEmpty || !isFile else {
      // A recorder that was interrupted before its header was complete has recorded nothing.
      self = journal == nil || isFile ? try HTTPArchive(contentsOf: file) : HTTPArchive(log: Log())
      return
    }
    let older = try RecordingJournal.archive(file)
    if let older, contents.isWorthless(beside: older) {
      self = older
    } else {
      self = try FinishedRecording(contents, keeping: older, file: url).archive(file: url)
      keepWarnings(older?.warnings ?? [])
    }
  }
}
