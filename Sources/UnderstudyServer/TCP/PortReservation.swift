import Understudy

/// A reservation of a port of 127.0.0.1 for this process, with or without a listener.
///
/// Without a listener, clients are refused and the system does not assign the port to another process. On Linux, a
/// socket that is bound but does not listen achieves this. On Apple's systems such a socket would also block the
/// listener itself, because their SO_REUSEADDR allows less, so no socket is held there.
package final class PortReservation: Sendable {
  /// The reserved port.
  package let port: UInt16
  private let descriptor: Descriptor?

  /// Reserves a port; zero selects a free port.
  package init(port: UInt16) throws(SocketError) {
    let address = SocketAddress.loopback(port: port)
    let descriptor = try Descriptor(family: address.family)
    do throws(SocketError) {
      self.port = try descriptor.bind(to: address)
    } catch {
      descriptor.release()
      throw error
    }
    #if canImport(Darwin)
      descriptor.release()
      self.descriptor = nil
    #else
      self.descriptor = descriptor
    #endif
  }

  deinit {
    descriptor?.release()
  }
}
