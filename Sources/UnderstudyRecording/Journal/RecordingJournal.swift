public import Foundation
import UnderstudyHTTP

/// What a recorder that was killed has left beside a recording: `session.har.journal` beside `session.har`.
///
/// Each line but the first is one exchange, without its secrets. A secret that only a later exchange told to be one is
/// replaced in the lines before when the recorder finishes; what a killed one left keeps it there. The journal of a
/// recorder that was to replace a recording counts only where there is none: what was there stays as it was.
public enum RecordingJournal {
  /// The journal of a recording.
  public static func url(of recording: URL) -> URL {
    JournalFile.url(of: recording)
  }

  /// Adds the exchanges of a journal to the recording that it lies beside, and removes it.
  ///
  /// Nothing happens where there is none. The next recorder of the same file does it by itself.
  ///
  /// - Throws: ``RecordingError`` when somebody is still recording, or a file cannot be written; `HTTPArchiveError` when
  ///   one cannot be read.
  public static func recover(_ recording: URL) throws {
    let path = url(of: recording).path(percentEncoded: false)
    guard FileManager.default.fileExists(atPath: path) else { return }
    let file = try JournalFile(of: recording)
    try finish(file)
    try file.remove()
  }

  /// Adds the exchanges of a journal, if the recording does not have them.
  static func finish(_ file: JournalFile) throws {
    let url = JournalFile.url(of: file.recording)
    guard let journal = try JournalContents(try file.contents(), file: url) else { return }
    let older = try archive(file.recording)
    guard !journal.lines.isEmpty, !journal.isWorthless(beside: older) else { return }
    var recording = try FinishedRecording(journal, keeping: older, file: url)
    // Each entry is read, so that a broken one is not made final.
    _ = try recording.archive(file: url)
    recording.name(journal.header)
    try RecordingFile.write(recording.document, to: file.recording)
  }

  /// Whether there is a recording, or what a killed recorder has left of one.
  static func hasRecording(at file: URL) -> Bool {
    if FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) { return true }
    guard let bytes = try? Data(contentsOf: url(of: file)) else { return false }
    // A journal that cannot be read is no reason to think that there is none.
    guard let journal = try? JournalContents([UInt8](bytes)) else { return bytes.contains(0x0A) }
    return !journal.lines.isEmpty
  }

  /// A recording without its journal; `nil` where there is none.
  static func archive(_ file: URL) throws(HTTPArchiveError) -> HTTPArchive? {
    guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else { return nil }
    return try HTTPArchive(contentsOf: file)
  }
}

extension JournalContents {
  /// Whether a recording says all that is to be said: it was finished from this journal, or was to be replaced.
  fileprivate func isWorthless(beside older: HTTPArchive?) -> Bool {
    older.map { header.isReplacing || $0.log.journal == header.id } ?? false
  }
}

extension HTTPArchive.Log {
  /// The journal that this was finished from (`_journal`).
  var journal: String? { string("_journal") }
}

extension IndexedArchive {
  /// Reads a recording, with what a recorder that was killed has left in a journal beside it.
  ///
  /// - Throws: As `HTTPArchive(recordingAt:)`.
  public init(recordingAt file: URL) throws(HTTPArchiveError) {
    if FileManager.default.fileExists(atPath: RecordingJournal.url(of: file).path(percentEncoded: false)) {
      self.init(try HTTPArchive(recordingAt: file))
    } else {
      try self.init(contentsOf: file)
    }
  }
}

extension HTTPArchive {
  /// Reads a recording, with the exchanges that a recorder which was killed has left in a journal beside it.
  ///
  /// It also reads what a recorder that is at work has written so far.
  ///
  /// - Throws: `HTTPArchiveError` when there is neither of the files, or one is broken; of a journal only the last line
  ///   may be.
  public init(recordingAt file: URL) throws(HTTPArchiveError) {
    let url = JournalFile.url(of: file)
    // The journal first: when it is finished in between, the file tells that it has what was read.
    let journal = (try? Data(contentsOf: url)).map { [UInt8]($0) }
    let contents = try journal.flatMap { bytes throws(HTTPArchiveError) in
      try JournalContents(bytes, file: url)
    }
    let isFile = FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
    guard let contents, !contents.lines.isEmpty || !isFile else {
      // A recorder that was killed before it could begin has recorded nothing.
      self = journal == nil || isFile ? try HTTPArchive(contentsOf: file) : HTTPArchive(log: Log())
      return
    }
    let older = try RecordingJournal.archive(file)
    if let older, contents.isWorthless(beside: older) {
      self = older
    } else {
      self = try FinishedRecording(contents, keeping: older, file: url).archive(file: url)
    }
  }
}
