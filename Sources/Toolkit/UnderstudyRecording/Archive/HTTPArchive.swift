public import Foundation
package import UnderstudyHTTP

/// A recording of HTTP exchanges in HAR 1.2, the format that browsers and proxies export.
///
/// Reading accepts the output of common tools: a byte order mark, fractions in numbers, null for a string, dates in any
/// format, and missing objects that HAR 1.2 requires. An entry that violates HAR 1.2 in another way costs at most that
/// entry. Invalid input is refused with its position. Extensions of this package begin with `_`, as HAR 1.2 requires of
/// custom fields:
///
/// | field | contents | read by |
/// |---|---|---|
/// | `log._startedDateTime` | when the recording began | `Log.startedDateTime` |
/// | `log._seed` | the seed of the client's random values, as a string | `Log.seed` |
/// | `log._fixtures` | an object of the recorder's user | `Log.fixtures` |
/// | `log._journal` | the journal from which the file was created | `HTTPArchive(recordingAt:)` |
/// | `log._placeholders` | the placeholders of secrets, and where each was first seen | `Log.placeholders` |
/// | `headers[]._encoding` | `ISO-8859-1` for a value whose bytes are not UTF-8 | `NamedValue.isLatin1` |
/// | `request.postData._encoding` | `base64` for a body that is not UTF-8 | `PostData.body` |
/// | `request.postData._flattened` | `true` for JSON that was rebuilt from `params` | `PostData.isFlattened` |
/// | `response._trailers` | the trailers of a body in chunks | `Response.trailers` |
/// | `response._error`, `response._errorCode` | the error of a response with status 0 | `Response.failure` |
/// | `response.content._stream` | the chunks, pauses and end of a body | `BodyStream` |
/// | `entry._webSocketMessages` | the messages of a WebSocket, as written by Chrome | `Entry.webSocketMessages` |
/// | `entry._webSocketEnd` | how a WebSocket ended | `Entry.webSocketEnd` |
public struct HTTPArchive: HTTPArchiveObject {
  /// The members of the document; HAR 1.2 defines only `log`.
  package var members: [JSONValue.Member]
  /// The entries that violate HAR 1.2, one warning each.
  ///
  /// They are read where their meaning is plain, and left out otherwise. They are not part of the document.
  package var warnings: [RecordingError] { noted.warnings }
  private var noted = ArchiveWarnings()

  /// Creates a document from its members.
  package init(members: [JSONValue.Member]) {
    self.members = members
  }

  /// Creates an archive from a log.
  package init(log: Log) {
    members = [.init("log", log.json)]
  }

  /// The log, which contains all exchanges.
  package var log: Log {
    get { object("log") ?? Log(members: []) }
    set { self["log"] = newValue.json }
  }

  /// The exchanges, in the order in which they were sent.
  package var entries: [Entry] {
    get { log.entries }
    set { log.entries = newValue }
  }
}

extension HTTPArchive {
  /// Reads an archive from a file.
  ///
  /// - Throws: `RecordingError` if the file does not exist (`.inaccessible`) or is not a HAR document.
  public init(contentsOf file: URL) throws(RecordingError) {
    do {
      try self.init(Self.bytes(of: file))
    } catch {
      throw error.inFile(file)
    }
    noted.warnings = warnings.map { $0.inFile(file) }
  }

  /// Parses a document in UTF-8.
  ///
  /// An entry that violates HAR 1.2 is read where its meaning is plain, and left out otherwise.
  ///
  /// - Throws: `RecordingError` with the position of invalid JSON, or of a violation of HAR 1.2 outside of entries or
  ///   in each of them.
  package init(_ data: Data) throws(RecordingError) {
    try self.init(data, strict: false)
  }

  /// - Parameter isStrict: Whether an entry that violates HAR 1.2 is an error.
  package init(_ data: Data, strict isStrict: Bool) throws(RecordingError) {
    let reading = try ArchiveReading(data, strict: isStrict)
    do {
      let text = reading.data
      self.init(try JSONValue(parsing: text.dropFirst(ArchiveScan.lengthOfMark(in: text))))
    } catch {
      throw RecordingError(error, of: data)
    }
    if reading.isCorrected { entries = IndexedArchive(reading).entries }
    noted.warnings = reading.warnings
  }

  /// Adds the warnings of a document from which this one is made.
  mutating func keepWarnings(_ others: [RecordingError]) {
    noted.warnings = others + warnings
  }

  static func bytes(of file: URL, options: Data.ReadingOptions = []) throws(RecordingError) -> Data {
    do {
      return try Data(contentsOf: file, options: options)
    } catch {
      throw RecordingError(
        .inaccessible, "The file cannot be read: \(error.localizedDescription)", at: file, cause: error)
    }
  }

  /// The document in UTF-8 with two-space indentation; equal values have equal bytes.
  package var data: Data {
    var text: [UInt8] = []
    json.writeIndented(into: &text)
    text.append(0x0A)
    return Data(text)
  }

  /// Writes the document to a file, replaces an existing file, and creates missing folders.
  ///
  /// The file is replaced atomically: concurrent readers see the old or the new contents.
  ///
  /// - Throws: The error of Foundation if the file cannot be written.
  package func write(to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file, options: .atomic)
  }
}

/// The warnings about a document, in which two equal documents may differ.
private struct ArchiveWarnings: Sendable, Hashable {
  var warnings: [RecordingError] = []

  static func == (one: Self, other: Self) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}
