package import Dispatch
package import Foundation
import Understudy

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A server on 127.0.0.1 that follows a script, byte by byte.
///
/// It does not implement HTTP, so that it can violate it. Its thread ends with the last script, or with the test, so a
/// test need not retain the server.
package final class RawServer: Sendable {
  package enum Step: Sendable {
    /// Reads up to the blank line that ends a request's head.
    case readHead
    case send(Data)
    /// Waits until the test signals.
    case wait(DispatchSemaphore)
    /// Signals the test that the script has reached this step.
    case signal(DispatchSemaphore)
    /// Waits until the client closes, then signals.
    case awaitClose(DispatchSemaphore)
    /// Ends the connection with a reset instead of an orderly close.
    case reset

    package static func send(_ text: String) -> Step { .send(Data(text.utf8)) }
  }

  /// What the thread is doing.
  private struct State: Sendable {
    var isOver = false
    var connection: Int32?
    var heads: [String] = []
  }

  package let port: UInt16
  private let state = Locked(State())

  /// A server that follows one script for each connection, in order, and then stops listening.
  ///
  /// - Throws: If the suite lacks the trait `.servers`, which ends a server that its test has left waiting.
  package init(_ scripts: [Step]...) throws {
    let bound = try BoundPort()
    port = bound.port
    let listener = bound.release()
    _ = try check("listen", listen(listener, 16))
    let thread = Thread { [state] in
      for script in scripts where !state.withLock(\.isOver) {
        let connection = accept(listener, nil, nil)
        state.withLock { $0.connection = connection }
        for step in script where !state.withLock(\.isOver) { Self.follow(step, on: connection, state) }
        state.withLock { state in
          state.connection = nil
          close(connection)
        }
      }
      close(listener)
    }
    thread.name = "RawServer"
    thread.start()
    try ServersTrait.atEnd { [state, port] in Self.end(scripts, state, port) }
  }

  /// Ends the thread, wherever it waits.
  private static func end(_ scripts: [[Step]], _ state: Locked<State>, _ port: UInt16) {
    state.withLock { state in
      state.isOver = true
      // Ends a read or a write.
      if let connection = state.connection { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    for case .wait(let signal) in scripts.joined() { signal.signal() }
    // Ends the wait for a connection. It is refused if the thread has ended.
    guard let knocking = try? streamSocket() else { return }
    var address = sockaddr_in(loopback: port)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        connect(knocking, pointer, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    close(knocking)
  }

  package func url(_ path: String = "/") -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// The heads of the requests that were read, in order.
  package var requestHeads: [String] { state.withLock(\.heads) }

  private static func follow(_ step: Step, on connection: Int32, _ state: Locked<State>) {
    var byte: UInt8 = 0
    switch step {
    case .readHead:
      var head: [UInt8] = []
      while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)), recv(connection, &byte, 1, 0) == 1 {
        head.append(byte)
      }
      state.withLock { $0.heads.append(String(decoding: head, as: UTF8.self)) }
    case .send(let bytes):
      var rest = bytes[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes { write(on: connection, $0) }
        guard sent > 0 else { return }
        rest = rest.dropFirst(sent)
      }
    case .wait(let signal): signal.wait()
    case .signal(let signal): signal.signal()
    case .awaitClose(let signal):
      while recv(connection, &byte, 1, 0) > 0 {}
      signal.signal()
    case .reset:
      // With a linger of zero seconds, closing sends RST (POSIX setsockopt, SO_LINGER).
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    }
  }

  /// A disconnected client causes an error and not the signal SIGPIPE.
  private static func write(on connection: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout.size(ofValue: on)))
      return send(connection, bytes.baseAddress, bytes.count, 0)
    #else
      return send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #endif
  }
}

/// A port of 127.0.0.1 that is in use without a listener, as long as the object exists.
package final class BoundPort: Sendable {
  package let port: UInt16
  private let descriptor: Locked<Int32?>

  package init() throws {
    let socket = try streamSocket()
    descriptor = Locked(socket)
    var address = sockaddr_in(loopback: 0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    port = try withUnsafeMutablePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        _ = try check("bind", bind(socket, pointer, length))
        _ = try check("getsockname", getsockname(socket, pointer, &length))
      }
      return UInt16(bigEndian: pointer.pointee.sin_port)
    }
  }

  /// Returns the socket, which the caller must close.
  package func release() -> Int32 {
    descriptor.withLock { $0.take() } ?? -1
  }

  deinit {
    if let open = descriptor.withLock({ $0.take() }) { close(open) }
  }
}

package struct SystemCallError: Error {
  package let call: String
  package let number: Int32
}

private func check(_ call: String, _ result: Int32) throws -> Int32 {
  guard result >= 0 else { throw SystemCallError(call: call, number: errno) }
  return result
}

private func streamSocket() throws -> Int32 {
  #if canImport(Darwin) || canImport(Musl)
    let stream = SOCK_STREAM
  #else
    let stream = Int32(SOCK_STREAM.rawValue)
  #endif
  return try check("socket", socket(AF_INET, stream, 0))
}

extension sockaddr_in {
  fileprivate init(loopback port: UInt16) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    sin_port = port.bigEndian
  }
}

extension DispatchSemaphore {
  /// Waits for the signal, or for the cancellation of the task, on a separate thread, so that no task's thread is blocked.
  package func signalled() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          self.wait()
          continuation.resume()
        }
      }
    } onCancel: {
      self.signal()
    }
  }
}
