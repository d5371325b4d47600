import Understudy
import Foundation
import UnderstudyRecording

extension InputFile {
  /// A recording that is there, or what a recorder that was killed has left of it.
  init(recording path: String) throws(CommandError) {
    do {
      try self.init(path)
    } catch {
      let journal = RecordingJournal.url(of: URL(filePath: path, directoryHint: .notDirectory))
      guard (try? InputFile(journal.path(percentEncoded: false))) != nil else { throw error }
      self.init(unchecked: path)
    }
  }

  /// The recording in the file.
  func archive() throws(CommandError) -> IndexedArchive {
    do {
      return try IndexedArchive(recordingAt: url)
    } catch {
      throw CommandError(error.description.visible)
    }
  }
}
