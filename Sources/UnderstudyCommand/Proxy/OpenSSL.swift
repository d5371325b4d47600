import Understudy

/// The `openssl` program, which creates certificates and terminates TLS.
struct OpenSSL: Sendable {
  private let path: String

  /// Checks that the program is available, and that its options are those of OpenSSL 3.
  ///
  /// LibreSSL, which macOS has as `openssl`, can listen on all interfaces only, and cannot serve a socket in a folder.
  init(_ path: String) throws(CommandError) {
    self.path = path
    let remedy = "Install OpenSSL 3, and put it on the PATH (macOS: brew install openssl@3)."
    let version: String
    do {
      version = try ChildProcess([path, "version"]).output().trimmed
    } catch {
      throw CommandError("--proxy requires the program openssl. \(remedy) \(error.description)")
    }
    let parts = version.split(separator: " ")
    guard parts.count > 1, parts[0] == "OpenSSL", let major = parts[1].split(separator: ".").first,
      let number = Int(major), number >= 3
    else {
      throw CommandError("--proxy requires OpenSSL 3 or later, found \(version). \(remedy)")
    }
  }

  /// Returns a command of the program.
  func command(_ words: String...) -> ChildProcess { command(words) }

  /// Returns a command of the program.
  func command(_ words: [String]) -> ChildProcess { ChildProcess([path] + words) }
}
