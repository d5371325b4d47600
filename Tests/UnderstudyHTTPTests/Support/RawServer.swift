import Dispatch
import Foundation
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
/// It does not implement HTTP, so that it can violate it. Its thread ends with the last script, so a test need not
/// retain the server.
final class RawServer: Sendable {
  enum Step: Sendable {
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

    static func send(_ text: String) -> Step { .send(Data(text.utf8)) }
  }

  let port: UInt16
  private let heads = Locked<[String]>([])

  /// A server that follows one script for each connection, in order, and then stops listening.
  init(_ scripts: [Step]...) throws {
    let bound = try BoundPort()
    port = bound.port
    let listener = bound.release()
    _ = try check("listen", listen(listener, 16))
    let thread = Thread { [heads] in
      for script in scripts {
        let connection = accept(listener, nil, nil)
        for step in script { Self.follow(step, on: connection, heads) }
        close(connection)
      }
      close(listener)
    }
    thread.name = "RawServer"
    thread.start()
  }

  func url(_ path: String = "/") -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// The heads of the requests that were read, in order.
  var requestHeads: [String] { heads.withLock { $0 } }

  private static func follow(_ step: Step, on connection: Int32, _ heads: Locked<[String]>) {
    var byte: UInt8 = 0
    switch step {
    case .readHead:
      var head: [UInt8] = []
      while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)), recv(connection, &byte, 1, 0) == 1 {
        head.append(byte)
      }
      heads.withLock { $0.append(String(decoding: head, as: UTF8.self)) }
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
final class BoundPort: Sendable {
  let port: UInt16
  private let descriptor: Locked<Int32?>

  init() throws {
    #if canImport(Darwin) || canImport(Musl)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let socket = try check("socket", socket(AF_INET, stream, 0))
    descriptor = Locked(socket)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
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
  func release() -> Int32 {
    descriptor.withLock { $0.take() } ?? -1
  }

  deinit {
    if let open = descriptor.withLock({ $0.take() }) { close(open) }
  }
}

struct SystemCallError: Error {
  let call: String
  let number: Int32
}

private func check(_ call: String, _ result: Int32) throws -> Int32 {
  guard result >= 0 else { throw SystemCallError(call: call, number: errno) }
  return result
}

extension DispatchSemaphore {
  /// Waits for the signal on a separate thread, so that no task's thread is blocked.
  func signalled() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        self.wait()
        continuation.resume()
      }
    }
  }
}
