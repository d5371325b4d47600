public import Foundation

/// A folder of recordings, each in its own file.
public struct RecordingFolder: Sendable, Hashable {
  /// The location of the folder.
  package let url: URL
  /// The command that creates a missing recording, such as `understudy verify --record`.
  package let command: String

  /// Creates a folder reference with the command that creates its recordings.
  public init(_ url: URL, madeBy command: String) {
    self.url = url
    self.command = command
  }

  /// Returns the file of a recording.
  ///
  /// - Parameter name: The name without its file extension, such as `children/children.create.stored`.
  package func file(named name: String) -> URL {
    url.appending(path: name + ".har", directoryHint: .notDirectory)
  }

  /// Reads a recording, including the journal of an interrupted recorder.
  ///
  /// - Throws: ``RecordingError`` with the expected file and the command, or if the file is invalid.
  package func recording(named name: String) throws -> HTTPArchive {
    let file = file(named: name)
    try UsedRecordings.note(file)
    guard RecordingJournal.hasRecording(at: file) else {
      throw RecordingError.missing(file, command: command)
    }
    return try HTTPArchive(recordingAt: file)
  }
}
