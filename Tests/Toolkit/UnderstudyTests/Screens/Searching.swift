import Observation
import Understudy

/// A field, and what was found for its text.
///
/// The wrong one shows each answer, also one for an earlier text.
@MainActor @Observable final class SearchModel: LoadingScreen {
  private(set) var query = ""
  private(set) var results: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?

  @ObservationIgnored private var searches = 0
  private let service: any SearchService
  private let isRight: Bool

  init(service: any SearchService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func search(_ query: String) async {
    searches += 1
    let search = searches
    (self.query, results, isLoading, message) = (query, [], true, nil)
    do {
      let found = try await service.results(for: query)
      if isRight, search != searches { return }
      results = found
    } catch {
      if isRight, search != searches { return }
      if !error.isCancellation { message = "\(error)" }
    }
    isLoading = false
  }
}

extension Screen {
  static let staleSearch = Screen(
    "stale search", "A user searches, and types on.", breaks: "results.match"
  ) { run, isRight in
    let model = SearchModel(service: run.intercepted(Fruits(), as: "search"), isRight: isRight)
    run.watch(model) { "\($0.query): \($0.results)" }
    run.interruption("type-on") { await model.search("ap") }
    run.interruption("type-another") { await model.search("b") }
    run.always("results.match", model) { model in
      model.results.allSatisfy { $0.hasPrefix(model.query) } ? nil : "\(model.results) for \(model.query)"
    }
    await run.act(on: model) { await model.search("a") }
  }
}

/// A field that searches when its text has not changed for a while.
///
/// The wrong one shows that it searches until a search ends, also if the field is emptied before it begins.
@MainActor @Observable final class DebouncedSearchModel: LoadingScreen {
  private(set) var query = ""
  private(set) var results: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?

  private var search: Task<Void, Never>?
  private let service: any SearchService
  private let clock: any Clock<Duration>
  private let isRight: Bool

  init(service: any SearchService, clock: any Clock<Duration>, isRight: Bool) {
    (self.service, self.clock, self.isRight) = (service, clock, isRight)
  }

  func type(_ query: String) {
    search?.cancel()
    (self.query, results, isLoading, message) = (query, [], true, nil)
    search = Task { [self] in
      do {
        try await clock.sleep(for: .milliseconds(300))
        let found = try await service.results(for: query)
        if Task.isCancelled { return }
        results = found
      } catch {
        if Task.isCancelled { return }
        if !error.isCancellation { message = "\(error)" }
      }
      isLoading = false
    }
  }

  func clear() {
    search?.cancel()
    (query, results) = ("", [])
    if isRight { isLoading = false }
  }
}

extension Screen {
  static let debouncedSearch = Screen(
    "debounced search", "A user types, and clears the field.", breaks: "loading.ends"
  ) { run, isRight in
    let model = DebouncedSearchModel(
      service: run.intercepted(Fruits(), as: "search"), clock: run.time.clock, isRight: isRight)
    run.watch(model) { "\($0.query): \($0.results)" }
    run.interruption("clear") { model.clear() }
    run.interruption("type-on") { model.type("ap") }
    run.always("results.match", model) { model in
      model.results.allSatisfy { $0.hasPrefix(model.query) }
        && (!model.query.isEmpty || model.results.isEmpty)
        ? nil : "\(model.results) for \(model.query)"
    }
    await run.act(on: model) { model.type("a") }
  }
}
