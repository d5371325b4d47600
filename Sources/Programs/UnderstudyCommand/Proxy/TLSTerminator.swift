import Foundation
import Understudy
import UnderstudyConsole
import UnderstudyServer

/// Terminates the TLS of a forward proxy's tunnels, with one `openssl s_server` for each connection.
///
/// The program listens in a folder that only this user can enter, serves one connection and ends. Its standard input and
/// output are a socket with the decrypted bytes. It ends when that socket is closed, so also when this process is killed.
final class TLSTerminator: TunnelProvider {
  /// The maximum time until the program listens.
  private static let startLimit = Duration.seconds(10)

  let authority: CertificateAuthority
  private let passthroughHosts: Set<String>
  /// The folder of the sockets, and of what the programs write to standard error.
  private let folder: URL
  private let count = Locked(0)

  init(_ authority: CertificateAuthority, passthroughHosts: Set<String>) throws(CommandError) {
    self.authority = authority
    self.passthroughHosts = passthroughHosts
    // A short name, because the path of a socket has at most 103 bytes on Apple's platforms.
    folder = FileManager.default.temporaryDirectory
      .appending(path: "understudy-\(UUID().uuidString.prefix(8))", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("The folder \(folder.plainPath) cannot be created: \(error.localizedDescription)")
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func passesThrough(_ target: TunnelTarget) -> Bool { passthroughHosts.contains(target.host) }

  func terminateTLS(for target: TunnelTarget, on loop: EventLoop) async throws -> TLSTermination {
    let certificate = try await authority.certificate(for: target)
    let number = count.withLock { count in
      count += 1
      return count
    }
    let path = folder.appending(path: "\(number)")
    let errors = path.appendingPathExtension("log")
    let (decrypted, other) = try TCPSocket.pair(on: loop)
    do {
      let process: RunningProcess
      do {
        defer { close(other) }
        // Without `-quiet`, lines that begin with Q or R would be commands. Tickets are of no use after the program.
        process = try authority.program.command(
          "s_server", "-quiet", "-naccept", "1", "-unix", path.plainPath, "-alpn", "http/1.1", "-no_ticket",
          "-num_tickets", "0",
          "-cert", certificate.plainPath, "-key", authority.hostKey.plainPath
        ).start(on: other, errors: errors)
      }
      let encrypted = try await connect(to: path, of: process, errors, on: loop)
      return TLSTermination(encrypted: encrypted, decrypted: decrypted) {
        process.end()
        let reason = Self.reason(in: errors)
        try? FileManager.default.removeItem(at: errors)
        return reason
      }
    } catch {
      decrypted.abort()
      for file in [path, errors] { try? FileManager.default.removeItem(at: file) }
      throw error
    }
  }

  /// Connects as soon as the program listens, which it does not report.
  private func connect(
    to path: URL, of process: RunningProcess, _ errors: URL, on loop: EventLoop
  ) async throws -> TCPSocket {
    // The clock of the system, because the time is that of another process.
    let (clock, time) = (ContinuousClock(), Time.system)
    let start = clock.now
    while true {
      do {
        let socket = try await TCPSocket.connect(toFile: path.plainPath, on: loop)
        try? FileManager.default.removeItem(at: path)
        return socket
      } catch {
        guard !process.hasEnded, clock.now - start < Self.startLimit else {
          throw CommandError("openssl s_server does not start. \(Self.reason(in: errors) ?? "\(error)")")
        }
      }
      try await time.sleep(for: .milliseconds(2))
    }
  }

  /// The reason why TLS was not established, from what the program wrote to standard error; `nil` if it was.
  private static func reason(in errors: URL) -> String? {
    guard let text = try? String(contentsOf: errors, encoding: .utf8),
      let line = text.split(separator: "\n").first(where: { $0.contains(":error:") })
    else { return nil }
    // 4047FA3F5F7F0000:error:0A000126:SSL routines:ssl3_read_n:unexpected eof while reading:../ssl/file.c:318:
    let parts = line.split(separator: ":", omittingEmptySubsequences: false)
    let reason = parts.count > 5 ? String(parts[5]) : String(line)
    switch reason {
    case "unexpected eof while reading": return "the client closed the connection"
    case let reason where reason.contains("unknown ca") || reason.contains("certificate unknown"):
      return "the client does not trust the certificate authority of this proxy (\(reason))"
    case let reason where reason.contains("no application protocol"):
      return "the client requires a protocol other than HTTP/1.1 (\(reason))"
    default: return reason
    }
  }
}
