import Foundation
import Understudy
import UnderstudyHTTP

/// `/storage/v1/object`, with a token.
extension StorageEndpoint {
  static let objects = "storage.objects"

  func object(_ exchange: StorageExchange, _ path: [String]) throws(StorageAPIError) -> HTTP.Response {
    let method = exchange.request.method
    let rest = path.dropFirst()
    switch (method, path.first) {
    case (.post, "list") where path.count == 2: return try list(exchange, path[1])
    case (.post, "list-v2") where path.count == 2: return try listPage(exchange, path[1])
    case (.post, "move") where path.count == 1: return try move(exchange)
    case (.post, "copy") where path.count == 1: return try copy(exchange)
    case (.post, "sign") where path.count == 2: return try signMany(exchange, path[1])
    case (.post, "sign") where path.count > 2:
      return try sign(exchange, path[1], Self.name(path.dropFirst(2)))
    case (.post, "upload") where path.count > 3 && path[1] == "sign":
      return try signUpload(exchange, path[2], Self.name(path.dropFirst(3)))
    case (.get, "info") where path.count > 2:
      let rest = rest.first == "authenticated" && path.count > 3 ? rest.dropFirst() : rest
      guard let bucket = rest.first else { return Self.notFound(exchange.request) }
      return try info(of: try readable(bucket, Self.name(rest.dropFirst()), exchange.role))
    case (.get, "authenticated") where path.count > 2, (.head, "authenticated") where path.count > 2:
      return try send(
        try readable(path[1], Self.name(path.dropFirst(2)), exchange.role), exchange.request, exchange.target)
    case (.delete, let bucket?) where path.count == 1: return try deleteMany(exchange, bucket)
    case (.delete, let bucket?): return try delete(exchange, bucket, Self.name(rest))
    case (.post, let bucket?) where path.count > 1:
      return try upload(
        exchange, bucket, Self.name(rest), replaces: exchange.replaces)
    case (.put, let bucket?) where path.count > 1:
      return try upload(exchange, bucket, Self.name(rest), replaces: true)
    case (.get, let bucket?) where path.count > 1, (.head, let bucket?) where path.count > 1:
      return try send(try readable(bucket, Self.name(rest), exchange.role), exchange.request, exchange.target)
    default: return Self.notFound(exchange.request)
    }
  }

  // MARK: Rows

  func objects(
    where filter: DatabaseFilter, limit: Int? = nil, as role: DatabaseRole
  ) throws(StorageAPIError) -> [DatabaseRow] {
    try statement { () throws(PostgRESTError) in
      try database.select(from: Self.objects, where: filter, limit: limit, as: role)
    }
  }

  private static func filter(_ bucket: String, _ name: String) -> DatabaseFilter {
    .and([.equals("bucket_id", .text(bucket)), .equals("name", .text(name))])
  }

  static func filter(_ bucket: String, _ names: [String]) -> DatabaseFilter {
    .and([.equals("bucket_id", .text(bucket)), .among("name", names.map { .text($0) })])
  }

  /// - Throws: `InvalidKey` (`mustBeValidKey`).
  static func check(key: String) throws(StorageAPIError) {
    guard isKey(key, allowing: [UInt8(ascii: "/")]) else { throw .invalidKey(key) }
  }

  /// Returns the row of an object that the role may see.
  ///
  /// - Throws: `NoSuchKey`.
  func object(_ bucket: String, _ name: String, as role: DatabaseRole) throws(StorageAPIError) -> DatabaseRow
  {
    try Self.check(key: name)
    guard let row = try objects(where: Self.filter(bucket, name), as: role).first else { throw .noSuchKey }
    return row
  }

  /// Returns an object to send: without policies if its bucket is public.
  func readable(
    _ bucket: String, _ name: String, _ role: DatabaseRole
  ) throws(StorageAPIError) -> DatabaseRow {
    let isPublic = try self.bucket(bucket, as: .service)["public"].booleanValue == true
    return try object(bucket, name, as: isPublic ? .service : role)
  }

  func removeFile(of row: DatabaseRow) {
    if let version = row["version"].textValue { database.files[version] = nil }
  }

