package import Foundation
import UnderstudyHTTP

/// An archive that decodes its entries on demand.
///
/// Creating it validates the whole document in one pass, which records the position of each entry.
///
/// A file is memory-mapped. A tool that replaces the file, as this package and most tools do, leaves the mapped
/// contents unchanged. A tool that writes to the same file can change entries that are decoded later. A tool that
/// truncates the file while it is read terminates the process, because the system offers no other way to report this.
package struct IndexedArchive: Sendable {
  private enum Content: Sendable {
    case entries([HTTPArchive.Entry])
    case bytes(Data, [ArchiveIndex.Entry])
  }

  private let content: Content

  /// The log without its entries.
  package let log: HTTPArchive.Log
  /// The entries that violate HAR 1.2, one warning each; see `HTTPArchive.warnings`.
  package private(set) var warnings: [RecordingError]

  /// Creates an indexed archive from an archive in memory.
  package init(_ archive: HTTPArchive) {
    content = .entries(archive.entries)
    log = archive.log.withoutEntries
    warnings = archive.warnings
  }

  /// Creates an indexed archive from a memory-mapped file.
  ///
  /// - Throws: `RecordingError` if the file does not exist or is not a HAR document.
  package init(contentsOf file: URL) throws(RecordingError) {
    do {
      // Not `mappedIfSafe`, because Foundation on Linux then reads the file.
      try self.init(HTTPArchive.bytes(of: file, options: .alwaysMapped))
    } catch {
      throw error.inFile(file)
    }
    warnings = warnings.map { $0.inFile(file) }
  }

  /// Parses a document in UTF-8.
  ///
  /// - Throws: `RecordingError` with the position of invalid JSON or of a violation of HAR 1.2.
  ///
  /// - Parameter isStrict: Whether an entry that violates HAR 1.2 is an error.
  package init(_ data: Data, strict isStrict: Bool = false) throws(RecordingError) {
    self.init(try ArchiveReading(data, strict: isStrict))
  }

  init(_ reading: ArchiveReading) {
    content = .bytes(reading.data, reading.entries)
    let text = reading.index.logWithoutEntries(in: reading.data)
    log = HTTPArchive.Log(JSONValue(text, 0..<text.count)).withoutEntries
    warnings = reading.warnings
  }

  /// All entries, decoded.
  var entries: [HTTPArchive.Entry] { (0..<entryCount).map(entry(at:)) }

  /// The number of exchanges.
  package var entryCount: Int {
    switch content {
    case .entries(let entries): entries.count
    case .bytes(_, let entries): entries.count
    }
  }

  /// Decodes an exchange, by its index in the log.
  package func entry(at index: Int) -> HTTPArchive.Entry {
    switch content {
    case .entries(let entries): entries[index]
    case .bytes(let data, let entries):
      entries[index].corrected ?? HTTPArchive.Entry(JSONValue(data, entries[index].bytes))
    }
  }

  /// Decodes only the request of an exchange, by its index in the log.
  package func request(at index: Int) -> HTTPArchive.Request {
    switch content {
    case .entries(let entries): entries[index].request
    case .bytes(let data, let entries):
      entries[index].corrected?.request ?? HTTPArchive.Request(JSONValue(data, entries[index].request))
    }
  }

  /// Returns a hash that is equal for requests with the same method and path.
  ///
  /// Path segments that may contain a secret (at least twenty bytes long, or with a placeholder) are ignored, and so
  /// are the query, the fragment and everything before the path. Requests with equal hashes still have to be compared.
  package func requestHash(at index: Int) -> UInt64 {
    switch content {
    case .entries(let entries):
      let request = entries[index].request
      return Self.requestHash(method: request.method.rawValue, url: request.url)
    case .bytes(_, let entries):
      return entries[index].requestHash
    }
  }

  /// Returns the hash of a new request.
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
  /// Creates an archive with all entries decoded.
  package init(_ archive: IndexedArchive) {
    var log = archive.log
    log.entries = (0..<archive.entryCount).map(archive.entry(at:))
    self.init(log: log)
    keepWarnings(archive.warnings)
  }
}

extension HTTPArchive.Log {
  fileprivate var withoutEntries: Self {
    Self(members: members.map { $0.name == "entries" ? .init($0.name, .array([])) : $0 })
  }
}

extension JSONValue {
  /// Decodes a range of a validated document; null if it has become invalid because another tool changed a mapped file.
  fileprivate init(_ data: Data, _ range: Range<Int>) {
    let bytes = data.dropFirst(range.lowerBound).prefix(range.count)
    self = (try? JSONValue(parsing: bytes)) ?? .null
  }
}
