import Observation
import Testing
import Understudy
import UnderstudyTesting

// The code of the articles Doubles, Sweeps and ScreensAndTimelines that no package of Tests/Downstream has.

/// The network of all calls, which a test turns off and on.
struct FlightMode<Base: Sendable>: CustomInterceptor {
  let isOn = Locked(false)

  nonisolated(nonsending) func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    if isOn.withLock({ $0 }) { throw Fault.offline }
    return try await next()
  }
}

@MainActor @Suite(.stallLimit()) struct DoubleExamples {
  @Test func savesOnceOnASlowNetwork() async throws {
    let log = CallLog<InMemoryTodoService>(expecting: .exactly(1, .add))
    let service = Intercepted(
      InMemoryTodoService(), by: .log(log), .faults(.on(.any, .latency(.mobileNetwork))),
      time: TestClock(.immediate).time)
    await TodoViewModel(service: service).add("Milk")
    #expect(try log.arguments(of: .add, as: String.self) == ["Milk"])
  }

  @Test func theNextTapWorksWhenTheNetworkIsBack() async throws {
    let flightMode = FlightMode<InMemoryTodoService>()
    let service = Intercepted(InMemoryTodoService(), by: Interceptor(flightMode))
    let list = TodoViewModel(service: service)
    flightMode.isOn.withLock { $0 = true }
    await list.add("Milk")
    #expect(list.message == "Please try again.")
    #expect(try await service.base.items().isEmpty)

    flightMode.isOn.withLock { $0 = false }
    await list.add("Milk")
    #expect(try await service.items() == [Todo(title: "Milk")])
  }
}

/// A search that begins when the user has not typed for a moment.
@MainActor @Observable final class SearchViewModel {
  private(set) var results: [String] = []
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) {
    self.clock = clock
  }

  func type(_ text: String) async {
    do {
      try await clock.sleep(for: .milliseconds(300))
      results = [text]
    } catch {}
  }
}

@MainActor @Suite(.stallLimit()) struct TimeExamples {
  @Test func aSearchWaitsForTheUser() async throws {
    let clock = TestClock(.manual)
    let screen = SearchViewModel(clock: clock.time.clock)
    async let typed: Void = screen.type("Milk")
    try await clock.wait(forSleepers: 1)
    #expect(screen.results.isEmpty)
    clock.advance(by: .milliseconds(300))
    await typed
    #expect(screen.results == ["Milk"])
  }
}

/// The states of a preview, each in one line.
@MainActor @Suite(.stallLimit()) struct PreviewExamples {
  @Test func everyStateIsOneLine() async throws {
    let todos = InMemoryTodoService()
    _ = try await todos.add("Milk")
    let loaded = Intercepted(todos)
    let empty = Intercepted(InMemoryTodoService())
    let loading = Intercepted(todos, by: .faults(.on(.any, .latency(.seconds(86_400)))))
    let offline = Intercepted(todos, by: .faults(.on(.any, .offline)))
    let brokenOff = Intercepted(Market(), by: .faults(.on(.prices, .dropStream(afterEvents: 1))))
    #expect(try await loaded.items().count == 1)
    #expect(try await empty.items().isEmpty)
    await #expect(throws: (any Error).self) { try await offline.items() }
    let load = Task { try await loading.items() }
    load.cancel()
    await #expect(throws: (any Error).self) { try await load.value }
    let model = PriceViewModel(feed: brokenOff)
    let timeline = StateTimeline(of: model) { $0.price }
    let visit = Task { await model.follow() }
    try await timeline.wait(for: 100)
    brokenOff.base.trade(at: 101)
    await visit.value
    #expect(model.price == 100 && model.message != nil)
  }
}

// MARK: - A stream without an end

/// A price that changes; its stream stays open.
protocol PriceFeed: Sendable {
  func prices() -> AsyncThrowingStream<Int, any Error>
}

extension Intercepted.Operation where Base: PriceFeed {
  static var prices: Self { Self("prices") }
}

extension Intercepted: PriceFeed where Base: PriceFeed {
  func prices() -> AsyncThrowingStream<Int, any Error> {
    interceptStream(.prices, streamFailure: { $0 }) { base in base.prices() }
  }
}