  /// Checks with the policies of a role whether it may write an object, and writes nothing (`canUpload`).
  ///
  /// - Parameters:
  ///   - metadata: What the service knows of the file, such as its `mimetype`.
  ///   - userMetadata: What the client sent about the file.
  func checkUpload(
    _ bucket: String, _ name: String, _ role: DatabaseRole, owner: UUID?, replaces: Bool,
    metadata: JSONValue? = nil, userMetadata: JSONValue? = nil
  ) throws(StorageAPIError) {
    var values = Self.row(bucket, name, owner: owner, version: "1")
    values["metadata"] = metadata.map { .json($0) } ?? .null
    values["user_metadata"] = userMetadata.map { .json($0) } ?? .null
    let row = values
    try statement { () throws(PostgRESTError) in
      try database.tryInsert(
        row, into: Self.objects, onConflict: replaces ? ["bucket_id", "name"] : nil, as: role)
    }
  }

  private static func row(
    _ bucket: String, _ name: String, owner: UUID?, version: String
  ) -> [String: ColumnValue] {
    var row: [String: ColumnValue] = [
      "bucket_id": .text(bucket), "name": .text(name), "version": .text(version),
    ]
    row.setOwner(owner)
    return row
  }

  // MARK: Uploads

  private func upload(
    _ exchange: StorageExchange, _ bucket: String, _ name: String, replaces: Bool
  ) throws(StorageAPIError) -> HTTP.Response {
    let upload = try Upload(exchange.request, to: name, in: try self.bucket(bucket, as: .service))
    try checkUpload(
      bucket, name, exchange.role, owner: exchange.owner, replaces: replaces,
      metadata: upload.metadataBeforeStoring, userMetadata: upload.userMetadata)
    let stored = try store(upload, bucket, name, owner: exchange.owner)
    return Self.json(
      .object([.init("Id", stored["id"].json), .init("Key", .string("\(bucket)/\(name)"))]))
  }

  /// Stores an upload that is allowed, and returns its row.
  func store(
    _ upload: Upload, _ bucket: String, _ name: String, owner: UUID?
  ) throws(StorageAPIError) -> DatabaseRow {
    try store(
      upload.bytes, upload.metadata(at: database.now), upload.userMetadata, bucket, name, owner: owner)
  }

  private func store(
    _ bytes: Data, _ metadata: JSONValue, _ userMetadata: JSONValue?, _ bucket: String, _ name: String,
    owner: UUID?
  ) throws(StorageAPIError) -> DatabaseRow {
    let version = database.nextUUIDString()
    var row = Self.row(bucket, name, owner: owner, version: version)
    row["metadata"] = .json(metadata)
    row["user_metadata"] = userMetadata.map { .json($0) } ?? .null
    if let now = Timestamp(database.now) { row["updated_at"] = .timestamp(now.date) }
    let new = row
    let older = try? object(bucket, name, as: .service)
    database.files[version] = bytes
    do throws(StorageAPIError) {
      let rows = try statement { () throws(PostgRESTError) in
        try database.upsert([new], into: Self.objects, onConflict: ["bucket_id", "name"])
      }
      if let older { removeFile(of: older) }
      guard let stored = rows.first else { throw .noSuchKey }
      return stored
    } catch {
      database.files[version] = nil
      throw error
    }
  }

  // MARK: Moving and copying

  /// The object that a request moves or copies, and its new place.
  private struct Transfer {
    let bucket: String
    let source: String
    let destination: String
    let name: String

    /// - Throws: `InvalidRequest` and `InvalidKey`.
    init(_ body: JSONValue) throws(StorageAPIError) {
      bucket = try body.storageText("bucketId")
      source = try body.storageText("sourceKey")
      name = try body.storageText("destinationKey")
      destination = body["destinationBucket"]?.stringValue ?? bucket
      try StorageEndpoint.check(key: name)
    }
  }

