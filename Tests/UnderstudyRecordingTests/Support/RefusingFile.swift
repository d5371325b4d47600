import Foundation

/// Makes a file that is open in this process refuse what is written to it, as a full disk does.
struct RefusingFile {
  private let descriptor: CInt
  private let saved: CInt

  /// Finds the descriptor of a file, and puts one that can only be read in its place.
  init(_ file: URL) throws {
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

  /// The file takes what is written again.
  func end() {
    dup2(saved, descriptor)
    close(saved)
  }
}
