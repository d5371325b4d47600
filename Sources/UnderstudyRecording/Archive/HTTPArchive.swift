public import Foundation
public import UnderstudyHTTP

/// HTTP exchanges as HAR 1.2 writes them down, the format that browsers and proxies export.
///
/// Reading takes what real tools write: a byte order mark, fractions in numbers, null for a string, dates in any
/// format, missing objects that HAR 1.2 asks for. What cannot be read is refused with its place. What this package
/// adds begins with `_`, as HAR 1.2 asks of custom fields:
///
/// | field | holds | read by |
/// |---|---|---|
/// | `log._startedDateTime` | when the recording began | ``Log/startedDateTime`` |
/// | `log._seed` | the seed of the client's random values, as a string | ``Log/seed`` |
/// | `log._fixtures` | an object of the recorder's user | ``Log/fixtures`` |
/// | `log._journal` | the journal that it was finished from | ``HTTPArchive/init(recordingAt:)`` |
/// | `log._placeholders` | what stands for secrets, and where each was first seen | ``Log/placeholders`` |
/// | `request.postData._encoding` | `base64` for a body that is not UTF-8 | ``PostData/body`` |
/// | `response._error`, `response._errorCode` | why status 0 has no answer | ``Response/failure`` |
/// | `response.content._stream` | chunks, pauses and the end of a body | ``BodyStream`` |
/// | `entry._webSocketMessages` | the messages of a WebSocket, as Chrome writes them | ``Entry/webSocketMessages`` |
/// | `entry._webSocketEnd` | how a WebSocket ended | ``Entry/webSocketEnd`` |
public struct HTTPArchive: HTTPArchiveObject {
  /// The members of the document; HAR 1.2 knows `log` alone.
  public var members: [JSONValue.Member]

  /// A document of these members.
  public init(members: [JSONValue.Member]) {
    self.members = members
  }

  /// An archive of one log.
  public init(log: Log) {
    members = [.init("log", log.json)]
  }

  /// Everything in the document.
  public var log: Log {
    get { object("log") ?? Log(members: []) }
    set { self["log"] = newValue.json }
  }

  /// The exchanges, in the order in which they were sent.
  public var entries: [Entry] {
    get { log.entries }
    set { log.entries = newValue }
  }
}

extension HTTPArchive {
  /// Reads a file.
  ///
  /// - Throws: `HTTPArchiveError` when there is no such file, or it is not a HAR document.
  public init(contentsOf file: URL) throws(HTTPArchiveError) {
    do {
      try self.init(Self.bytes(of: file))
    } catch {
      throw error.inFile(file)
    }
  }

  /// Reads a document in UTF-8.
  ///
  /// - Throws: `HTTPArchiveError` with the place where it is not JSON, or not what HAR 1.2 asks for.
  public init(_ data: Data) throws(HTTPArchiveError) {
    _ = try ArchiveIndex(of: data)
    do {
      self.init(try JSONValue(parsing: data.dropFirst(ArchiveScan.lengthOfMark(in: data))))
    } catch {
      throw HTTPArchiveError(notJSONFrom: error.offset, of: data)
    }
  }

  static func bytes(of file: URL, options: Data.ReadingOptions = []) throws(HTTPArchiveError) -> Data {
    do {
      return try Data(contentsOf: file, options: options)
    } catch {
      throw HTTPArchiveError(message: "It cannot be read: \(error.localizedDescription)", place: .file)
    }
  }

  /// The document in UTF-8, with two spaces of indentation; the same value is always the same bytes.
  public var data: Data {
    var compact: [UInt8] = []
    json.write(into: &compact)
    var text: [UInt8] = []
    JSONIndentation.write(compact[...], depth: 0, into: &text)
    text.append(0x0A)
    return Data(text)
  }

  /// Writes the document to a file, in place of what is there, and makes the folders that it lies in.
  ///
  /// Whoever reads the file at the same time sees the old one or the new one, never a part.
  ///
  /// - Throws: What Foundation throws when the file cannot be written.
  public func write(to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file, options: .atomic)
  }
}
