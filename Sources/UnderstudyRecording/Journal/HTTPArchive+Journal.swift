package import Foundation
import UnderstudyHTTP

extension RecordingJournal {
  /// Returns the recording of a journal; `nil` if the file does not have the name of one.
  package static func recording(of journal: URL) -> URL? {
    let recording = journal.deletingPathExtension()
    return JournalFile.url(of: recording) == journal && recording != journal ? recording : nil
  }
}

extension HTTPArchive {
  /// Reads only the exchanges of a journal, without the recording beside it; its last line may be incomplete.
  package init(journalAt file: URL) throws(HTTPArchiveError) {
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
