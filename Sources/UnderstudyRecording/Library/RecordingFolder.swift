public import Foundation

/// A folder of recordings, each in a file of its own.
public struct RecordingFolder: Sendable, Hashable {
  /// Where it is.
  public let url: URL
  /// How its recordings are made, for whoever misses one, such as `understudy verify --record`.
  public let command: String

  /// A folder, and the command that fills it.
  public init(_ url: URL, madeBy command: String) {
    self.url = url
    self.command = command
  }

  /// The file of a recording.
  ///
  /// - Parameter name: The name without its ending, such as `children/children.create.stored`.
  public func file(named name: String) -> URL {
    url.appending(path: name + ".har", directoryHint: .notDirectory)
  }

  /// Reads a recording, with what a recorder that was killed has left in a journal beside it.
  ///
  /// - Throws: ``MissingRecording``, which says where it was looked for and how to make it, or `HTTPArchiveError`.
  public func recording(named name: String) throws -> HTTPArchive {
    let file = file(named: name)
    guard RecordingJournal.hasRecording(at: file) else {
      throw MissingRecording(file: file, command: command)
    }
    return try HTTPArchive(recordingAt: file)
  }
}

/// A recording that is not where it should be.
public struct MissingRecording: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where it was looked for.
  public let file: URL
  /// What makes it.
  public let command: String

  /// Where it was looked for, and what to do.
  public var description: String {
    "There is no recording at \(file.path(percentEncoded: false)). Make it with: \(command)"
  }
}
