import Dispatch
@testable import Understudy

/// Stands in for the publishers of Combine, which are only on Apple platforms.
struct StandInPublisher<Output, Failure: Error>: Sendable {
  let subscribe:
    @Sendable (@escaping @Sendable (PublishedEvent<Output, Failure>) -> Void) -> @Sendable () -> Void

  /// As `sink(receiveCompletion:receiveValue:)`.
  func sink(
    end: @escaping @Sendable (Failure?) -> Void, value: @escaping @Sendable (Output) -> Void
  ) -> StandInSubscription {
    StandInSubscription(
      cancel: subscribe { event in
        switch event {
        case .value(let output): value(output)
        case .end(let error): end(error)
        }
      })
  }
}

extension StandInPublisher where Output: Sendable {
  /// Sends values at once, as `Just` and `Publishers.Sequence` do.
  static func sending(_ values: Output..., failing error: Failure? = nil) -> Self {
    Self { receive in
      for value in values { receive(.value(value)) }
      receive(.end(error))
      return {}
    }
  }

  /// Sends a value from another thread, as a request does.
  static func elsewhere(_ value: Output) -> Self {
    Self { receive in
      DispatchQueue.global().async {
        receive(.value(value))
        receive(.end(nil))
      }
      return {}
    }
  }
}

/// As `AnyCancellable`.
final class StandInSubscription: Sendable {
  private let end: @Sendable () -> Void

  init(cancel: @escaping @Sendable () -> Void) { end = cancel }

  func cancel() { end() }

  deinit { end() }
}

/// Sends what a test passes to it, as a `PassthroughSubject` or a `CurrentValueSubject` does.
final class StandInSubject<Output: Sendable, Failure: Error>: Sendable {
  private struct State: Sendable {
    var current: Output?
    var count = 0
    var receivers: [Int: @Sendable (PublishedEvent<Output, Failure>) -> Void] = [:]
  }

  private let state: Locked<State>

  init(current: Output? = nil) { state = Locked(State(current: current)) }

  var subscribers: Int { state.withLock { $0.receivers.count } }

  var publisher: StandInPublisher<Output, Failure> {
    StandInPublisher { receive in
      let (number, current) = self.state.withLock { state in
        state.count += 1
        state.receivers[state.count] = receive
        return (state.count, state.current)
      }
      if let current { receive(.value(current)) }
      return { self.state.withLock { _ = $0.receivers.removeValue(forKey: number) } }
    }
  }

  func send(_ value: Output) {
    let receivers = state.withLock { state in
      if state.current != nil { state.current = value }
      return Array(state.receivers.values)
    }
    for receive in receivers { receive(.value(value)) }
  }

  func finish(_ error: Failure? = nil) {
    let receivers = state.withLock { state in
      defer { state.receivers = [:] }
      return Array(state.receivers.values)
    }
    for receive in receivers { receive(.end(error)) }
  }
}

extension Intercepted {
  /// What `interceptPublisher` is for Combine.
  func interceptPublisher<each Argument: Sendable, Output, Failure: Error>(
    _ operation: Operation, _ arguments: repeat each Argument,
    failure: @escaping @Sendable (Fault) -> Failure,
    call: @escaping @Sendable (Base, repeat each Argument) -> StandInPublisher<Output, Failure>
  ) -> StandInPublisher<Output, Failure> {
    StandInPublisher { receive in
      self.subscribe(
        operation, repeat each arguments, failure: failure, call: call, source: { $0.subscribe },
        receive: receive)
    }
  }

  func interceptPublisher<each Argument: Sendable, Output>(
    _ operation: Operation, _ arguments: repeat each Argument,
    call: @escaping @Sendable (Base, repeat each Argument) -> StandInPublisher<Output, Never>
  ) -> StandInPublisher<Output, Never> {
    StandInPublisher { receive in
      self.subscribe(
        operation, repeat each arguments, failure: nil, call: call, source: { $0.subscribe }, receive: receive
      )
    }
  }
}
