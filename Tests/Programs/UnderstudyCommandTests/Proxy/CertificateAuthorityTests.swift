import Foundation
import TestSupport
import Testing
import UnderstudyConsole
import UnderstudyServer
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct CertificateAuthorityTests {
  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func target(_ host: String) throws -> TunnelTarget {
    try #require(TunnelTarget(authority: host, scheme: "https"))
  }

  @Test func isCreatedOnceForTheUserAlone() async throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "new/ca", directoryHint: .isDirectory)
    let program = try OpenSSL("openssl")
    let authority = try CertificateAuthority(in: url, by: program)
    let first = try Data(contentsOf: authority.certificate)
    #expect(try mode(url.plainPath) == 0o700)
    for name in ["ca-key.pem", "host-key.pem"] {
      #expect(try mode(url.appending(path: name).plainPath) == 0o600)
    }
    let again = try CertificateAuthority(in: url, by: program)
    #expect(try Data(contentsOf: again.certificate) == first)
    #expect(!authority.notes.joined().contains("key.pem"))
    let names = try FileManager.default.contentsOfDirectory(atPath: url.plainPath).sorted()
    #expect(names == ["ca-key.pem", "ca.pem", "host-key.pem", "hosts"])
  }

  @Test func aKeyThatOthersCanReadIsRefused() async throws {
    let folder = try TemporaryFolder()
    let program = try OpenSSL("openssl")
    _ = try CertificateAuthority(in: folder.url, by: program)
    let key = folder.file("ca-key.pem").plainPath
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: key)
    #expect {
      try CertificateAuthority(in: folder.url, by: program)
    } throws: {
      "\($0)".hasSuffix("can be read by other users. Run: chmod 600 \(key)")
    }
  }

  /// Another user could put keys of their own in place of the authority's.
  @Test(arguments: [("", 0o770), ("hosts", 0o702)])
  func aFolderThatOthersCanWriteIsRefused(_ name: String, _ mode: Int) async throws {
    let folder = try TemporaryFolder()
    let program = try OpenSSL("openssl")
    let url = folder.url.appending(path: "ca", directoryHint: .isDirectory)
    _ = try CertificateAuthority(in: url, by: program)
    let changed = name.isEmpty ? url.plainPath : url.appending(path: name).plainPath
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: changed)
    let error = #expect(throws: CommandError.self) { try CertificateAuthority(in: url, by: program) }
    #expect(
      error?.description.hasPrefix("Other users can write to the folder ") == true,
      "\(String(describing: error))")
    #expect(error?.description.contains("chmod go-w ") == true)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: changed)
    _ = try CertificateAuthority(in: url, by: program)
  }

  /// OpenSSL itself checks the names, the purpose and the strict rules of RFC 5280.
  @Test(
    arguments: Effort.some(
      of: [
        ("api.example.com", "-verify_hostname"), ("[2001:db8::1]", "-verify_ip"),
        ("a_b.test", "-verify_hostname"), ("192.0.2.7", "-verify_ip"),
      ]) { $0.0.hasSuffix(".com") || $0.0.hasPrefix("[") })
  func aCertificateIsForItsHost(_ host: String, _ option: String) async throws {
    let folder = try TemporaryFolder()
    let program = try OpenSSL("openssl")
    let authority = try CertificateAuthority(in: folder.url, by: program)
    let target = try target(host)
    let file = try await authority.certificate(for: target)
    func verify(_ name: String) throws {
      _ = try program.command(
        "verify", "-x509_strict", "-purpose", "sslserver", option, name, "-CAfile",
        authority.certificate.plainPath, file.plainPath
      ).output()
    }
    try verify(target.host)
    #expect(throws: CommandError.self) { try verify(option == "-verify_ip" ? "192.0.2.8" : "b.test") }
    let first = try Data(contentsOf: file)
    // Another process finds it in the folder.
    let other = try CertificateAuthority(in: folder.url, by: program)
    #expect(try Data(contentsOf: try await other.certificate(for: target)) == first)
    // An old one is replaced.
    let old = Date(timeIntervalSinceNow: -25 * 86_400)
    for url in [file, authority.certificate] {
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: url.plainPath)
    }
    let later = try CertificateAuthority(in: folder.url, by: program)
    #expect(try Data(contentsOf: try await later.certificate(for: target)) != first)
  }

  @Test func manyConnectionsToAHostShareOneCertificate() async throws {
    let folder = try TemporaryFolder()
    let authority = try CertificateAuthority(in: folder.url, by: try OpenSSL("openssl"))
    let target = try target("a.test")
    let found = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<8 {
        group.addTask { try Data(contentsOf: try await authority.certificate(for: target)) }
      }
      return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
    }
    #expect(found.count == 1)
  }
}
