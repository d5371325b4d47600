package import Understudy
import UnderstudyHTTP

/// A service that streams.
package protocol TickerService: Sendable {
  func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error>
}

/// The ticks "1", "2" and so on, each made on request.
package final class InMemoryTicker: TickerService {
  /// The number of requested ticks.
  package let pulls = Locked(0)
  /// The number of released streams.
  package let closed = Signals()

  package init() {}

  package func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
    if count < 0 { throw .full }
    let source = Source(closed)
    return AsyncThrowingStream(unfolding: { [pulls] in
      let number = source.advance()
      guard number <= count else { return nil }
      pulls.withLock { $0 += 1 }
      return "\(number)"
    })
  }
}

/// A counter that reports its release.
package final class Source: Sendable {
  private let position = Locked(0)
  private let closed: Signals

  package init(_ closed: Signals) { self.closed = closed }

  deinit { closed.count.withLock { $0 += 1 } }

  package func advance() -> Int {
    position.withLock { position in
      position += 1
      return position
    }
  }
}

/// A count of events.
package final class Signals: Sendable {
  package let count = Locked(0)

  package init() {}
}

extension Intercepted.Operation where Base: TickerService {
  package static var ticks: Self { Self("ticks") }
}

extension Intercepted: TickerService where Base: TickerService {
  package func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
    try await interceptStream(.ticks, count, failure: TodoError.init) { base, count throws(TodoError) in
      try await base.ticks(upTo: count)
    }
  }
}

/// What a reader of ticks has received.
package struct ReadTicks: Hashable, Sendable, CustomStringConvertible {
  package var ticks: [String]
  package var error: TodoError?

  package init(ticks: [String] = [], error: TodoError? = nil) {
    self.ticks = ticks
    self.error = error
  }

  /// Reads three ticks of a service.
  package init(from service: some TickerService) async {
    self.init()
    do {
      for try await tick in try await service.ticks(upTo: 3) { ticks.append(tick) }
    } catch {
      self.error = error as? TodoError
    }
  }

  package var description: String { "\(ticks) \(error.map { "\($0)" } ?? "end")" }
}

/// Three ticks; "ü" and "€" have several bytes.
package struct WordTicker: TickerService {
  package static let all = ["1ü", "2€", "3"]

  package init() {}

  package func ticks(upTo count: Int) async throws(TodoError) -> AsyncThrowingStream<String, any Error> {
    let source = Source(Signals())
    return AsyncThrowingStream(unfolding: {
      let number = source.advance()
      return number <= count ? Self.all[number - 1] : nil
    })
  }

  /// Whether a row of the table is about a fault that finds no event, or has no effect at a service.
  package static func isUnchanged(_ fault: Fault, _ expected: ReadTicks, atService: Bool = false) -> Bool {
    expected == ReadTicks(ticks: all) && (atService || fault != .splitCharacters)
  }

  /// What a reader receives under each fault, written by hand: the same at every injection point.
  ///
  /// It catches an effect that is off by one, or counts comments as events.
  package static let table: [(fault: Fault, expected: ReadTicks)] = [
    (.dropStream(afterEvents: 0), ReadTicks(error: .connectionLost)),
    (.dropStream(afterEvents: 2), ReadTicks(ticks: ["1ü", "2€"], error: .connectionLost)),
    (.dropStream(afterEvents: 3), ReadTicks(ticks: all)),
    (.endStream(afterEvents: 1), ReadTicks(ticks: ["1ü"], error: .connectionLost)),
    (.endStream(afterEvents: 3), ReadTicks(ticks: all)),
    (.stallStream(afterEvents: 2), ReadTicks(ticks: ["1ü", "2€"], error: .timedOut)),
    (.stallStream(afterEvents: 9), ReadTicks(ticks: all)),
    (.corruptEvent(1), ReadTicks(error: .unreadable)),
    (.corruptEvent(3), ReadTicks(ticks: ["1ü", "2€"], error: .unreadable)),
    (.corruptEvent(4), ReadTicks(ticks: all)),
    (.unterminatedEvent, ReadTicks(ticks: ["1ü", "2€"], error: .connectionLost)),
    (.duplicateEvent(2), ReadTicks(ticks: ["1ü", "2€", "2€", "3"])),
    (.reorderEvent(1), ReadTicks(ticks: ["2€", "1ü", "3"])),
    (.reorderEvent(3), ReadTicks(ticks: all)),
    (.splitCharacters, ReadTicks(ticks: all)),
    (.truncatedBody(), ReadTicks(error: .connectionLost)),
    (.timeoutInBody(), ReadTicks(error: .timedOut)),
    (.malformedChunk(), ReadTicks(error: .unreadable)),
    (.brokenGzip, ReadTicks(error: .unreadable)),
  ]
}
