import SharedServicesSQLite

/// A prepared statement, whose parameters count from 1 and whose columns count from 0.
final class Statement {
  private let handle: OpaquePointer

  init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code, of: connection) }
    guard let handle else {
      throw SQLiteError(code: SQLITE_MISUSE, message: "There is no statement in \"\(sql)\".")
    }
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: - Parameters

  func bind(_ value: Int?, at index: Int32) throws(SQLiteError) {
    try check(value.map { sqlite3_bind_int64(handle, index, Int64($0)) } ?? sqlite3_bind_null(handle, index))
  }

  func bind(_ value: Double?, at index: Int32) throws(SQLiteError) {
    try check(value.map { sqlite3_bind_double(handle, index, $0) } ?? sqlite3_bind_null(handle, index))
  }

  func bind(_ value: Bool, at index: Int32) throws(SQLiteError) {
    try check(sqlite3_bind_int(handle, index, value ? 1 : 0))
  }

  func bind(_ value: String, at index: Int32) throws(SQLiteError) {
    var value = value
    let code = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { text in
        // An empty text may have no address, which would bind NULL.
        text.baseAddress.map { csqlite_bind_text(handle, index, $0, UInt64(text.count)) }
          ?? csqlite_bind_text(handle, index, "", 0)
      }
    }
    try check(code)
  }

  // MARK: - Running

  /// Steps to the next row; returns `false` at the end.
  func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw SQLiteError(code: code, of: sqlite3_db_handle(handle))
    }
  }

  /// Runs the statement to its end.
  func run() throws(SQLiteError) {
    defer { reset() }
    while try step() {}
  }

  /// Returns the rows, each converted by `read`.
  func rows<Value>(_ read: (Statement) -> Value) throws(SQLiteError) -> [Value] {
    defer { reset() }
    var values: [Value] = []
    while try step() { values.append(read(self)) }
    return values
  }

  /// Resets the statement for the next run, which ends the transaction that a read holds open.
  private func reset() {
    // The result repeats the error of the run, which has already been thrown.
    sqlite3_reset(handle)
  }

  // MARK: - Columns

  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

  func double(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  func bool(_ column: Int32) -> Bool { sqlite3_column_int(handle, column) != 0 }

  func text(_ column: Int32) -> String {
    // The text comes first: it may convert the value, and the byte count is that of the result.
    guard let text = sqlite3_column_text(handle, column) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
  }

  private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  private func check(_ code: Int32) throws(SQLiteError) {
    guard code == SQLITE_OK else { throw SQLiteError(code: code, of: sqlite3_db_handle(handle)) }
  }
}
