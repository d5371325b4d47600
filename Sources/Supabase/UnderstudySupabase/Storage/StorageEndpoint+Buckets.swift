import Foundation
import UnderstudyHTTP

/// `/storage/v1/bucket`.
extension StorageEndpoint {
  private static let table = "storage.buckets"

  func bucket(_ exchange: StorageExchange, _ path: [String]) throws(StorageAPIError) -> HTTP.Response {
    switch (exchange.request.method, path.count) {
    case (.post, 0): return try createBucket(exchange)
    case (.get, 0): return try listBuckets(exchange)
    case (.get, 1): return Self.json(Self.json(try bucket(path[0], as: exchange.role)))
    case (.put, 1): return try updateBucket(exchange, path[0])
    case (.delete, 1): return try deleteBucket(exchange, path[0])
    case (.post, 2) where path[1] == "empty": return try emptyBucket(exchange, path[0])
    default: return Self.notFound(exchange.request)
    }
  }

  /// Returns the row of a bucket that the role may see.
  ///
  /// - Throws: `NoSuchBucket`.
  func bucket(_ id: String, as role: DatabaseRole) throws(StorageAPIError) -> DatabaseRow {
    let rows = try statement { () throws(PostgRESTError) in
      try database.select(from: Self.table, where: .equals("id", .text(id)), as: role)
    }
    guard let row = rows.first else { throw .noSuchBucket }
    return row
  }

  private static func json(_ row: DatabaseRow) -> JSONValue {
    let names = [
      "id", "name", "owner", "public", "file_size_limit", "allowed_mime_types", "created_at", "updated_at",
    ]
    return .object(
      members(names, of: row).map { member in
        // The serializer of the service writes an empty string for a bucket without an owner.
        member.name == "owner" && member.value == .null ? .init(member.name, .string("")) : member
      } + [.init("type", .string("STANDARD"))])
  }

  private func createBucket(_ exchange: StorageExchange) throws(StorageAPIError) -> HTTP.Response {
    let body = try exchange.body()
    let name = try body.storageText("name")
    guard Self.isBucketName(name) else { throw .invalidBucketName }
    if body["type"] == .string("ANALYTICS") { throw .notSupported("analytics buckets of Storage") }
    var row = try Self.settings(in: body)
    row["id"] = .text(body["id"]?.stringValue ?? name)
    row["name"] = .text(name)
    if row["public"] == nil { row["public"] = .boolean(false) }
    row.setOwner(exchange.owner)
    let new = row
    _ = try statement { () throws(PostgRESTError) in
      try database.insert(new, into: Self.table, as: exchange.role)
    }
    return Self.json(.object([.init("name", .string(name))]))
  }

  /// Lists buckets (`getAllBuckets.ts`); the service leaves the order open without `sortColumn`, here it is by name.
  private func listBuckets(_ exchange: StorageExchange) throws(StorageAPIError) -> HTTP.Response {
    let target = exchange.target
    let column = target["sortColumn"] ?? "name"
    let order = target["sortOrder"] ?? "asc"
    for (name, value, allowed) in [
      ("sortColumn", column, ["id", "name", "created_at", "updated_at"]),
      ("sortOrder", order, ["asc", "desc"]),
    ] where !allowed.contains(value) {
      throw .invalidRequest("querystring/\(name) must be equal to one of the allowed values")
    }
    let rows = try statement { () throws(PostgRESTError) in
      try database.select(
        from: Self.table, orderedBy: [order == "asc" ? .ascending(column) : .descending(column)],
        as: exchange.role)
    }
    let search = target["search"]?.lowercased() ?? ""
    let found = rows.filter { row in
      search.isEmpty || row["name"].textValue?.lowercased().contains(search) == true
    }
    let page = found.dropFirst(max(0, target["offset"].flatMap(Int.init) ?? 0))
      .prefix(max(0, target["limit"].flatMap(Int.init) ?? found.count))
    return Self.json(.array(page.map(Self.json)))
  }

  private func updateBucket(_ exchange: StorageExchange, _ id: String) throws(StorageAPIError)
    -> HTTP.Response
  {
    var changes = try Self.settings(in: try exchange.body())
    guard !changes.isEmpty else { throw .invalidRequest("body must NOT have fewer than 1 properties") }
    if let now = Timestamp(database.now) { changes["updated_at"] = .timestamp(now.date) }
    let new = changes
    let rows = try statement { () throws(PostgRESTError) in
      try database.update(Self.table, set: new, where: .equals("id", .text(id)), as: exchange.role)
    }
    guard !rows.isEmpty else { throw .noSuchBucket }
    return Self.message("Successfully updated")
  }

