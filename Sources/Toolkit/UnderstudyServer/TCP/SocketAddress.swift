import Foundation

/// A socket address in the system's format.
struct SocketAddress: Sendable, CustomStringConvertible {
  /// The bytes of the family's `sockaddr`.
  private let bytes: [UInt8]
  let family: CInt
  /// The path of a socket in the file system.
  private var path: String?

  init?(_ address: UnsafePointer<sockaddr>?, length: socklen_t) {
    guard let address else { return nil }
    bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
    family = CInt(address.pointee.sa_family)
  }

  /// An address of 127.0.0.1.
  static func loopback(port: UInt16) -> SocketAddress {
    var address = sockaddr_in()
    address.setFamily()
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return SocketAddress(address)
  }

  /// The address of a socket in the file system; `nil` if the path is too long for the system.
  static func file(_ path: String) -> SocketAddress? {
    var address = sockaddr_un()
    address.setFamily()
    let isShort = withUnsafeMutableBytes(of: &address.sun_path) { target in
      guard path.utf8.count < target.count else { return false }
      target.copyBytes(from: path.utf8)
      return true
    }
    return isShort ? SocketAddress(address, path) : nil
  }

  private init(_ address: sockaddr_un, _ path: String) {
    family = AF_UNIX
    bytes = withUnsafeBytes(of: address) { Array($0) }
    self.path = path
  }

  private init(_ address: sockaddr_in) {
    family = AF_INET
    bytes = withUnsafeBytes(of: address) { Array($0) }
  }

  /// Calls a closure with the address in the form of the system calls.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
    // `sockaddr_storage` has the alignment and the size for the addresses of every family.
    var storage = sockaddr_storage()
    let isCopied = withUnsafeMutableBytes(of: &storage) { target in
      guard bytes.count <= target.count else { return false }
      target.copyBytes(from: bytes)
      return true
    }
    guard isCopied else { return nil }
    return withUnsafePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
    }
  }

  /// Whether a connection to it leads to this machine: 127.0.0.0/8, ::1, and the unspecified addresses.
  var isLoopback: Bool {
    func isOwn(_ address: UInt32) -> Bool { address >> 24 == 127 || address == 0 }
    return withPointer { address, _ in
      switch family {
      case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          isOwn(UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
        }
      case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
          let bytes = withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) }
          let last = bytes[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
          // An address of IPv4 is mapped (RFC 4291 §2.5.5.2).
          if bytes[..<12].elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) { return isOwn(last) }
          return bytes[..<12].allSatisfy { $0 == 0 } && last <= 1
        }
      default: false
      }
    } ?? false
  }

  /// The numeric address and port, or the path.
  var description: String {
    if let path { return path }
    var host = [CChar](repeating: 0, count: 64)
    var port = [CChar](repeating: 0, count: 8)
    let isKnown = withPointer { address, length in
      getnameinfo(
        address, length, &host, socklen_t(host.count), &port, socklen_t(port.count),
        NI_NUMERICHOST | NI_NUMERICSERV) == 0
    }
    return isKnown == true ? "\(Self.text(host)):\(Self.text(port))" : "an address of family \(family)"
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The port to which a socket is bound.
  static func port(of descriptor: Descriptor) throws(SocketError) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor.number, $0, &size)
      }
    }
    guard result == 0 else { throw .system("read the port of a socket") }
    return UInt16(bigEndian: address.sin_port)
  }
}
