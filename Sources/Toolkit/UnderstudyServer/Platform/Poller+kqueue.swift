#if canImport(Darwin)
  import Darwin

  /// A poller based on kqueue(2) with `EV_CLEAR`, so that each descriptor is registered only once.
  ///
  /// It uses the 64-bit variant, because tokens have 64 bits and pointers on watchOS have 32.
  final class Poller: Sendable {
    /// The events of one wait.
    struct Events {
      fileprivate var list = [kevent64_s](repeating: kevent64_s(), count: 256)
    }

    private let queue: CInt

    init() throws(SocketError) {
      queue = kqueue()
      guard queue >= 0 else { throw .system("create a kernel queue") }
      _ = fcntl(queue, F_SETFD, FD_CLOEXEC)
      var wakeUp = kevent64_s()
      wakeUp.filter = Int16(EVFILT_USER)
      wakeUp.flags = UInt16(EV_ADD | EV_CLEAR)
      guard kevent64(queue, &wakeUp, 1, nil, 0, 0, nil) == 0 else { throw .system("create a wake-up event") }
    }

    deinit {
      close(queue)
    }

    /// Watches a descriptor until it is closed.
    func add(_ descriptor: CInt, token: UInt64) throws(SocketError) {
      var changes = [EVFILT_READ, EVFILT_WRITE].map { filter in
        var change = kevent64_s()
        change.ident = UInt64(descriptor)
        change.filter = Int16(filter)
        change.flags = UInt16(EV_ADD | EV_CLEAR)
        change.udata = token
        return change
      }
      guard kevent64(queue, &changes, CInt(changes.count), nil, 0, 0, nil) == 0 else {
        throw .system("watch a socket")
      }
    }

    /// Ends the current or the next wait immediately; callable from any thread.
    func wakeUp() {
      var trigger = kevent64_s()
      trigger.filter = Int16(EVFILT_USER)
      trigger.fflags = UInt32(NOTE_TRIGGER)
      _ = kevent64(queue, &trigger, 1, nil, 0, 0, nil)
    }

    /// Waits for events, or polls without blocking.
    ///
    /// - Returns: The number of events.
    func wait(isBlocking: Bool, _ events: inout Events) -> Int {
      var noTime = timespec(tv_sec: 0, tv_nsec: 0)
      let count = events.list.withUnsafeMutableBufferPointer { buffer in
        if isBlocking { return kevent64(queue, nil, 0, buffer.baseAddress, CInt(buffer.count), 0, nil) }
        return kevent64(queue, nil, 0, buffer.baseAddress, CInt(buffer.count), 0, &noTime)
      }
      // EINTR is the only possible error.
      return max(0, Int(count))
    }

    /// An event of the last wait; `nil` for the wake-up event.
    func event(_ index: Int, of events: Events) -> (token: UInt64, readiness: Readiness)? {
      let event = events.list[index]
      guard event.filter != Int16(EVFILT_USER) else { return nil }
      let hasEnded = event.flags & UInt16(EV_EOF) != 0
      var readiness: Readiness = []
      if event.filter == Int16(EVFILT_READ) {
        readiness.insert(.readable)
        if hasEnded { readiness.insert(.ended) }
      } else {
        readiness.insert(.writable)
        if hasEnded { readiness.formUnion([.readable, .sendingEnded]) }
      }
      if hasEnded, event.fflags != 0 { readiness.formUnion([.writable, .failed]) }
      return (event.udata, readiness)
    }
  }
#endif
