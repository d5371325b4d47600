import Foundation
import UnderstudyConsole
import UnderstudyRecording
import UnderstudyText

extension InputFile {
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
    // The errors of a document in memory do not name it.
    let place = streamed == nil ? "" : "\(path): "
    do throws(RecordingError) {
      if let streamed {
        archive = try IndexedArchive(streamed)
      } else {
        archive = try IndexedArchive(recordingAt: url)
      }
    } catch {
      throw CommandError(place + error.description)
    }
    if isStrict, let first = archive.warnings.first {
      throw CommandError((place + first.strict.description).visible)
    }
    for line in archive.warnings.lines(upTo: 20) { warn("warning: \(place)\(line)".visible) }
    return archive
  }
}
