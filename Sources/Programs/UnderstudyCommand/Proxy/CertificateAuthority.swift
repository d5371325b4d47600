import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyServer
import UnderstudyText

/// A certificate authority in a folder of the user, and the certificates of hosts that it has issued.
///
/// The folder contains `ca.pem`, the certificate that clients trust; `ca-key.pem`, its private key; `host-key.pem`, the
/// private key of all hosts; and a certificate for each host in `hosts`. Only the user may read the keys.
final class CertificateAuthority: Sendable {
  /// The validity of certificates in days.
  ///
  /// Apple's platforms accept at most 398 days for a host.
  private static let (ownDays, hostDays) = (3650, 30)
  /// The age from which a host's certificate is replaced, in seconds.
  private static let hostAge: TimeInterval = 20 * 86_400

  private let folder: URL
  let program: OpenSSL
  /// The certificates of this process by host, so that several connections to a host do not issue several.
  private let issued = Locked<[String: Task<URL, any Error>]>([:])

  /// The certificate that clients trust.
  var certificate: URL { folder.appending(path: "ca.pem") }
  /// The private key of the hosts.
  var hostKey: URL { folder.appending(path: "host-key.pem") }
  private var key: URL { folder.appending(path: "ca-key.pem") }
  private var hosts: URL { folder.appending(path: "hosts", directoryHint: .isDirectory) }

  /// Opens the authority of a folder, or creates it.
  init(in folder: URL, by program: OpenSSL) throws(CommandError) {
    self.folder = folder.absoluteURL
    self.program = program
    do {
      for folder in [self.folder, hosts] {
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      }
    } catch {
      throw CommandError("The folder \(folder.plainPath) cannot be created: \(error.localizedDescription)")
    }
    for folder in [self.folder, hosts] { try Self.checkOwner(of: folder) }
    for key in [key, hostKey] {
      try createKey(key)
      let permissions = try? FileManager.default.attributesOfItem(atPath: key.plainPath)[.posixPermissions]
      guard let mode = permissions as? Int, mode & 0o077 == 0 else {
        let path = Words.shell(key.plainPath)
        throw CommandError("The private key \(path) can be read by other users. Run: chmod 600 \(path)")
      }
    }
    try createCertificate()
  }

  /// The lines that describe how clients trust the authority.
  var notes: [String] {
    let path = Words.shell(certificate.plainPath)
    return [
      "certificate authority: \(certificate.plainPath)",
      "  curl: --cacert \(path)",
      "  Python: SSL_CERT_FILE=\(path) REQUESTS_CA_BUNDLE=\(path)",
      "  iOS simulator: xcrun simctl keychain booted add-root-cert \(path)",
    ]
  }

  /// Checks that no other user can replace the keys and certificates in a folder.
  private static func checkOwner(of folder: URL) throws(CommandError) {
    let path = Words.shell(folder.plainPath)
    var status = stat()
    guard stat(folder.plainPath, &status) == 0, status.st_mode & 0o022 == 0 else {
      throw CommandError(
        "Other users can write to the folder \(path), and replace the keys of the authority. Run: chmod go-w \(path)"
      )
    }
    guard [geteuid(), 0].contains(status.st_uid) else {
      throw CommandError(
        "The folder \(path) belongs to another user, who can replace the keys of the authority. Specify a folder of your own with --ca."
      )
    }
  }

  // MARK: - Creating

  /// Creates a private key, unless it exists or another process creates it meanwhile.
  private func createKey(_ key: URL) throws(CommandError) {
    try create(key) { file throws(CommandError) in
      _ = try program.command(
        "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", file.plainPath
      ).output()
    }
  }

  private func createCertificate() throws(CommandError) {
    try create(certificate) { file throws(CommandError) in
      try issue(file, days: Self.ownDays, extensions: Self.authorityExtensions, "-key", key.plainPath)
    }
    do {
      _ = try program.command(
        "x509", "-in", certificate.plainPath, "-noout", "-checkend", "\(Self.hostDays * 86_400)"
      ).output()
    } catch {
      let path = Words.shell(folder.plainPath)
      throw CommandError(
        "The certificate \(certificate.plainPath) has expired or is invalid. To create another one: rm -r \(path)"
      )
    }
  }

