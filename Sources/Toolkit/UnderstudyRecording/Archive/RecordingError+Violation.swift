import Foundation
import UnderstudyHTTP

extension RecordingError {
  /// A problem in a HAR document or in a journal, with its position.
  package struct Violation: Sendable {
    /// The problem, as a sentence without a full stop.
    package fileprivate(set) var problem: String
    /// The field, as in `log.entries[3].request.url`; `nil` if the text is not JSON.
    package let field: String?
    /// The index of the affected entry, from 0.
    package let entryIndex: Int?
    /// The byte offset of the problem.
    package let byteOffset: Int
    /// The line of the problem, from 1.
    package let line: Int
    /// The first characters at the position of the problem.
    let excerpt: String

    /// - Parameters:
    ///   - path: The path of the field, if the text is JSON.
    ///   - line: The line of the problem, if it is known.
    init(_ problem: String, at path: [JSONValue.Step]?, byte: Int, of data: Data, line: Int? = nil) {
      self.problem = problem
      field = path.map { JSONValue.Step.text(of: $0) }
      entryIndex = path.flatMap(Self.entryIndex)
      byteOffset = byte
      self.line = line ?? Self.line(of: byte, in: data)
      excerpt = Self.excerpt(at: byte, of: data)
    }

    private static func entryIndex(_ path: [JSONValue.Step]) -> Int? {
      if path.count > 2, path[1] == .member("entries"), case .element(let index) = path[2] {
        index
      } else {
        nil
      }
    }

    private static func line(of byte: Int, in data: Data) -> Int {
      data.prefix(byte).reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }

    private static func excerpt(at byte: Int, of data: Data) -> String {
      let rest = data.dropFirst(byte)
      let text = String(decoding: rest.prefix(40), as: UTF8.self).split(separator: "\n").first ?? ""
      return rest.count > 40 ? text + "…" : String(text)
    }

    /// The file, the line, the byte offset, the field and the problem.
    fileprivate func message(in file: URL?) -> String {
      let places = [file?.path, "line \(line), byte \(byteOffset)", field].compactMap(\.self)
      let end = excerpt.isEmpty ? ", where the file ends." : ": \(excerpt)"
      return places.joined(separator: ": ") + ": " + problem + end
    }
  }

  init(_ violation: Violation, file: URL? = nil) {
    self.init(.invalidRecording, violation.message(in: file), file: file)
    self.violation = violation
  }

  /// - Parameters:
  ///   - line: The line of the problem, if it is known.
  ///   - outcome: The consequence, for a warning.
  init(_ problem: ArchiveProblem, of data: Data, line: Int? = nil, outcome: String = "") {
    self.init(
      Violation(
        problem.message + outcome, at: Array(problem.path.reversed()), byte: problem.offset, of: data,
        line: line))
  }

  init(_ error: JSONValue.ParsingError, of data: Data) {
    if let text = Self.beginningOfUTF16(data) {
      let problem = "Expected UTF-8, found UTF-16 (to convert it: iconv -f UTF-16 -t UTF-8)"
      self.init(Violation(problem, at: nil, byte: 0, of: Data(text.utf8)))
    } else {
      let problem =
        error.isTooDeep
        ? "The document is nested deeper than \(JSONReader.depthLimit) arrays and objects" : "Invalid JSON"
      self.init(Violation(problem, at: nil, byte: error.offset, of: data))
    }
  }

  /// Returns the first characters of a document in UTF-16, as its byte order mark or the zero byte of its first
  /// character shows (RFC 4627 §3); `nil` if it is not.
  private static func beginningOfUTF16(_ data: Data) -> String? {
    let bytes = [UInt8](data.prefix(84))
    guard bytes.count >= 2, bytes.contains(0) else { return nil }
    let isMarked = bytes[0] == 0xFF && bytes[1] == 0xFE || bytes[0] == 0xFE && bytes[1] == 0xFF
    guard isMarked || (bytes[0] == 0) != (bytes[1] == 0) else { return nil }
    let isLittleEndian = bytes[0] == 0xFF || bytes[1] == 0
    let units: [UInt16] = stride(from: isMarked ? 2 : 0, to: bytes.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The same with the file of the document.
  func inFile(_ file: URL) -> RecordingError {
    violation.map { RecordingError($0, file: file) } ?? self
  }

  /// The same without the consequence of a warning, as the error of a strict reader.
  package var strict: RecordingError {
    guard var violation, let outcome = Self.outcomes.first(where: violation.problem.hasSuffix) else {
      return self
    }
    violation.problem.removeLast(outcome.count)
    return RecordingError(violation, file: file)
  }

  /// The consequences for an entry that violates HAR 1.2.
  static let (isRead, isLeftOut) = (" (read nevertheless)", " (the entry is left out)")
  private static var outcomes: [String] { [isRead, isLeftOut] }
}

extension [RecordingError] {
  /// One line for each warning, at most a number of them and the number of the others.
  package func lines(upTo limit: Int) -> [String] {
    let rest = count - limit
    return prefix(limit).map(\.description)
      + (rest > 0 ? ["and \(rest) more entries that violate HAR 1.2"] : [])
  }
}
