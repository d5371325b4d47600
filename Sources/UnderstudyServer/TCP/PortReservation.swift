import Understudy

/// Keeps a port of 127.0.0.1 for this process, whether or not somebody listens there.
///
/// While nobody does, a client is refused, and no other program is given the port meanwhile. On Linux a socket that is
/// bound and does not listen does this. On Apple's systems such a socket would also keep the listener itself away (their
/// SO_REUSEADDR says less), so nothing is held there.
package final class PortReservation: Sendable {
  /// The port.
  package let port: UInt16
  private let descriptor: Descriptor?

  /// Reserves a port; zero is any that is free.
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
