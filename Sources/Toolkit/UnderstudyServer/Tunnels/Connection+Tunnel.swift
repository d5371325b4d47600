import Foundation
import UnderstudyHTTP

extension Connection {
  /// The first byte of a client that begins with TLS: a record with a handshake (RFC 8446 §5.1).
  private static let handshakeRecord: UInt8 = 22

  /// Answers CONNECT, and returns when the tunnel has ended, or when it proves to contain requests without TLS.
  ///
  /// - Returns: Whether requests without TLS follow on this connection.
  nonisolated(nonsending) func openTunnel(
    to url: URL, _ tunnels: any TunnelProvider, _ parser: inout RequestParser
  ) async throws -> Bool {
    guard let target = TunnelTarget(authority: String(url.absoluteString.dropFirst("http://".count))) else {
      preconditionFailure("The URL of CONNECT is made of a tunnel's target, found \(url).")
    }
    var upstream: TCPSocket?
    if tunnels.passesThrough(target) {
      enter(.answer, (.connect, url))
      do throws(SocketError) {
        upstream = try await TCPSocket.connect(to: target.host, port: target.port, on: server.loop)
      } catch {
        throw RequestRefusal(502, "The tunnel to \(target) cannot be opened. \(error.message)")
      }
    }
    do {
      try await send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
    } catch {
      upstream?.abort()
      throw error
    }
    var bytes = parser.takeUnread()
    if let upstream {
      enter(.upgraded)
      await forward(bytes, to: upstream)
      return false
    }
    if bytes.isEmpty {
      // Some clients open tunnels in advance, so a program is started only when one is used.
      guard let received = try await receive(at: .idle) else { return false }
      bytes = received
    }
    guard bytes.first == Self.handshakeRecord else {
      parser = RequestParser(limits: server.limits, .tunnel(scheme: "http", target))
      parser.append(bytes)
      return true
    }
    enter(.upgraded, (.connect, url))
    let termination: TLSTermination
    do {
      termination = try await tunnels.terminateTLS(for: target, on: server.loop)
    } catch {
      server.observer?.refusal(nil, "TLS for \(target) failed: \(error)")
      return false
    }
    let served = server.accept(termination.decrypted, .tunnel(scheme: "https", target))
    await forward(bytes, toTermination: termination.encrypted)
    // Many clients end a connection without the alert that TLS requires.
    if let reason = await termination.end(), !served.isReused {
      server.observer?.refusal(nil, "TLS for \(target) failed: \(reason)")
    }
    return false
  }

  /// Forwards bytes in both directions until both sides have ended theirs, or until one has failed.
  private nonisolated(nonsending) func forward(_ first: [UInt8], to upstream: TCPSocket) async {
    let client = socket
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { await Self.pass(first, from: client, to: upstream) }
      group.addTask { await Self.pass([], from: upstream, to: client) }
      for await isWhole in group where !isWhole {
        client.abort()
        upstream.abort()
      }
    }
    await upstream.close()
  }

  /// Forwards bytes in both directions until the program that terminates TLS has ended.
  private nonisolated(nonsending) func forward(
    _ first: [UInt8], toTermination encrypted: TCPSocket
  ) async {
    let client = socket
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        if await !Self.pass(first, from: client, to: encrypted) { encrypted.endWriting() }
      }
      _ = await Self.pass([], from: encrypted, to: client)
      group.cancelAll()
    }
    encrypted.abort()
    await farewell()
  }

  /// Forwards bytes until the source ends.
  ///
  /// - Returns: Whether it has ended in order.
  private nonisolated(nonsending) static func pass(
    _ first: [UInt8], from source: TCPSocket, to target: TCPSocket
  ) async -> Bool {
    do {
      if !first.isEmpty { try await target.write(first) }
      while let bytes = try await source.read() {
        try await target.write(bytes)
        // Yields, because neither reading nor writing suspends while both sides are fast.
        await Task.yield()
      }
      target.endWriting()
      return true
    } catch {
      return false
    }
  }
}
