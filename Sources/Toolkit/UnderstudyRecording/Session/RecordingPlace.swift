package import Foundation
import UnderstudyHTTP

/// The locations of a test's recording, to read and to write it.
///
/// It is written beside the test's source, to `Recordings/<name>.har`, and read there while that folder exists. On a
/// device or another machine it is read from the resources of a bundle, as copied by the package manager or Xcode: from
/// `Recordings/`, or by the last component of its name.
package struct RecordingPlace: Sendable, Hashable {
  /// The name without its file extension, such as `children/create`.
  package let name: String
  /// The command that creates a missing recording.
  package let command: String
  /// The file to write.
  package let source: URL
  /// The alternative files to read, in order of preference.
  package let resources: [URL]

  /// Creates a place beside a source file.
  ///
  /// - Parameters:
  ///   - name: The name; a file extension `.har` is ignored.
  ///   - bundle: The bundle with the recordings as resources, such as `.module`; `nil` for none.
  ///   - filePath: The source file of the test.
  ///   - command: The command that creates the recording.
  package init(_ name: String, in bundle: Bundle? = nil, besides filePath: String, madeBy command: String) {
    let name = name.hasSuffix(".har") ? String(name.dropLast(4)) : name
    self.name = name
    self.command = command
    source = Self.file(
      "Recordings/" + name,
      in: URL(filePath: filePath, directoryHint: .notDirectory).deletingLastPathComponent())
    let last = String(name.split(separator: "/").last ?? "")
    resources =
      (bundle?.resourceURL).map { folder in
        ["Recordings/" + name, name, last].map { Self.file($0, in: folder) }
      } ?? []
  }

  /// Creates a place of a file that is both read and written.
  package init(file: URL, madeBy command: String) {
    name = file.deletingPathExtension().lastPathComponent
    self.command = command
    source = file
    resources = []
  }

  private static func file(_ name: String, in folder: URL) -> URL {
    folder.appending(path: name + ".har", directoryHint: .notDirectory)
  }
}

extension RecordingPlace {
  /// Reads the existing recording; `nil` if it does not exist.
  ///
  /// It is interrupted if only the journal of an interrupted recorder exists.
  func recording() throws(RecordingError) -> (file: URL, archive: IndexedArchive, isInterrupted: Bool)? {
    for file in [source] + resources where RecordingJournal.hasRecording(at: file) {
      let isInterrupted = !FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
      return (file, try IndexedArchive(recordingAt: file), isInterrupted)
    }
    return nil
  }

  /// The error for an incomplete recording.
  var interrupted: RecordingError {
    RecordingError(
      .incomplete,
      """
      The recording \(name) was interrupted and is incomplete: \
      \(RecordingJournal.url(of: source).path(percentEncoded: false)). To record the rest: \(command)
      """, file: source)
  }

  /// Whether a recording exists.
  package var hasRecording: Bool { ([source] + resources).contains(where: RecordingJournal.hasRecording) }

  /// The error for a missing recording.
  var missing: RecordingError { .missing(source, command: command) }

  /// Returns the file to write, and creates a missing folder.
  func writableFile() throws -> URL {
    // The folder of the test's source is never created: if it is missing, so is the source.
    let folder = source.deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw RecordingError(
        .inaccessible,
        """
        The recording \(name) cannot be written to \(folder.path(percentEncoded: false)): \(error.localizedDescription) \
        Recordings are written next to the test's source. Record on the machine that has the source: in a simulator, \
        not on a device.
        """, file: source, cause: error)
    }
    return source
  }

  /// Returns the remedy for a request without a recorded response, in the imperative.
  func remedy(for file: URL) -> String {
    "re-record \(file.path(percentEncoded: false)) with: \(command(in: .replace))"
  }

  /// Returns the command with another mode than the one that records a missing recording.
  func command(in mode: RecordingMode) -> String {
    command.replacing("UNDERSTUDY_RECORD=once", with: "UNDERSTUDY_RECORD=\(mode.rawValue)")
  }
}

extension RecordingAgeLimit {
  /// Returns the failure or warning for a recording that is too old.
  func problem(of archive: IndexedArchive, at place: RecordingPlace, _ now: Date) -> RecordingError? {
    guard let start = archive.start else { return nil }
    let age = now.timeIntervalSince(start) / 86_400
    guard age >= Double(days) + 1 else { return nil }
    return RecordingError(
      .tooOld,
      """
      The recording \(place.name) is \(Int(age)) days old; the limit is \(days) days. Re-record it with: \
      \(place.command(in: .replace))
      """, file: place.source)
  }
}

extension IndexedArchive {
  /// The date on which the recording, or otherwise its first exchange, began.
  var start: Date? {
    log.startedDateTime ?? (entryCount > 0 ? entry(at: 0).startedDateTime : nil)
  }
}
