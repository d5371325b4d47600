package import Foundation

/// Makes writes to a file that is open in this process fail, as on a full disk.
package struct RefusingFile {
  private let descriptor: CInt
  private let saved: CInt

  /// Replaces the descriptor of a file by one that is read-only.
  package init(_ file: URL) throws {
    var wanted = stat()
    guard stat(file.path(percentEncoded: false), &wanted) == 0 else { throw CocoaError(.fileNoSuchFile) }
    let found = (0..<CInt(4096)).first { descriptor in
      var there = stat()
      return fstat(descriptor, &there) == 0 && there.st_ino == wanted.st_ino && there.st_dev == wanted.st_dev
    }
    guard let found else { throw CocoaError(.fileNoSuchFile) }
    descriptor = found
    saved = dup(found)
    let null = open("/dev/null", O_RDONLY)
    dup2(null, found)
    close(null)
  }

  /// Makes the file writable again, while its owner still has it open.
  package func end() {
    dup2(saved, descriptor)
    close(saved)
  }
}
