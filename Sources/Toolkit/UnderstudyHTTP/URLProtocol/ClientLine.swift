import Dispatch
import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The events that a session receives for one response, in this order.
enum URLProtocolEvent: Sendable {
  case head(HTTPURLResponse)
  case chunk(Data)
  case end
  case failure(URLError)

  var isLast: Bool {
    switch self {
    case .head, .chunk: false
    case .end, .failure: true
    }
  }
}

/// A channel from the task of a transport to the client of a URLProtocol, which delivers events at the protocol's place.
///
/// The receiver is released with the last event, or when delivery is stopped.
final class ClientLine: Sendable {
  /// It is unchecked because the closure is called at the place only, although every thread may release it.
  private struct Receiver: @unchecked Sendable {
    let receive: (URLProtocolEvent) -> Void
  }

  private struct State: Sendable {
    var receiver: Receiver?
    var events: [URLProtocolEvent] = []
  }

  private let place: ClientPlace
  private let state: Locked<State>

  /// Creates a line at a place, where `receive` is called.
  init(at place: ClientPlace, _ receive: @escaping (URLProtocolEvent) -> Void) {
    self.place = place
    state = Locked(State(receiver: Receiver(receive: receive)))
  }

  func send(_ event: URLProtocolEvent) {
    let isFirst = state.withLock { state in
      guard state.receiver != nil, state.events.last?.isLast != true else { return false }
      state.events.append(event)
      return state.events.count == 1
    }
    if isFirst { place.perform { self.deliver() } }
  }

  /// Stops the delivery of events: at once at the place, otherwise as soon as possible.
  func cut() {
    // Released outside of the lock.
    _ = state.withLock { state in
      state.events = []
      return state.receiver.take()
    }
  }

  /// Calls the receiver, outside of the lock, because the client may stop the protocol at each event.
  private func deliver() {
    while let (receiver, event) = next() { receiver.receive(event) }
  }

  private func next() -> (Receiver, URLProtocolEvent)? {
    state.withLock { state in
      guard let receiver = state.receiver, let event = state.events.first else { return nil }
      state.events.removeFirst()
      if event.isLast { state.receiver = nil }
      return (receiver, event)
    }
  }
}

#if canImport(FoundationNetworking)
  /// Where a URLProtocol must call its client: on the queue of the session's task.
  ///
  /// The session looks up a task without a race only there.
  struct ClientPlace: Sendable {
    private let queue: DispatchQueue

    init(of task: URLSessionTask?) {
      queue = task.flatMap(\.reflectedQueue) ?? DispatchQueue(label: "URLProtocol client")
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      queue.async(execute: work)
    }
  }
#else
  /// Where a URLProtocol must call its client: on the thread on which it was started.
  ///
  /// Older systems crash if a load is stopped on that thread while the client is called on another one (the notes on threads
  /// in Apple's sample CustomHTTPProtocol).
  ///
  /// It is unchecked because a run loop is not declared `Sendable`. Its two functions that are called elsewhere than on its
  /// own thread may be called on every thread (*Threading Programming Guide*, "Thread Safety and Run Loop Objects").
  struct ClientPlace: @unchecked Sendable {
    /// `nil` if the thread runs no loop, so that nothing would be performed there.
    private let loop: (loop: CFRunLoop, modes: CFArray)?
    private let queue = DispatchQueue(label: "URLProtocol client")

    init(of task: URLSessionTask?) {
      let current: CFRunLoop? = CFRunLoopGetCurrent()
      let mode: CFRunLoopMode? = CFRunLoopCopyCurrentMode(current)
      if let current, let mode {
        loop = (current, [CFRunLoopMode.defaultMode.rawValue, mode.rawValue] as CFArray)
      } else {
        loop = nil
      }
    }

    func perform(_ work: @escaping @Sendable () -> Void) {
      guard let (loop, modes) = loop else { return queue.async(execute: work) }
      CFRunLoopPerformBlock(loop, modes, work)
      CFRunLoopWakeUp(loop)
    }
  }
#endif