  /// Creates a file completely, or not at all; keeps one that exists.
  private func create(_ file: URL, _ write: (URL) throws(CommandError) -> Void) throws(CommandError) {
    guard !FileManager.default.fileExists(atPath: file.plainPath) else { return }
    let temporary = folder.appending(path: ".\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: temporary) }
    try write(temporary)
    guard link(temporary.plainPath, file.plainPath) == 0 || errno == EEXIST else {
      throw CommandError("\(file.plainPath) cannot be created: \(String(cString: strerror(errno))).")
    }
  }

  /// Writes a certificate that has these extensions.
  private func issue(
    _ file: URL, days: Int, extensions: String, _ signing: String...
  ) throws(CommandError) {
    let settings = folder.appending(path: ".\(UUID().uuidString).cnf")
    defer { try? FileManager.default.removeItem(at: settings) }
    let isOwn = extensions == Self.authorityExtensions
    let name = isOwn ? "Understudy recording CA, local" : "Understudy recording"
    try OutputFile(settings).write(
      "[req]\nprompt = no\ndistinguished_name = name\n[name]\nCN = \(name)\n[extensions]\n\(extensions)\n")
    let words = ["req", "-new", "-x509", "-config", settings.plainPath, "-extensions", "extensions"]
    _ = try program.command(words + signing + ["-days", "\(days)", "-out", file.plainPath]).output()
  }

  private static let authorityExtensions = """
    basicConstraints = critical, CA:TRUE, pathlen:0
    keyUsage = critical, keyCertSign, cRLSign
    subjectKeyIdentifier = hash
    """

  private static func extensions(for target: TunnelTarget) -> String {
    """
    basicConstraints = critical, CA:FALSE
    keyUsage = critical, digitalSignature
    extendedKeyUsage = serverAuth
    subjectKeyIdentifier = hash
    authorityKeyIdentifier = keyid:always
    subjectAltName = \(target.kind == .name ? "DNS" : "IP"):\(target.host)
    """
  }

  // MARK: - Hosts

  /// Returns the file with the certificate of a host, and issues it if it is missing or old.
  func certificate(for target: TunnelTarget) async throws -> URL {
    let task = issued.withLock { issued in
      if let task = issued[target.host] { return task }
      let task = Task { try await self.issueCertificate(for: target) }
      issued[target.host] = task
      return task
    }
    do {
      return try await task.value
    } catch {
      // The next connection tries again.
      issued.withLock { $0[target.host] = nil }
      throw error
    }
  }

  private func issueCertificate(for target: TunnelTarget) async throws -> URL {
    // The program blocks a thread, which must not be one of those for tasks.
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { [self] in
        continuation.resume(with: Result { try currentCertificate(for: target) })
      }
    }
  }

  private func currentCertificate(for target: TunnelTarget) throws(CommandError) -> URL {
    // A target has no characters that have a meaning in a path; an address with colons is not a name.
    let file = hosts.appending(path: target.host, directoryHint: .notDirectory)
    if let date = Self.date(of: file), let own = Self.date(of: certificate), date >= own,
      -date.timeIntervalSinceNow < Self.hostAge
    {
      return file
    }
    let temporary = folder.appending(path: ".\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: temporary) }
    try issue(
      temporary, days: Self.hostDays, extensions: Self.extensions(for: target), "-key", hostKey.plainPath,
      "-CA", certificate.plainPath, "-CAkey", key.plainPath)
    guard rename(temporary.plainPath, file.plainPath) == 0 else {
      throw CommandError("\(file.plainPath) cannot be created: \(String(cString: strerror(errno))).")
    }
    return file
  }

  private static func date(of file: URL) -> Date? {
    try? FileManager.default.attributesOfItem(atPath: file.plainPath)[.modificationDate] as? Date
  }
}

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
