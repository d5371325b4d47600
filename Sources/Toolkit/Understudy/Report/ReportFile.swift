import Foundation

/// A file to which test cases and processes append their reports, one JSON object on each line.
package struct ReportFile: Sendable {
  /// The path of the file.
  package let path: String

  /// Creates a reference to a file, which need not exist.
  package init(path: String) {
    self.path = path
  }

  /// Appends a report as a line.
  ///
  /// Each line is a single write to a file opened for appending, so that parallel test cases and processes do not
  /// interleave their lines. After a partial write, the rest of the line follows in another write.
  ///
  /// - Throws: `ReportError` if the file cannot be written.
  package func append(_ report: UnderstudyReport) throws(ReportError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data: Data
    do {
      data = try encoder.encode(report) + Data("\n".utf8)
    } catch {
      throw unwritable("\(error)")
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
    guard descriptor >= 0 else { throw unwritable(String(cString: strerror(errno))) }
    defer { close(descriptor) }
    try writeAll(data) { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Writes a complete line, in several writes if necessary.
  ///
  /// - Parameter write: A function with the semantics of write(2): it returns the number of bytes written, or -1 with
  ///   the cause in `errno`.
  func writeAll(_ line: Data, _ write: (UnsafeRawBufferPointer) -> Int) throws(ReportError) {
    let failure = line.withUnsafeBytes { bytes -> ReportError? in
      var written = 0
      while written < bytes.count {
        let count = write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        let cause = errno
        if count < 0, cause == EINTR { continue }
        guard count > 0, count <= bytes.count - written else {
          // Only a negative count sets `errno`.
          let reason = count < 0 ? String(cString: strerror(cause)) : "nothing more can be written"
          return unwritable("\(reason), after \(written) of the line's \(bytes.count) bytes")
        }
        written += count
      }
      return nil
    }
    if let failure { throw failure }
  }

  private func unwritable(_ reason: String) -> ReportError {
    ReportError("\(path) cannot be written: \(reason).")
  }
}

/// An error thrown when a report cannot be read, written or merged.
package struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One line: what failed, what was found, and what to do.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
