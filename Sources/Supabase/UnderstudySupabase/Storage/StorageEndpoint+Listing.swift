import Foundation
import UnderstudyHTTP

/// Lists of objects: of a folder with an offset (`object/list`), and of a prefix with a cursor (`object/list-v2`).
extension StorageEndpoint {
  // MARK: With an offset

  /// Lists the objects and the folders of a folder (`storage.search`).
  func list(_ exchange: StorageExchange, _ bucket: String) throws(StorageAPIError) -> HTTP.Response {
    let body = try exchange.body()
    var prefix = try body.storageText("prefix")
    if !prefix.isEmpty, !prefix.hasSuffix("/") { prefix += "/" }
    let limit = min(body.storageInteger("limit") ?? 100, 1_500)
    let offset = body.storageInteger("offset") ?? 0
    guard limit >= 1, offset >= 0 else { throw .invalidRequest("body/limit must be >= 1") }
    let column = body["sortBy"]?["column"]?.stringValue ?? "name"
    guard ["name", "updated_at", "created_at", "last_accessed_at"].contains(column) else {
      throw .invalidRequest("body/sortBy/column must be equal to one of the allowed values")
    }
    let isDescending = body["sortBy"]?["order"]?.stringValue == "desc"
    let start = (prefix + (body["search"]?.stringValue ?? "")).lowercased()
    // How many segments of a path precede the names in the result, and where an object's own folder ends.
    let skipped = prefix.split(separator: "/", omittingEmptySubsequences: false).count - 1
    let level = start.split(separator: "/", omittingEmptySubsequences: false).count
    var folders: [String: String] = [:]
    var files: [(key: String, row: DatabaseRow, name: String)] = []
    for row in try objects(where: .equals("bucket_id", .text(bucket)), as: exchange.role) {
      guard let name = row["name"].textValue, name.lowercased().hasPrefix(start) else { continue }
      let parts = name.split(separator: "/", omittingEmptySubsequences: false)
      let shown = parts.prefix(level).dropFirst(skipped).joined(separator: "/")
      if parts.count > level {
        folders[parts.prefix(level).joined(separator: "/").lowercased() + "/"] = shown
      } else {
        files.append((name.lowercased(), row, shown))
      }
    }
    typealias Entry = (key: String, json: JSONValue)
    let ofFolders: [Entry] = folders.map { ($0.key, Self.json($0.value, nil)) }
    let byName: (Entry, Entry) -> Bool = { one, other in
      isDescending
        ? other.key.utf8.lexicographicallyPrecedes(one.key.utf8)
        : one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }
    let entries: [Entry]
    if column == "name" {
      entries = (ofFolders + files.map { ($0.key, Self.json($0.name, $0.row)) }).sorted(by: byName)
    } else {
      let sorted = files.sorted { one, other in
        let (first, second) = isDescending ? (other, one) : (one, other)
        return (first.row[column].timestampValue ?? .distantPast)
          < (second.row[column].timestampValue ?? .distantPast)
      }
      entries = ofFolders.sorted(by: byName) + sorted.map { ($0.key, Self.json($0.name, $0.row)) }
    }
    return Self.json(.array(entries.dropFirst(offset).prefix(limit).map(\.json)))
  }

  /// An object, or a folder, which has no row.
  private static func json(_ name: String, _ row: DatabaseRow?) -> JSONValue {
    let columns = ["id", "updated_at", "created_at", "last_accessed_at", "metadata"]
    return .object(
      [.init("name", .string(name))] + members(columns, of: row))
  }

  // MARK: With a cursor

  /// Lists the objects of a prefix, a page at a time (`listObjectsV2` in `object.ts` and in `pg.ts`).
  func listPage(_ exchange: StorageExchange, _ bucket: String) throws(StorageAPIError) -> HTTP.Response {
    let body = try exchange.body()
    let options = try ListingOptions(body)
    var entries: [ListingEntry] = []
    var folders: [String: Int] = [:]
    let rows = try objects(where: .equals("bucket_id", .text(bucket)), as: exchange.role)
    let names = options.namesAfterCursor(rows.compactMap { $0["name"].textValue })
    for row in rows {
      guard let name = row["name"].textValue, names.contains(name),
        name.utf8.starts(with: options.prefix.utf8)
      else { continue }
      guard let folder = options.folder(of: name) else {
        entries.append(ListingEntry(name: name, row: row, moment: options.moment(of: row, options.column)))
        continue
      }
      // A folder is as old as the oldest of its objects (`storage.search_by_timestamp`).
      let moment = options.moment(of: row, "created_at")
      if let index = folders[folder] {
        entries[index].moment = min(entries[index].moment, moment)
      } else {
        folders[folder] = entries.count
        entries.append(ListingEntry(name: folder, row: nil, moment: moment))
      }
    }
    entries = entries.filter(options.isAfterCursor).sorted(by: options.precedes)
    let page = entries.prefix(options.limit)
    let hasNext = entries.count > options.limit
    var members: [JSONValue.Member] = [.init("hasNext", .boolean(hasNext))]
    if hasNext, let last = page.last {
      members.append(.init("nextCursor", .string(options.cursor(after: last))))
      members.append(.init("nextCursorKey", .string(last.name)))
    }
    members.append(.init("folders", .array(page.filter { $0.row == nil }.map(options.json))))
    members.append(.init("objects", .array(page.filter { $0.row != nil }.map(options.json))))
    return Self.json(.object(members))
  }
}
