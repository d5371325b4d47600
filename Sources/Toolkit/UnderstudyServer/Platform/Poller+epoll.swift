#if !canImport(Darwin)
  import Foundation
  import UnderstudyEpoll

  /// A poller based on epoll(7), edge-triggered so that each descriptor is registered only once.
  final class Poller: Sendable {
    /// The events of one wait.
    struct Events {
      fileprivate var list = [epoll_event](repeating: epoll_event(), count: 256)
    }

    private let epoll: CInt
    private let wakeUpCounter: CInt
    /// The token of the wake-up descriptor; no watched descriptor has this token.
    private static let wakeUpToken: UInt64 = 0

    init() throws(SocketError) {
      epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
      guard epoll >= 0 else { throw .system("create an epoll instance") }
      wakeUpCounter = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
      guard wakeUpCounter >= 0 else { throw .system("create an event counter") }
      try add(wakeUpCounter, token: Self.wakeUpToken, EPOLLIN.rawValue)
    }

    deinit {
      close(wakeUpCounter)
      close(epoll)
    }

    /// Watches a descriptor until it is closed.
    func add(_ descriptor: CInt, token: UInt64) throws(SocketError) {
      try add(
        descriptor, token: token,
        EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue)
    }

    private func add(_ descriptor: CInt, token: UInt64, _ interest: UInt32) throws(SocketError) {
      var event = epoll_event(events: interest, data: epoll_data_t(u64: token))
      guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
        throw .system("watch a socket")
      }
    }

    /// Ends the current or the next wait immediately; callable from any thread.
    func wakeUp() {
      eventfd_write(wakeUpCounter, 1)
    }

    /// Waits for events, or polls without blocking.
    ///
    /// - Returns: The number of events.
    func wait(isBlocking: Bool, _ events: inout Events) -> Int {
      let count = events.list.withUnsafeMutableBufferPointer { buffer in
        epoll_wait(epoll, buffer.baseAddress, CInt(buffer.count), isBlocking ? -1 : 0)
      }
      // EINTR is the only possible error.
      return max(0, Int(count))
    }

    /// An event of the last wait; `nil` for the wake-up event.
    func event(_ index: Int, of events: Events) -> (token: UInt64, readiness: Readiness)? {
      let event = events.list[index]
      let token = event.data.u64
      if token == Self.wakeUpToken {
        var count: eventfd_t = 0
        eventfd_read(wakeUpCounter, &count)
        return nil
      }
      var readiness: Readiness = []
      if event.events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
      if event.events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
      if event.events & EPOLLRDHUP.rawValue != 0 { readiness.formUnion([.readable, .ended]) }
      if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 {
        readiness.formUnion([.readable, .writable, .failed])
      }
      return (token, readiness)
    }
  }
#endif
