import Foundation
import UnderstudyHTTP

/// A journal taken apart.
struct JournalContents: Sendable {
  let header: JournalHeader
  /// The lines in the order of the file, and where their entries stand in ``bytes``.
  private(set) var lines: [(line: JournalLine, entry: Range<Int>)] = []
  let bytes: [UInt8]

  /// Reads a journal; a line that was not written to its end is left out.
  ///
  /// - Parameter file: The file of the journal, for errors.
  /// - Returns: `nil` where not even the first line is whole.
  /// - Throws: `HTTPArchiveError` with the number of a line that is none.
  init?(_ bytes: [UInt8], file: URL? = nil) throws(HTTPArchiveError) {
    guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
    guard let first = try? JSONValue(parsing: Data(bytes[..<end])), let header = JournalHeader(first) else {
      throw HTTPArchiveError(
        message: "It is no journal of a recording, or one by another version",
        place: .byte(0, of: Data(bytes)),
        file: file)
    }
    self.header = header
    self.bytes = bytes
    var start = end + 1
    while start < bytes.count, let end = Self.endOfLine(from: start, in: bytes) {
      guard let line = JournalLine.read(bytes[start..<end]) else {
        throw Self.broken(at: start, bytes, file)
      }
      lines.append(line)
      start = end + 1
    }
  }

  private static func endOfLine(from start: Int, in bytes: [UInt8]) -> Int? {
    bytes.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let end = memchr(base + start, 0x0A, buffer.count - start) else {
        return nil
      }
      return UnsafeRawPointer(end) - base
    }
  }

  private static func broken(at start: Int, _ bytes: [UInt8], _ file: URL?) -> HTTPArchiveError {
    HTTPArchiveError(
      message: "This line of the journal is broken; without it the others can be read",
      place: .byte(start, of: Data(bytes)), file: file)
  }

  /// The entry of a line.
  ///
  /// - Throws: `HTTPArchiveError` where it is no JSON.
  func entry(_ range: Range<Int>, file: URL? = nil) throws(HTTPArchiveError) -> JSONValue {
    do {
      return try JSONValue(parsing: Data(bytes[range]))
    } catch {
      throw Self.broken(at: range.lowerBound, bytes, file)
    }
  }

  /// What the lines say of placeholders, each as it is called in the end.
  var placeholders: [Redactor.Row] {
    var rows: [Redactor.Row] = []
    for (line, _) in lines {
      for (old, new) in line.renamed {
        for index in rows.indices where rows[index].placeholder == old && !rows[index].isKept {
          rows[index].placeholder = new
        }
      }
      rows += line.placeholders
    }
    return rows
  }
}