  private func move(_ exchange: StorageExchange) throws(StorageAPIError) -> HTTP.Response {
    let transfer = try Transfer(try exchange.body())
    _ = try object(transfer.bucket, transfer.source, as: exchange.role)
    var changes: [String: ColumnValue] = [
      "name": .text(transfer.name), "bucket_id": .text(transfer.destination),
    ]
    changes.setOwner(exchange.owner)
    let new = changes
    let moved = try statement { () throws(PostgRESTError) in
      try database.update(
        Self.objects, set: new, where: Self.filter(transfer.bucket, transfer.source), as: exchange.role)
    }
    guard let row = moved.first else { throw .noSuchKey }
    return Self.json(
      .object([
        .init("message", .string("Successfully moved")), .init("Id", row["id"].json),
        .init("Key", .string(transfer.name)),
      ]))
  }

  private func copy(_ exchange: StorageExchange) throws(StorageAPIError) -> HTTP.Response {
    let body = try exchange.body()
    let transfer = try Transfer(body)
    let (destination, name) = (transfer.destination, transfer.name)
    let original = try object(transfer.bucket, transfer.source, as: exchange.role)
    guard let version = original["version"].textValue, let bytes = database.files[version] else {
      throw .noSuchKey
    }
    let keepsMetadata = body["copyMetadata"] != .boolean(false)
    var metadata = original["metadata"].jsonValue ?? .object([])
    if !keepsMetadata, case .object(var members) = metadata, let changes = body["metadata"] {
      for member in ["cacheControl", "mimetype"] {
        guard let value = changes[member] else { continue }
        members.removeAll { $0.name == member }
        members.append(.init(member, value))
      }
      metadata = .object(members)
    }
    let userMetadata =
      keepsMetadata
      ? original["user_metadata"].jsonValue
      : Upload.userMetadata(encoded: exchange.request.fields["x-metadata"])
    try checkUpload(
      destination, name, exchange.role, owner: exchange.owner, replaces: exchange.replaces,
      metadata: metadata, userMetadata: userMetadata)
    let row = try store(bytes, metadata, userMetadata, destination, name, owner: exchange.owner)
    let columns = [
      "id", "bucket_id", "name", "owner", "version", "metadata", "user_metadata", "created_at", "updated_at",
      "last_accessed_at",
    ]
    return Self.json(
      .object(
        [.init("Id", row["id"].json), .init("Key", .string("\(destination)/\(name)"))]
          + Self.members(columns, of: row)))
  }

  // MARK: Deleting

  private func delete(
    _ exchange: StorageExchange, _ bucket: String, _ name: String
  ) throws(StorageAPIError) -> HTTP.Response {
    _ = try object(bucket, name, as: .service)
    let rows = try remove([name], from: bucket, exchange.role)
    guard !rows.isEmpty else { throw .accessDenied("Access denied") }
    return Self.message("Successfully deleted")
  }

  private func deleteMany(_ exchange: StorageExchange, _ bucket: String) throws(StorageAPIError)
    -> HTTP.Response
  {
    guard case .array(let names)? = try exchange.body()["prefixes"], !names.isEmpty else {
      throw .invalidRequest("body must have required property 'prefixes'")
    }
    guard names.count <= 1_000 else {
      throw .invalidRequest("Bulk object requests are limited to 1000 objects per request.")
    }
    let rows = try remove(names.compactMap(\.stringValue), from: bucket, exchange.role)
    let columns = [
      "name", "bucket_id", "owner", "owner_id", "version", "id", "updated_at", "created_at",
      "last_accessed_at", "metadata", "user_metadata",
    ]
    return Self.json(.array(rows.map { .object(Self.members(columns, of: $0)) }))
  }

  private func remove(
    _ names: [String], from bucket: String, _ role: DatabaseRole
  ) throws(StorageAPIError) -> [DatabaseRow] {
    let rows = try statement { () throws(PostgRESTError) in
      try database.delete(from: Self.objects, where: Self.filter(bucket, names), as: role)
    }
    for row in rows { removeFile(of: row) }
    return rows
  }
}

extension [String: ColumnValue] {
  /// Sets the columns for the owner of a bucket or an object; leaves them without one.
  mutating func setOwner(_ owner: UUID?) {
    guard let owner else { return }
    self["owner"] = .uuid(owner)
    self["owner_id"] = .text(owner.uuidString.lowercased())
  }
}
