import Foundation
import UnderstudyHTTP

/// An object in a page, or a folder, which has no row.
struct ListingEntry {
  /// The whole name of the object, or that of the folder without its last slash.
  let name: String
  let row: DatabaseRow?
  /// The time by which the page is sorted, in whole milliseconds since 1970.
  var moment: Int64
}

/// What a request for a page of objects asks for (`listObjectsV2.ts`).
struct ListingOptions {
  let prefix: String
  /// Whether objects in a folder below the prefix are listed as that folder.
  let groupsFolders: Bool
  let limit: Int
  /// The column by which the page is sorted, before the name.
  let column: String
  /// The column and the order as the request wrote them, because a cursor repeats only those.
  private let writtenColumn: String?
  private let writtenOrder: String?
  private let start: String
  private let startMoment: Int64?

  private static let columns = ["name", "updated_at", "created_at"]
  private static let orders = ["asc", "desc"]

  /// - Throws: `InvalidRequest`, and `InvalidParameter` for a cursor that is not one of the service.
  init(_ body: JSONValue) throws(StorageAPIError) {
    prefix = body["prefix"]?.stringValue ?? ""
    let delimiter = body["with_delimiter"]
    groupsFolders = delimiter == .boolean(true) || delimiter == .string("true")
    if body["limit"] != nil {
      guard let limit = body.storageInteger("limit") else {
        throw .invalidRequest("body/limit must be integer")
      }
      guard limit >= 1 else { throw .invalidRequest("body/limit must be >= 1") }
    }
    limit = min(body.storageInteger("limit") ?? 1_000, 1_000)
    if let sorting = body["sortBy"] {
      guard let column = sorting["column"]?.stringValue else {
        throw .invalidRequest("body/sortBy must have required property 'column'")
      }
      for (name, value, allowed) in [
        ("column", column, Self.columns), ("order", sorting["order"]?.stringValue ?? "asc", Self.orders),
      ] where !allowed.contains(value) {
        throw .invalidRequest("body/sortBy/\(name) must be equal to one of the allowed values")
      }
    }
    var column = body["sortBy"]?["column"]?.stringValue
    var order = body["sortBy"]?["order"]?.stringValue
    var parts: [String: String] = [:]
    if let cursor = body["cursor"]?.stringValue, !cursor.isEmpty {
      parts = try Self.parts(ofCursor: cursor)
      column = parts["c"] ?? column
      order = parts["o"] ?? "asc"
    }
    start = parts["l"] ?? ""
    startMoment = parts["a"].flatMap { try? Timestamp($0) }.map { Self.milliseconds($0.date) }
    writtenColumn = column
    writtenOrder = order
    self.column = column.flatMap { Self.columns.contains($0) ? $0 : nil } ?? "name"
  }

  private var isDescending: Bool { writtenOrder == "desc" }

  // MARK: Entries

  /// Returns the folder directly below the prefix that an object is in, without its last slash.
  func folder(of name: String) -> String? {
    guard groupsFolders else { return nil }
    let utf8 = name.utf8
    guard
      let slash = utf8[utf8.index(utf8.startIndex, offsetBy: prefix.utf8.count)...]
        .firstIndex(of: UInt8(ascii: "/"))
    else { return nil }
    return String(name[..<slash])
  }

  func moment(of row: DatabaseRow, _ column: String) -> Int64 {
    row[column].timestampValue.map(Self.milliseconds) ?? 0
  }

  private static func milliseconds(_ date: Date) -> Int64 {
    (Timestamp(date)?.microseconds ?? 0) / 1_000
  }

  /// Returns whether an entry is before another one in the page.
  func precedes(_ one: ListingEntry, _ other: ListingEntry) -> Bool {
    let (first, second) = isDescending ? (other, one) : (one, other)
    if column != "name", first.moment != second.moment { return first.moment < second.moment }
    return Self.precedes(key(of: first), key(of: second))
  }

