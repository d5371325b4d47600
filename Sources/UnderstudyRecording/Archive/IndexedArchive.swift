public import Foundation
import UnderstudyTransport

/// An archive whose entries are decoded one at a time, when they are asked for.
public struct IndexedArchive: Sendable {
  private let entries: [HTTPArchive.Entry]

  /// Everything of the log but its entries.
  public let log: HTTPArchive.Log

  /// An archive that is in memory already.
  public init(_ archive: HTTPArchive) {
    entries = archive.entries
    var log = archive.log
    log.entries = []
    self.log = log
  }

  /// Reads a file.
  ///
  /// - Throws: `HTTPArchiveError` when there is no such file, or it is not a HAR document.
  public init(contentsOf file: URL) throws(HTTPArchiveError) {
    self.init(try HTTPArchive(contentsOf: file))
  }

  /// Reads a document in UTF-8.
  ///
  /// - Throws: `HTTPArchiveError` with the place where it is not JSON, or not what HAR 1.2 asks for.
  public init(_ data: Data) throws(HTTPArchiveError) {
    self.init(try HTTPArchive(data))
  }

  /// How many exchanges there are.
  public var entryCount: Int { entries.count }

  /// An exchange, by its number in the log.
  public func entry(at index: Int) -> HTTPArchive.Entry { entries[index] }

  /// What was asked in an exchange, by its number in the log; nothing else of it is decoded.
  public func request(at index: Int) -> HTTPArchive.Request { entries[index].request }

  /// A number that is the same for requests of the same method and path.
  ///
  /// Segments of the path that may hold a secret (of twenty bytes or more, or with a placeholder in them) do not
  /// count, nor do the query, the fragment and what stands before the path. Which entries really answer a request
  /// must be found out among those of the same number.
  package func requestHash(at index: Int) -> UInt64 {
    let request = entries[index].request
    return Self.requestHash(method: request.method.rawValue, url: request.url)
  }

  /// The number of a request that is asked.
  package static func requestHash(method: String, url: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    add(method.utf8)
    let sent = url.prefix { $0 != "?" && $0 != "#" }
    let path =
      sent.range(of: "://").map { authority in
        sent[authority.upperBound...].drop { $0 != "/" }
      } ?? sent
    for segment in path.split(separator: "/", omittingEmptySubsequences: true) {
      add("/".utf8)
      if segment.utf8.count < 20 && !segment.contains(Redactor.stem) { add(segment.utf8) }
    }
    return hash
  }
}
