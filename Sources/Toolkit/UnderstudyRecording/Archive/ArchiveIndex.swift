import Foundation
import UnderstudyHTTP

/// The byte ranges of the parts of a HAR document.
struct ArchiveIndex: Sendable {
  struct Entry: Sendable {
    /// The range of the whole object.
    let bytes: Range<Int>
    /// The range of the request object.
    let request: Range<Int>
    let requestHash: UInt64
    /// The entry as HAR 1.2 requires it, if the document violates it.
    var corrected: HTTPArchive.Entry?
  }

  /// The range of the log.
  var log = 0..<0
  /// The ranges of the arrays of entries in the log: one, or several if the member occurs more than once.
  var lists: [Range<Int>] = []
  /// The entries of the last array.
  var entries: [Entry] = []
  /// The first problem of each entry that violates HAR 1.2.
  var odd: [Int: ArchiveProblem] = [:]

  /// Scans a document once, and checks that it is JSON in UTF-8 with the members that HAR 1.2 requires.
  ///
  /// - Parameter isStrict: Whether a problem of an entry is an error too.
  /// - Throws: The first problem outside of entries; if strict, the first one of all.
  init(of data: Data, strict isStrict: Bool = false) throws(RecordingError) {
    let outcome: Result<(index: ArchiveIndex, problem: ArchiveProblem?), JSONValue.ParsingError> =
      data.withUnsafeBytes { bytes in
        Result { () throws(JSONValue.ParsingError) in try ArchiveScan.scan(bytes) }
      }
    switch outcome {
    case .failure(let error):
      throw RecordingError(error, of: data)
    case .success((let index, let problem)):
      let problems = [problem].compactMap { $0 } + (isStrict ? Array(index.odd.values) : [])
      if let first = problems.min(by: { $0.offset < $1.offset }) {
        throw RecordingError(first, of: data)
      }
      self = index
    }
  }

  init() {}

  /// Returns the text of the log with empty arrays of entries.
  func logWithoutEntries(in data: Data) -> Data {
    var text = Data()
    var position = log.lowerBound
    for list in lists {
      text += data.dropFirst(position).prefix(list.lowerBound - position) + Data("[]".utf8)
      position = list.upperBound
    }
    return text + data.dropFirst(position).prefix(log.upperBound - position)
  }
}

/// A value that violates HAR 1.2.
struct ArchiveProblem: Sendable {
  let message: String
  /// The byte offset of the value.
  let offset: Int
  /// The path to the value, in reverse order.
  var path: [JSONValue.Step] = []
  /// The rule of the member that contains the value.
  var rule: Int?
}