  /// By name, a folder is where its objects are, behind `folder-1` and before `folder0`; by time it has only its name.
  private func key(of entry: ListingEntry) -> String {
    entry.row == nil && column == "name" ? entry.name + "/" : entry.name
  }

  private static func precedes(_ one: String, _ other: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Returns the names that can be on the page after the cursor.
  ///
  /// Grouped and sorted by name, `storage.list_objects_with_delimiter` continues at the slash behind the last name, so
  /// that the page after `a` has no `a.txt`.
  func namesAfterCursor(_ names: [String]) -> Set<String> {
    guard !start.isEmpty, column == "name" else { return Set(names) }
    guard groupsFolders else {
      return Set(
        names.filter { isDescending ? Self.precedes($0, start) : Self.precedes(start, $0) })
    }
    let isFolder = names.contains { $0.utf8.starts(with: (start + "/").utf8) }
    // `0` is the character after the slash.
    let bound =
      isDescending ? (isFolder ? start + "/" : start) : (isFolder ? start + "0" : start + "/")
    return Set(names.filter { Self.precedes($0, bound) == isDescending })
  }

  /// Returns whether an entry of a page that is sorted by time is after the cursor.
  func isAfterCursor(_ entry: ListingEntry) -> Bool {
    guard !start.isEmpty, column != "name" else { return true }
    return precedes(ListingEntry(name: start, row: nil, moment: startMoment ?? 0), entry)
  }

  /// The row of an object, or the name of a folder with its slash.
  func json(_ entry: ListingEntry) -> JSONValue {
    let isFolder = entry.row == nil
    let name = JSONValue.string(isFolder ? entry.name + "/" : entry.name)
    let times: [JSONValue.Member] = ["updated_at", "created_at"].map { column in
      // The search by name gives a folder no times.
      guard isFolder, self.column != "name" else { return .init(column, entry.row?[column].json ?? .null) }
      let date = Date(timeIntervalSince1970: Double(entry.moment) / 1_000)
      return .init(column, ColumnValue.timestamp(date).json)
    }
    let id = JSONValue.Member("id", entry.row?["id"].json ?? .null)
    let accessed = JSONValue.Member("last_accessed_at", entry.row?["last_accessed_at"].json ?? .null)
    let metadata = JSONValue.Member("metadata", entry.row?["metadata"].json ?? .null)
    guard groupsFolders else {
      return .object([id, .init("name", name), metadata] + times + [accessed])
    }
    let level = prefix.split(separator: "/", omittingEmptySubsequences: false).count
    let segments = entry.name.split(separator: "/", omittingEmptySubsequences: false)
    let key = segments.count >= level ? String(segments[level - 1]) : ""
    return .object([.init("key", .string(key)), .init("name", name), id] + times + [accessed, metadata])
  }

  // MARK: Cursors

  /// Returns the cursor of the page after an entry (`encodeContinuationToken`).
  func cursor(after entry: ListingEntry) -> String {
    var lines = ["l:\(entry.name)"]
    if let writtenOrder { lines.append("o:\(writtenOrder)") }
    if let writtenColumn {
      lines.append("c:\(writtenColumn)")
      if writtenColumn != "name" {
        let date = Date(timeIntervalSince1970: Double(entry.moment) / 1_000)
        lines.append("a:\(Timestamp(date)?.text(separator: "T", offset: "Z") ?? "")")
      }
    }
    return Data(lines.joined(separator: "\n").utf8).base64EncodedString()
  }

  /// Returns the values of a cursor by their letters (`decodeContinuationToken`).
  ///
  /// - Throws: `InvalidParameter`.
  private static func parts(ofCursor cursor: String) throws(StorageAPIError) -> [String: String] {
    var parts: [String: String] = [:]
    let text = Data(base64Encoded: cursor).map { String(decoding: $0, as: UTF8.self) } ?? ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let letter = line.first, "loca".contains(letter), line.dropFirst().first == ":" else {
        throw .invalidParameter("continuation token")
      }
      parts[String(letter)] = String(line.dropFirst(2))
    }
    return parts
  }
}
