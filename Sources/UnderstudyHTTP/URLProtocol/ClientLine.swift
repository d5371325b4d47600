import Dispatch
import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#else
  import os
#endif

/// What a session is told of one response, in this order.
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

// A URLProtocol may not leave the place where it is started. So a task gives events to a line, and the protocol takes
// them from its other end.

#if canImport(FoundationNetworking)
  /// From the task of a transport to the client of a URLProtocol: events arrive on the queue of the session's task.
  final class ClientLine: Sendable {
    private struct State: Sendable {
      var events: [URLProtocolEvent] = []
      /// Has one member, which leaves when there is something to hear.
      var bell: DispatchGroup?
      var isOver = false
    }

    private let queue: DispatchQueue
    private let state = Locked(State())

    /// Only on the task's queue does the session look up a task without a race.
    init(for task: URLSessionTask?) {
      queue = task.flatMap(\.reflectedQueue) ?? DispatchQueue(label: "URLProtocol client")
    }

    /// Called on the queue; the receiver is released with the last event, or when the line is cut.
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

    /// Nothing is told any more; on the queue at once, elsewhere as soon as can be.
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
  /// From the task of a transport to the client of a URLProtocol, which may be told on any thread.
  final class ClientLine: Sendable {
    private let receiver = OSAllocatedUnfairLock<((URLProtocolEvent) -> Void)?>(uncheckedState: nil)

    init(for task: URLSessionTask?) {}

    /// The receiver is released with the last event, or when the line is cut.
    func listen(_ receive: @escaping (URLProtocolEvent) -> Void) {
      receiver.withLockUnchecked { $0 = receive }
    }

    func send(_ event: URLProtocolEvent) {
      // Told outside of the lock, because the client may stop the protocol at once.
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
