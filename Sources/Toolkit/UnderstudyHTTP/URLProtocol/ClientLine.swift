import Dispatch
import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#else
  import os
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

// A URLProtocol must stay on the queue or thread on which it is started. A task therefore sends events to a line, and
// the protocol receives them there.

#if canImport(FoundationNetworking)
  /// A channel from the task of a transport to the client of a URLProtocol, which delivers events on the queue of the
  /// session's task.
  final class ClientLine: Sendable {
    private struct State: Sendable {
      var events: [URLProtocolEvent] = []
      /// Has one member, which leaves when an event is available.
      var bell: DispatchGroup?
      var isOver = false
    }

    private let queue: DispatchQueue
    private let state = Locked(State())

    /// The session looks up a task without a race only on the task's queue.
    init(for task: URLSessionTask?) {
      queue = task.flatMap(\.reflectedQueue) ?? DispatchQueue(label: "URLProtocol client")
    }

    /// Sets the receiver, on the queue.
    ///
    /// It is released with the last event, or when delivery is stopped.
    func listen(_ receive: @escaping (URLProtocolEvent) -> Void) {
      let bell = DispatchGroup()
      bell.enter()
      bell.notify(
        queue: queue,
        work: DispatchWorkItem {
          let (events, isOver) = self.takeEvents()
          for event in events { receive(event) }
          if !isOver { self.listen(receive) }
        })
      let ringsAtOnce = state.withLock { state in
        if state.events.isEmpty, !state.isOver { state.bell = bell }
        return state.bell == nil
      }
      if ringsAtOnce { bell.leave() }
    }

    private func takeEvents() -> ([URLProtocolEvent], isOver: Bool) {
      state.withLock { state in
        defer { state.events = [] }
        if state.events.last?.isLast == true { state.isOver = true }
        return (state.events, state.isOver)
      }
    }

    func send(_ event: URLProtocolEvent) {
      ring { state in
        if !state.isOver { state.events.append(event) }
      }
    }

    /// Stops the delivery of events: at once on the queue, otherwise as soon as possible.
    func cut() {
      ring { state in
        state.isOver = true
        state.events = []
      }
    }

    private func ring(_ change: @Sendable (inout State) -> Void) {
      state.withLock { state in
        change(&state)
        return state.bell.take()
      }?.leave()
    }
  }
#else
  /// A channel from the task of a transport to the client of a URLProtocol, which delivers events on any thread.
  final class ClientLine: Sendable {
    private let receiver = OSAllocatedUnfairLock<((URLProtocolEvent) -> Void)?>(uncheckedState: nil)

    init(for task: URLSessionTask?) {}

    /// Sets the receiver.
    ///
    /// It is released with the last event, or when delivery is stopped.
    func listen(_ receive: @escaping (URLProtocolEvent) -> Void) {
      receiver.withLockUnchecked { $0 = receive }
    }

    func send(_ event: URLProtocolEvent) {
      // Called outside of the lock, because the client may stop the protocol at once.
      receiver.withLockUnchecked { receiver in
        defer { if event.isLast { receiver = nil } }
        return receiver
      }?(event)
    }

    func cut() {
      // Released outside of the lock.
      _ = receiver.withLockUnchecked { $0.take() }
    }
  }
#endif
