import Foundation

/// The file of a finished recording.
enum RecordingFile {
  /// Replaces a file atomically, after the document is written to disk.
  static func write(_ document: [UInt8], to file: URL) throws(RecordingError) {
    // The writer holds the journal's lock, so no other process uses this name.
    let path = file.appendingPathExtension("finishing").path(percentEncoded: false)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .system("it cannot be written", file) }
    do throws(RecordingError) {
      defer { close(descriptor) }
      try document.writeAll(to: descriptor, file)
      guard fsync(descriptor) == 0 else { throw .system("it cannot be written", file) }
    } catch {
      unlink(path)
      throw error
    }
    guard rename(path, file.path(percentEncoded: false)) == 0 else {
      let error = RecordingError.system("it cannot be written", file)
      unlink(path)
      throw error
    }
  }
}
