import Foundation
import Understudy

/// The list of the recordings that tests use, for `understudy recordings --unused-by`.
///
/// It is the file in the environment variable `UNDERSTUDY_USED_RECORDINGS`. Several processes may append to it.
enum UsedRecordings {
  private struct Line: Hashable {
    let list: String
    let recording: String
  }

  private static let written = Locked<Set<Line>>([])

  /// Appends a recording to the list, once in a process.
  ///
  /// - Throws: ``RecordingError`` if the list cannot be written, because its recordings would seem unused.
  static func note(
    _ recording: URL, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(RecordingError) {
    guard let list = environment["UNDERSTUDY_USED_RECORDINGS"], !list.isEmpty else { return }
    let line = Line(list: list, recording: recording.standardizedFileURL.path(percentEncoded: false))
    guard written.withLock({ $0.insert(line).inserted }) else { return }
    let descriptor = open(list, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw RecordingError(
        "The file \(list) of UNDERSTUDY_USED_RECORDINGS cannot be opened: \(String(cString: strerror(errno)))."
      )
    }
    defer { close(descriptor) }
    // One call, so that the lines of two processes are not mixed.
    try Array((line.recording + "\n").utf8).writeAll(to: descriptor, URL(filePath: list))
  }
}
