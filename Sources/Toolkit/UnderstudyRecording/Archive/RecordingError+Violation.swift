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

  init(notJSONFrom byte: Int, of data: Data) {
    self.init(Violation("Invalid JSON", at: nil, byte: byte, of: data))
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
