import Foundation
import UnderstudyHTTP

/// Where the parts of a HAR document lie in its bytes.
struct ArchiveIndex: Sendable {
  struct Entry: Sendable {
    /// The whole object.
    let bytes: Range<Int>
    /// The object with the request in it.
    let request: Range<Int>
    let requestHash: UInt64
  }

  /// The log.
  var log = 0..<0
  /// The arrays of entries in it: one, but for documents that name them twice.
  var lists: [Range<Int>] = []
  /// The entries of the last of them.
  var entries: [Entry] = []

  /// Goes through a document once, and checks that it is JSON in UTF-8 and what HAR 1.2 asks for.
  init(of data: Data) throws(HTTPArchiveError) {
    let outcome: Result<(index: ArchiveIndex, problem: ArchiveProblem?), JSONValue.ParsingError> =
      data.withUnsafeBytes { bytes in
        Result { () throws(JSONValue.ParsingError) in try ArchiveScan.scan(bytes) }
      }
    switch outcome {
    case .failure(let error):
      throw HTTPArchiveError(notJSONFrom: error.offset, of: data)
    case .success((let index, let problem)):
      if let problem {
        throw HTTPArchiveError(
          message: problem.message, place: .field(problem.path.reversed(), byte: problem.offset, of: data))
      }
      self = index
    }
  }

  init() {}

  /// The text of the log with empty lists of entries.
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

/// A value that is not what HAR 1.2 asks for.
struct ArchiveProblem {
  let message: String
  /// How many bytes stand before it.
  let offset: Int
  /// The way to it, the last step first.
  var path: [JSONValue.Step] = []
  /// The rule of the member that it lies in.
  var rule: Int?
}
