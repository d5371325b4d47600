import Foundation
import UnderstudyHTTP

extension RecordingPlace {
  /// The recording that is there, if there is one.
  ///
  /// It was interrupted where there is only what a recorder that was killed has left.
  func recording() throws(HTTPArchiveError) -> (file: URL, archive: IndexedArchive, isInterrupted: Bool)? {
    for file in [source] + resources where RecordingJournal.hasRecording(at: file) {
      let isInterrupted = !FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
      return (file, try IndexedArchive(recordingAt: file), isInterrupted)
    }
    return nil
  }

  /// What to throw when there is only a part of it.
  var interrupted: RecordingFailure {
    RecordingFailure(
      """
      The recording \(name) was interrupted, and only a part of it is there, in \
      \(RecordingJournal.url(of: source).path(percentEncoded: false)). Record the rest with: \(command)
      """)
  }

  /// Whether there is one.
  package var hasRecording: Bool { ([source] + resources).contains(where: RecordingJournal.hasRecording) }

  /// What to throw when there is none.
  var missing: MissingRecording { MissingRecording(file: source, command: command) }

  /// The file to write, whose folder can be made.
  func writableFile() throws -> URL {
    // The folder of the test's source itself is never made: where it is not, neither is the source.
    let folder = source.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw RecordingFailure(
        """
        The recording \(name) cannot be made in \(folder.path(percentEncoded: false)): \(error.localizedDescription) \
        Recordings are made beside the test's source, so record on the machine that has it, in a simulator and not \
        on a device.
        """)
    }
    return source
  }

  /// What to do when a recording has no answer, as an order.
  func remedy(for file: URL) -> String {
    "record \(file.path(percentEncoded: false)) again with: \(command(in: .replace))"
  }

  /// The command with another mode than the one that makes a recording that is missing.
  func command(in mode: RecordingMode) -> String {
    command.replacing("UNDERSTUDY_RECORD=once", with: "UNDERSTUDY_RECORD=\(mode.rawValue)")
  }
}

extension RecordingAgeLimit {
  /// What to say of a recording that is too old.
  func problem(of archive: IndexedArchive, at place: RecordingPlace, _ now: Date) -> RecordingFailure? {
    guard let start = archive.start else { return nil }
    let age = now.timeIntervalSince(start) / 86_400
    guard age >= Double(days) + 1 else { return nil }
    return RecordingFailure(
      """
      The recording \(place.name) is \(Int(age)) days old, and \(days) are allowed. Record it again with: \
      \(place.command(in: .replace))
      """)
  }
}

extension IndexedArchive {
  /// When the recording began, or else its first exchange.
  var start: Date? {
    log.startedDateTime ?? (entryCount > 0 ? entry(at: 0).startedDateTime : nil)
  }
}
