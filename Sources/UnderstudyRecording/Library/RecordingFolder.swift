public import Foundation

/// A folder of recordings, each in its own file.
public struct RecordingFolder: Sendable, Hashable {
  /// The location of the folder.
  public let url: URL
  /// The command that creates a missing recording, such as `understudy verify --record`.
  public let command: String

  /// Creates a folder reference with the command that creates its recordings.
  public init(_ url: URL, madeBy command: String) {
    self.url = url
    self.command = command
  }

  /// The file of a recording.
  ///
  /// - Parameter name: The name without its file extension, such as `children/children.create.stored`.
  public func file(named name: String) -> URL {
    url.appending(path: name + ".har", directoryHint: .notDirectory)
  }

  /// Reads a recording, including the journal of an interrupted recorder.
  ///
  /// - Throws: ``MissingRecording`` with the expected file and the command, or `HTTPArchiveError`.
  public func recording(named name: String) throws -> HTTPArchive {
    let file = file(named: name)
    guard RecordingJournal.hasRecording(at: file) else {
      throw MissingRecording(file: file, command: command)
    }
    return try HTTPArchive(recordingAt: file)
  }
}

/// An error for a recording that was not found.
public struct MissingRecording: Error, Sendable, Hashable, CustomStringConvertible {
  /// The expected file.
  public let file: URL
  /// The command that creates the recording.
  public let command: String

  /// The expected file and the remedy.
  public var description: String {
    "There is no recording at \(file.path(percentEncoded: false)). Make it with: \(command)"
  }
}
