import Understudy

/// A reservation of a port of 127.0.0.1 for this process, with or without a listener.
///
/// Without a listener, clients are refused and the system does not assign the port to another process. A socket that is
/// bound but does not listen achieves this, where it does not also block the listener itself.
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
    if Descriptor.boundSocketsAllowListeners {
      self.descriptor = descriptor
    } else {
      descriptor.release()
      self.descriptor = nil
    }
  }

  deinit {
    descriptor?.release()
  }
}
