import Foundation
import Understudy
import UnderstudyRecording

/// A file that a command reads.
struct InputFile: Sendable {
  /// The path, as specified by the user.
  let path: String

  var url: URL { URL(filePath: path, directoryHint: .notDirectory) }

  /// Creates a reference to a file, which must exist and be readable.
  init(_ path: String) throws(CommandError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw CommandError("File not found: \(path) (in \(FileManager.default.currentDirectoryPath)).")
    }
    guard !isFolder.boolValue else { throw CommandError("\(path) is a folder, not a file.") }
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw CommandError("\(path) cannot be read: permission denied.")
    }
    self.path = path
  }

  /// Creates a reference to a recording, or to the journal of a killed recorder.
  init(recording path: String) throws(CommandError) {
    do {
      try self.init(path)
    } catch {
      let journal = RecordingJournal.url(of: URL(filePath: path, directoryHint: .notDirectory))
      guard (try? InputFile(journal.path(percentEncoded: false))) != nil else { throw error }
      self.init(unchecked: path)
    }
  }

  private init(unchecked path: String) {
    self.path = path
  }

  /// Returns the contents.
  func contents() throws(CommandError) -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      throw CommandError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Whether it is the journal of a recorder, as its name shows.
  var isJournal: Bool { RecordingJournal.recording(of: url) != nil }

  /// Returns the recording in the file.
  ///
  /// - Parameters:
  ///   - isStrict: Whether an entry that violates HAR 1.2 is an error.
  ///   - warn: A function that shows one line about each of these entries.
  func archive(
    strict isStrict: Bool = false, warningBy warn: (String) -> Void
  ) throws(CommandError) -> IndexedArchive {
    let archive: IndexedArchive
    do {
      archive = try IndexedArchive(recordingAt: url)
    } catch {
      throw CommandError(error.description)
    }
    if isStrict, let first = archive.warnings.first { throw CommandError(first.strict.description.visible) }
    for line in archive.warnings.lines(upTo: 20) { warn("warning: \(line)".visible) }
    return archive
  }
}

/// A file that a command writes.
struct OutputFile: Sendable {
  let url: URL

  /// Creates a reference to a file, which may be missing, and so may its folder.
  init(_ path: String) {
    url = URL(filePath: path, directoryHint: .notDirectory)
  }

  init(_ url: URL) {
    self.url = url
  }

  var path: String { url.path(percentEncoded: false) }

  /// Writes the whole file atomically, and creates missing folders.
  func write(_ text: String) throws(CommandError) { try write(Data(text.utf8)) }

  /// Writes the whole file atomically, and creates missing folders.
  func write(_ contents: Data) throws(CommandError) {
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try contents.write(to: url, options: .atomic)
    } catch {
      throw CommandError("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
}
