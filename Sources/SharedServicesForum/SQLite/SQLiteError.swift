import CSQLite

/// An error that SQLite reports.
struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  let code: Int32
  let message: String

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// Creates the last error of a connection.
  ///
  /// - Parameter handle: The connection; `nil` if there was no memory for one.
  init(code: Int32, of handle: OpaquePointer?) {
    self.init(code: code, message: String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
  }

  /// The task was cancelled before the operation finished.
  static var interrupted: SQLiteError {
    SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted")
  }

  /// The primary part of the extended result code.
  var primaryCode: Int32 { code & 0xFF }

  var description: String { "\(message) (SQLite result code \(code))" }
}