/// Sends the present price, and then each change.
final class Market: PriceFeed {
  private struct State {
    var price: Int
    var readers: [AsyncThrowingStream<Int, any Error>.Continuation] = []
  }

  private let state = Locked(State(price: 100))

  func prices() -> AsyncThrowingStream<Int, any Error> {
    let (stream, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
    state.withLock { state in
      continuation.yield(state.price)
      state.readers.append(continuation)
    }
    return stream
  }

  func trade(at price: Int) {
    state.withLock { state in
      state.price = price
      for reader in state.readers { reader.yield(price) }
    }
  }
}

@MainActor @Observable final class PriceViewModel {
  private(set) var price: Int?
  private(set) var isLive = false
  private(set) var message: String?
  private let feed: any PriceFeed

  init(feed: any PriceFeed) {
    self.feed = feed
  }

  /// Follows the price until the task is cancelled.
  func follow() async {
    isLive = true
    message = nil
    defer { isLive = false }
    do {
      for try await price in feed.prices() { self.price = price }
      if !Task.isCancelled { message = "The market is closed." }
    } catch {
      if !Task.isCancelled { message = "The price is out of date." }
    }
  }
}

extension Scenario {
  static let price = Scenario("price", "A user looks at a price while it changes, and leaves.") { run in
    let market = Market()
    let screen = PriceViewModel(feed: run.intercepted(market, as: "market"))
    run.watch(screen) { "\($0.price ?? 0) \($0.isLive ? "live" : $0.message ?? "left")" }

    // Ends only when it is cancelled, so it is in a task of its own, which an action starts.
    var visit: Task<Void, Never>?
    run.interruption("leave") {
      visit?.cancel()
      await visit?.value
    }
    await run.act { visit = Task { await screen.follow() } }
    await run.waitForReader { !screen.isLive }
    market.trade(at: 101)
    // The reader has received the event, or there is no reader any more.
    await run.waitForReader { !screen.isLive }
    run.expect(
      "errors.shown", screen.isLive || screen.message != nil || run.interruptions.contains("leave"),
      "the price is \(screen.price ?? 0), nothing updates it, and nothing says so")

    visit?.cancel()
    await visit?.value
    run.expect("live.ends", !screen.isLive, "the screen was left, and still says that it is live")
  }
}

struct SweepExamples {
  @Test func thePriceIsRightWhateverFails() async throws { try await Scenario.price.sweep() }
}

// An error that has a part of the call, in the article Doubles.

enum AlbumError: Error, Hashable {
  case notFound(Int), unavailable

  init(_ fault: Fault) { self = .unavailable }
}

protocol AlbumService: Sendable {
  func title(of album: Int) async throws -> String
}

struct Albums: AlbumService {
  func title(of album: Int) async throws -> String { "Summer" }
}

extension AlbumError {
  init<Base: AlbumService>(_ fault: Fault, of call: Intercepted<Base>.Call) {
    if fault.symptom == .notFound, call.operation == .title, let album = call.arguments(as: Int.self) {
      self = .notFound(album)
    } else {
      self.init(fault)
    }
  }
}

extension Intercepted.Operation where Base: AlbumService {
  static var title: Self { Self("title") }
}

extension Intercepted: AlbumService where Base: AlbumService {
  func title(of album: Int) async throws -> String {
    try await intercept(.title, album, failure: { AlbumError($0, of: Call(.title, album)) as any Error }) {
      base, album in
      try await base.title(of: album)
    }
  }
}

struct ErrorOfCallExamples {
  /// Catches a call without its arguments, and one that is not equal to its operation.
  @Test func anErrorHasThePartsOfTheCall() async {
    let albums = Intercepted(
      Albums(), by: .faults(.on(.title, call: 1, .notFound), .on(.title, call: 2, .offline)))
    await #expect(throws: AlbumError.notFound(7)) { try await albums.title(of: 7) }
    await #expect(throws: AlbumError.unavailable) { try await albums.title(of: 7) }
  }
}
