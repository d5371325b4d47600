import Foundation
import UnderstudyHTTP

/// The parsed lines of a journal.
struct JournalContents: Sendable {
  let header: JournalHeader
  /// The lines in the order of the file, and the ranges of their entries in ``bytes``.
  private(set) var lines: [(line: JournalLine, entry: Range<Int>)] = []
  let bytes: [UInt8]

  /// Parses a journal; a last line that is incomplete is ignored.
  ///
  /// - Parameter file: The file of the journal, for errors.
  /// - Returns: `nil` if even the first line is incomplete.
  /// - Throws: `RecordingError` with the number of an invalid line.
  init?(_ bytes: [UInt8], file: URL? = nil) throws(RecordingError) {
    guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
    guard let first = try? JSONValue(parsing: Data(bytes[..<end])), let header = JournalHeader(first) else {
      throw RecordingError(
        .init(
          "It is not a recording journal of a supported version", at: nil, byte: 0, of: Data(bytes)),
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

  private static func broken(at start: Int, _ bytes: [UInt8], _ file: URL?) -> RecordingError {
    RecordingError(
      .init(
        "This line of the journal is invalid. Remove it to read the other lines", at: nil, byte: start,
        of: Data(bytes)), file: file)
  }

  /// Parses the entry of a line.
  ///
  /// - Throws: `RecordingError` if it is not valid JSON.
  func entry(_ range: Range<Int>, file: URL? = nil) throws(RecordingError) -> JSONValue {
    do {
      return try JSONValue(parsing: Data(bytes[range]))
    } catch {
      throw Self.broken(at: range.lowerBound, bytes, file)
    }
  }

  /// The placeholders of all lines, with their final names.
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
