import CSQLite

/// What SQLite says when it cannot do something.
struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code (sqlite.org/rescode.html).
  let code: Int32
  let message: String

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
  }

  /// The last error of a connection.
  ///
  /// - Parameter handle: The connection; `nil` where there was no memory for one.
  init(code: Int32, of handle: OpaquePointer?) {
    self.init(code: code, message: String(cString: handle.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)))
  }

  /// The task was cancelled before the work was done.
  static var interrupted: SQLiteError {
    SQLiteError(code: SQLITE_INTERRUPT, message: "interrupted")
  }

  /// The result code without what extends it.
  var primaryCode: Int32 { code & 0xFF }

  var description: String { "\(message) (SQLite result code \(code))" }
}
