#if canImport(Darwin)
  import Darwin

  /// Waits for descriptors to become ready: kqueue(2) with `EV_CLEAR`, so that each is registered only once.
  final class Poller: Sendable {
    /// What one wait brought.
    struct Events {
      fileprivate var list = [Darwin.kevent](repeating: Darwin.kevent(), count: 256)
    }

    private let queue: CInt

    init() throws(SocketError) {
      queue = kqueue()
      guard queue >= 0 else { throw .system("create a kernel queue") }
      _ = fcntl(queue, F_SETFD, FD_CLOEXEC)
      var wakeUp = Darwin.kevent()
      wakeUp.filter = Int16(EVFILT_USER)
      wakeUp.flags = UInt16(EV_ADD | EV_CLEAR)
      guard kevent(queue, &wakeUp, 1, nil, 0, nil) == 0 else { throw .system("create a wake-up event") }
    }

    deinit {
      close(queue)
    }

    /// Watches a descriptor until it is closed.
    func add(_ descriptor: CInt, token: UInt64) throws(SocketError) {
      var changes = [EVFILT_READ, EVFILT_WRITE].map { filter in
        var change = Darwin.kevent()
        change.ident = UInt(descriptor)
        change.filter = Int16(filter)
        change.flags = UInt16(EV_ADD | EV_CLEAR)
        // The token is never zero, and is only ever read as the number that it is.
        change.udata = UnsafeMutableRawPointer(bitPattern: UInt(token))
        return change
      }
      guard kevent(queue, &changes, CInt(changes.count), nil, 0, nil) == 0 else {
        throw .system("watch a socket")
      }
    }

    /// Ends a wait, or the next one, at once; from any thread.
    func wakeUp() {
      var trigger = Darwin.kevent()
      trigger.filter = Int16(EVFILT_USER)
      trigger.fflags = UInt32(NOTE_TRIGGER)
      _ = kevent(queue, &trigger, 1, nil, 0, nil)
    }

    /// Waits until something is ready, or only looks.
    ///
    /// - Returns: How many events there are.
    func wait(isBlocking: Bool, _ events: inout Events) -> Int {
      var noTime = timespec(tv_sec: 0, tv_nsec: 0)
      let count = events.list.withUnsafeMutableBufferPointer { buffer in
        if isBlocking { return kevent(queue, nil, 0, buffer.baseAddress, CInt(buffer.count), nil) }
        return kevent(queue, nil, 0, buffer.baseAddress, CInt(buffer.count), &noTime)
      }
      // The one failure there can be is EINTR.
      return max(0, Int(count))
    }

    /// One of the events of the last wait; `nil` if it was the wake-up.
    func event(_ index: Int, of events: Events) -> (token: UInt64, readiness: Readiness)? {
      let event = events.list[index]
      guard event.filter != Int16(EVFILT_USER), let udata = event.udata else { return nil }
      let token = UInt64(UInt(bitPattern: udata))
      let hasEnded = event.flags & UInt16(EV_EOF) != 0
      var readiness: Readiness = []
      if event.filter == Int16(EVFILT_READ) {
        readiness.insert(.readable)
        if hasEnded { readiness.insert(.ended) }
      } else {
        readiness.insert(.writable)
        // This side can send no more: the peer is gone.
        if hasEnded { readiness.formUnion([.readable, .failed]) }
      }
      if hasEnded, event.fflags != 0 { readiness.formUnion([.writable, .failed]) }
      return (token, readiness)
    }
  }
#endif