  private func deleteBucket(_ exchange: StorageExchange, _ id: String) throws(StorageAPIError)
    -> HTTP.Response
  {
    _ = try bucket(id, as: .service)
    guard try objects(where: .equals("bucket_id", .text(id)), limit: 1, as: .service).isEmpty else {
      throw .bucketNotEmpty
    }
    let rows = try statement { () throws(PostgRESTError) in
      try database.delete(from: Self.table, where: .equals("id", .text(id)), as: exchange.role)
    }
    guard !rows.isEmpty else { throw .noSuchBucket }
    return Self.message("Successfully deleted")
  }

  /// Empties a bucket of which the caller may see an object.
  ///
  /// `emptyBucket` in `storage.ts` queues the removal of all objects, which runs as the service and asks no policy.
  private func emptyBucket(_ exchange: StorageExchange, _ id: String) throws(StorageAPIError) -> HTTP.Response
  {
    _ = try bucket(id, as: exchange.role)
    let filter = DatabaseFilter.equals("bucket_id", .text(id))
    if try !objects(where: filter, limit: 1, as: exchange.role).isEmpty {
      let rows = try statement { () throws(PostgRESTError) in
        try database.delete(from: Self.objects, where: filter)
      }
      for row in rows { removeFile(of: row) }
    }
    return Self.message("Empty bucket has been queued. Completion may take up to an hour.")
  }

  // MARK: Settings

  private static func settings(in body: JSONValue) throws(StorageAPIError) -> [String: ColumnValue] {
    var settings: [String: ColumnValue] = [:]
    switch body["public"] {
    case nil: break
    case .boolean(let value)?: settings["public"] = .boolean(value)
    default: throw .invalidRequest("body/public must be boolean")
    }
    switch body["file_size_limit"] {
    case nil: break
    case .null?: settings["file_size_limit"] = .null
    case .number?:
      settings["file_size_limit"] = .integer(Int(clampingBytes: body["file_size_limit"]?.numberValue ?? 0))
    case .string(let text)?: settings["file_size_limit"] = .integer(Int(clampingBytes: try bytes(in: text)))
    default: throw .invalidRequest("body/file_size_limit must be integer")
    }
    switch body["allowed_mime_types"] {
    case nil: break
    case .null?: settings["allowed_mime_types"] = .null
    case .array(let types)?:
      settings["allowed_mime_types"] = .textArray(types.compactMap(\.stringValue).filter { !$0.isEmpty })
    default: throw .invalidRequest("body/allowed_mime_types must be array")
    }
    return settings
  }

  /// Reads a size such as `20MB` (`parseFileSizeToBytes`): a decimal unit after a number, of which three digits count.
  private static func bytes(in text: String) throws(StorageAPIError) -> Double {
    let units: [(String, Double)] = [("gb", 1e9), ("mb", 1e6), ("kb", 1e3), ("b", 1)]
    let lowercased = text.lowercased()
    for (unit, factor) in units where lowercased.hasSuffix(unit) {
      let digits = lowercased.dropLast(unit.count)
      guard digits.first?.isNumber == true, digits.last?.isNumber == true, let number = Double(digits) else {
        break
      }
      let scale = pow(10, 2 - (number == 0 ? 0 : log10(number).rounded(.down)))
      return (number * scale).rounded() / scale * factor
    }
    throw StorageAPIError(
      statusCode: 400, code: "InvalidRequest",
      message: "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B")
  }

  private static let specialCharacters = Set("_!.*'() &$=@;:+,?-".utf8)

  /// Returns whether every byte is a letter or a digit of ASCII, or one of the special characters of `limits.ts`.
  static func isKey(_ text: String, allowing others: Set<UInt8> = []) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || specialCharacters.contains(byte) || others.contains(byte)
      }
  }

  static func isBucketName(_ name: String) -> Bool {
    name.utf8.count <= 100 && isKey(name) && !name.hasPrefix(" ") && !name.hasSuffix(" ")
  }
}

extension Int {
  /// A size in bytes; one that is too large is as large as possible.
  fileprivate init(clampingBytes size: Double) {
    self = size.isNaN ? 0 : Int(exactly: size.rounded(.towardZero)) ?? (size < 0 ? .min : .max)
  }
}
