public import Foundation
import UnderstudyHTTP

/// An archive whose entries are decoded one at a time, when they are asked for.
///
/// All of it is checked when it is made, in one pass that notes where each entry lies.
///
/// A file is mapped into memory, not read into it. Whoever replaces it, as this package does and most tools do, leaves
/// the mapped one as it is. A tool that writes into the very file can change what is decoded afterwards, and one that
/// shortens it while an archive reads there ends the process: a system has no other answer to that.
public struct IndexedArchive: Sendable {
  private enum Content: Sendable {
    case entries([HTTPArchive.Entry])
    case bytes(Data, [ArchiveIndex.Entry])
  }

  private let content: Content

  /// Everything of the log but its entries.
  public let log: HTTPArchive.Log

  /// An archive that is in memory already.
  public init(_ archive: HTTPArchive) {
    content = .entries(archive.entries)
    log = archive.log.withoutEntries
  }

  /// Maps a file into memory.
  ///
  /// - Throws: `HTTPArchiveError` when there is no such file, or it is not a HAR document.
  public init(contentsOf file: URL) throws(HTTPArchiveError) {
    do {
      // Not `mappedIfSafe`, with which Foundation on Linux reads the file.
      try self.init(HTTPArchive.bytes(of: file, options: .alwaysMapped))
    } catch {
      throw error.inFile(file)
    }
  }

  /// Reads a document in UTF-8.
  ///
  /// - Throws: `HTTPArchiveError` with the place where it is not JSON, or not what HAR 1.2 asks for.
  public init(_ data: Data) throws(HTTPArchiveError) {
    let index = try ArchiveIndex(of: data)
    content = .bytes(data, index.entries)
    let text = index.logWithoutEntries(in: data)
    log = HTTPArchive.Log(JSONValue(text, 0..<text.count)).withoutEntries
  }

  /// How many exchanges there are.
  public var entryCount: Int {
    switch content {
    case .entries(let entries): entries.count
    case .bytes(_, let entries): entries.count
    }
  }

  /// An exchange, by its number in the log.
  public func entry(at index: Int) -> HTTPArchive.Entry {
    switch content {
    case .entries(let entries): entries[index]
    case .bytes(let data, let entries): HTTPArchive.Entry(JSONValue(data, entries[index].bytes))
    }
  }

  /// What was asked in an exchange, by its number in the log; nothing else of it is decoded.
  public func request(at index: Int) -> HTTPArchive.Request {
    switch content {
    case .entries(let entries): entries[index].request
    case .bytes(let data, let entries): HTTPArchive.Request(JSONValue(data, entries[index].request))
    }
  }

  /// A number that is the same for requests of the same method and path.
  ///
  /// Segments of the path that may hold a secret (of twenty bytes or more, or with a placeholder in them) do not
  /// count, nor do the query, the fragment and what stands before the path. Which entries really answer a request
  /// must be found out among those of the same number.
  package func requestHash(at index: Int) -> UInt64 {
    switch content {
    case .entries(let entries):
      let request = entries[index].request
      return Self.requestHash(method: request.method.rawValue, url: request.url)
    case .bytes(_, let entries):
      return entries[index].requestHash
    }
  }

  /// The number of a request that is asked.
  package static func requestHash(method: String, url: String) -> UInt64 {
    var (method, url) = (method, url)
    return method.withUTF8 { method in
      url.withUTF8 { url in
        RequestHash.value(method: UnsafeRawBufferPointer(method), url: UnsafeRawBufferPointer(url))
      }
    }
  }
}

extension HTTPArchive {
  /// An archive with every entry decoded.
  public init(_ archive: IndexedArchive) {
    var log = archive.log
    log.entries = (0..<archive.entryCount).map(archive.entry(at:))
    self.init(log: log)
  }
}

extension HTTPArchive.Log {
  fileprivate var withoutEntries: Self {
    Self(members: members.map { $0.name == "entries" ? .init($0.name, .array([])) : $0 })
  }
}

extension JSONValue {
  /// The value in some bytes of a document that has been checked; null if they are no longer what they were, because
  /// another tool wrote into a mapped file.
  fileprivate init(_ data: Data, _ range: Range<Int>) {
    let bytes = data.dropFirst(range.lowerBound).prefix(range.count)
    self = (try? JSONValue(parsing: bytes)) ?? .null
  }
}
