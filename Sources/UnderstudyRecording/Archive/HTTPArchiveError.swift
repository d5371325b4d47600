public import Foundation
import UnderstudyHTTP

/// An error in a HAR document, with its position; also the warning for an entry that violates HAR 1.2.
public struct HTTPArchiveError: Error, Sendable, CustomStringConvertible {
  /// A kind of failure.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    private init(_ description: String) {
      self.description = description
    }

    /// The file does not exist, or cannot be read; see ``HTTPArchiveError/cause``.
    public static let inaccessible = Code("inaccessible")
    /// The document is not JSON.
    public static let invalidJSON = Code("invalid JSON")
    /// The document violates HAR 1.2.
    public static let invalidArchive = Code("invalid archive")
    /// The journal of a recording is invalid, or of another version.
    public static let invalidJournal = Code("invalid journal")
  }

  /// The kind of failure.
  public let code: Code
  /// The problem, as a sentence without a full stop.
  public private(set) var message: String
  /// The field, as in `log.entries[3].request.url`; `nil` if the text is not JSON or the file does not exist.
  public let field: String?
  /// The index of the affected entry, from 0.
  package let entryIndex: Int?
  /// The byte offset of the problem.
  public let byteOffset: Int?
  /// The line of the problem, from 1.
  public let line: Int?
  /// The first characters at the position of the problem.
  package let excerpt: String?
  /// The file, if the document was read from one.
  public let file: URL?
  /// The underlying error, if any.
  public let cause: (any Error)?

  /// The file, the line, the byte offset, the field and the problem.
  public var description: String {
    var places = file.map { [$0.path] } ?? []
    if let line, let byteOffset { places.append("line \(line), byte \(byteOffset)") }
    if let field { places.append(field) }
    let end = excerpt.map { $0.isEmpty ? ", where the file ends." : ": \($0)" } ?? "."
    return places.joined(separator: ": ") + (places.isEmpty ? "" : ": ") + message + end
  }
}

extension HTTPArchiveError {
  /// The position of a problem.
  enum Place {
    case file
    case byte(Int, of: Data)
    case field([JSONValue.Step], byte: Int, of: Data)
  }

  init(_ code: Code, _ message: String, place: Place, file: URL? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.file = file
    self.cause = cause
    var path: [JSONValue.Step]?
    switch place {
    case .file:
      (byteOffset, line, excerpt) = (nil, nil, nil)
    case .field(let steps, let byte, let data):
      path = steps
      (byteOffset, line, excerpt) = (byte, Self.line(of: byte, in: data), Self.excerpt(at: byte, of: data))
    case .byte(let byte, let data):
      (byteOffset, line, excerpt) = (byte, Self.line(of: byte, in: data), Self.excerpt(at: byte, of: data))
    }
    field = path.map { JSONValue.Step.text(of: $0) }
    entryIndex = path.flatMap(Self.entryIndex)
  }

  /// - Parameters:
  ///   - line: The line of the problem, if it is known.
  ///   - outcome: The consequence, for a warning.
  init(_ problem: ArchiveProblem, of data: Data, line: Int? = nil, outcome: String = "") {
    let path = Array(problem.path.reversed())
    code = .invalidArchive
    message = problem.message + outcome
    field = JSONValue.Step.text(of: path)
    entryIndex = Self.entryIndex(path)
    byteOffset = problem.offset
    self.line = line ?? Self.line(of: problem.offset, in: data)
    excerpt = Self.excerpt(at: problem.offset, of: data)
    file = nil
    cause = nil
  }

  init(notJSONFrom byte: Int, of data: Data) {
    self.init(.invalidJSON, "Invalid JSON", place: .byte(byte, of: data))
  }

  func inFile(_ file: URL) -> HTTPArchiveError {
    HTTPArchiveError(self, file: file)
  }

  private init(_ other: HTTPArchiveError, file: URL) {
    (code, message, cause) = (other.code, other.message, other.cause)
    (field, entryIndex) = (other.field, other.entryIndex)
    (byteOffset, line, excerpt) = (other.byteOffset, other.line, other.excerpt)
    self.file = file
  }

  /// The same without the consequence of a warning, as the error of a strict reader.
  package var strict: HTTPArchiveError {
    var error = self
    for outcome in Self.outcomes where message.hasSuffix(outcome) {
      error.message.removeLast(outcome.count)
    }
    return error
  }

  /// The consequences for an entry that violates HAR 1.2.
  static let (isRead, isLeftOut) = (" (read nevertheless)", " (the entry is left out)")
  private static var outcomes: [String] { [isRead, isLeftOut] }

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
}

extension [HTTPArchiveError] {
  /// One line for each warning, at most a number of them and the number of the others.
  package func lines(upTo limit: Int) -> [String] {
    let rest = count - limit
    return prefix(limit).map(\.description)
      + (rest > 0 ? ["and \(rest) more entries that violate HAR 1.2"] : [])
  }
}
