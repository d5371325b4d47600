import Foundation

/// A file to which test cases and processes append their reports, one JSON object a line.
package struct ReportFile: Sendable {
  /// Where it is.
  package let path: String

  /// A file that need not exist yet.
  package init(path: String) {
    self.path = path
  }

  /// Appends a report as a line.
  ///
  /// Each line is one write to a file opened for appending, so parallel test cases and processes
  /// do not tear one another's lines; only where the file takes a part of it, the rest follows.
  ///
  /// - Throws: ``ReportError`` if the file cannot be written.
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

  /// Writes a whole line, in as many pieces as the file takes.
  ///
  /// - Parameter write: As write(2): how many bytes were written, or -1 with the cause in `errno`.
  func writeAll(_ line: Data, _ write: (UnsafeRawBufferPointer) -> Int) throws(ReportError) {
    let failure = line.withUnsafeBytes { bytes -> ReportError? in
      var written = 0
      while written < bytes.count {
        let count = write(UnsafeRawBufferPointer(rebasing: bytes[written...]))
        let cause = errno
        if count < 0, cause == EINTR { continue }
        guard count > 0, count <= bytes.count - written else {
          // Only a negative count sets errno.
          let reason = count < 0 ? String(cString: strerror(cause)) : "the file takes no more"
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

/// Why a report cannot be read, written or merged.
package struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One line: what failed, what was found, and what to do.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
