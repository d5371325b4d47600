import Dispatch
import Observation
import Understudy

// Screens over services with completion handlers, with and without a place for an error, and over a store whose methods
// throw at once.

// MARK: - Services

protocol CatalogService: Sendable {
  func items(_ completion: @escaping @Sendable (Result<[String], AppError>) -> Void)
  func results(for query: String, completion: @escaping @Sendable ([String]?, (any Error)?) -> Void)
}

struct Catalog: CatalogService {
  private let names = ["apple", "apricot", "banana", "blueberry"]

  func items(_ completion: @escaping @Sendable (Result<[String], AppError>) -> Void) {
    completion(.success(names))
  }

  func results(for query: String, completion: @escaping @Sendable ([String]?, (any Error)?) -> Void) {
    completion(names.filter { $0.hasPrefix(query) }, nil)
  }
}

extension Intercepted.Operation where Base: CatalogService {
  static var items: Self { Self("items") }
  static var results: Self { Self("results") }
}

extension Intercepted: CatalogService where Base: CatalogService {
  func items(_ completion: @escaping @Sendable (Result<[String], AppError>) -> Void) {
    interceptCallback(.items, failure: { .failure(AppError($0)) }, completion: completion) {
      base, completion in
      base.items(completion)
    }
  }

  func results(for query: String, completion: @escaping @Sendable ([String]?, (any Error)?) -> Void) {
    interceptCallback(
      .results, query, failure: { (nil, AppError($0)) }, completion: { completion($0.0, $0.1) }
    ) { base, completion, query in
      base.results(for: query) { completion(($0, $1)) }
    }
  }
}

protocol NameService: Sendable {
  func isFree(_ name: String, completion: @escaping @Sendable (Bool) -> Void)
}

/// Answers on another thread, as many frameworks do.
struct Names: NameService {
  func isFree(_ name: String, completion: @escaping @Sendable (Bool) -> Void) {
    DispatchQueue.global().async { completion(name != "ada") }
  }
}

extension Intercepted.Operation where Base: NameService {
  static var isFree: Self { Self("isFree") }
}

extension Intercepted: NameService where Base: NameService {
  func isFree(_ name: String, completion: @escaping @Sendable (Bool) -> Void) {
    interceptCallback(.isFree, name, completion: completion) { base, completion, name in
      base.isFree(name, completion: completion)
    }
  }
}

protocol DraftStore: Sendable {
  func save(_ text: String) throws(AppError)
  func drafts() -> Result<[String], AppError>
}

final class Drafts: DraftStore {
  private let texts = Locked<[String]>([])

  func save(_ text: String) throws(AppError) { texts.withLock { $0.append(text) } }
  func drafts() -> Result<[String], AppError> { .success(texts.withLock(\.self)) }
}

extension Intercepted.Operation where Base: DraftStore {
  static var save: Self { Self("save") }
  static var drafts: Self { Self("drafts") }
}

extension Intercepted: DraftStore where Base: DraftStore {
  func save(_ text: String) throws(AppError) {
    try interceptSynchronously(.save, text, failure: { AppError($0) }) { base, text throws(AppError) in
      try base.save(text)
    }
  }

  func drafts() -> Result<[String], AppError> {
    do throws(AppError) {
      return .success(
        try interceptSynchronously(.drafts, failure: { AppError($0) }) { base throws(AppError) in
          try base.drafts().get()
        }
      )
    } catch {
      return .failure(error)
    }
  }
}

// MARK: - Screens

/// A list of items.
///
/// The wrong one handles only success, so it loads for ever.
@MainActor @Observable final class CatalogModel: LoadingScreen {
  private(set) var items: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?
  private let service: any CatalogService
  private let isRight: Bool

  init(service: any CatalogService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func load() {
    (isLoading, message) = (true, nil)
    service.items { [weak self] result in
      Task { @MainActor in self?.take(result) }
    }
  }

  private func take(_ result: Result<[String], AppError>) {
    switch result {
    case .success(let items): (self.items, isLoading) = (items, false)
    case .failure(let error): if isRight { (message, isLoading) = ("\(error)", false) }
    }
  }
}

extension Screen {
  static let unhandledFailure = Screen(
    "unhandled failure", "A user opens a catalog.", breaks: "loading.ends"
  ) { run, isRight in
    let model = CatalogModel(service: run.intercepted(Catalog(), as: "catalog"), isRight: isRight)
    run.watch(model) { "\($0.isLoading) \($0.items) \($0.message ?? "")" }
    await run.act(on: model) { model.load() }
  }
}

/// A search whose answers arrive in any order.
///
/// The wrong one shows the answer that comes last.
@MainActor @Observable final class CatalogSearchModel: LoadingScreen {
  private(set) var query = ""
  private(set) var results: [String] = []
  private(set) var isLoading = false
  private(set) var message: String?
  private let service: any CatalogService
  private let isRight: Bool

  init(service: any CatalogService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func type(_ query: String) {
    (self.query, results, isLoading, message) = (query, [], true, nil)
    service.results(for: query) { [weak self] results, error in
      DispatchQueue.main.async { self?.take(results, error, of: query) }
    }
  }

  private func take(_ results: [String]?, _ error: (any Error)?, of query: String) {
    if isRight, query != self.query { return }
    isLoading = false
    if let results { self.results = results }
    if let error { message = "\(error)" }
  }
}

extension Screen {
  static let staleCallback = Screen(
    "stale callback", "A user types while results arrive.", breaks: "results.match"
  ) { run, isRight in
    let model = CatalogSearchModel(service: run.intercepted(Catalog(), as: "catalog"), isRight: isRight)
    run.watch(model) { "\($0.query): \($0.results) \($0.message ?? "")" }
    run.interruption("type-b") { model.type("b") }
    run.always("results.match", model) { model in
      model.results.allSatisfy { $0.hasPrefix(model.query) } ? nil : "\(model.query): \(model.results)"
    }
    await run.act(on: model) { model.type("a") }
  }
}

/// A field for a name, which says whether it is free.
///
/// The wrong one shows the answer that comes last.
@MainActor @Observable final class NameModel {
  private(set) var name = ""
  private(set) var isFree: Bool?
  private(set) var isChecking = false
  private let service: any NameService
  private let isRight: Bool

  init(service: any NameService, isRight: Bool) { (self.service, self.isRight) = (service, isRight) }

  func type(_ name: String) {
    (self.name, isFree, isChecking) = (name, nil, true)
    service.isFree(name) { [weak self] isFree in
      DispatchQueue.main.async {
        guard let self, !self.isRight || name == self.name else { return }
        (self.isFree, self.isChecking) = (isFree, false)
      }
    }
  }
}

extension Screen {
  static let staleAnswer = Screen(
    "stale answer", "A user chooses a name.", breaks: "answer.matches"
  ) { run, isRight in
    let model = NameModel(service: run.intercepted(Names(), as: "names"), isRight: isRight)
    run.watch(model) { "\($0.name) \($0.isFree.map { $0 ? "is free" : "is taken" } ?? "is checked")" }
    run.interruption("type-ada") { model.type("ada") }
    run.always("answer.matches", model) { model in
      model.isFree == nil || model.isFree == (model.name != "ada")
        ? nil : "\(model.name): \(model.isFree == true)"
    }
    await run.act { model.type("bob") }
    run.expect("checking.ends", !model.isChecking, "it still checks")
  }
}

/// An editor of a draft.
///
/// The wrong one does not notice that a draft was not saved.
@MainActor @Observable final class DraftModel: LoadingScreen {
  let isLoading = false
  private(set) var message: String?
  private(set) var isSaved = false
  private let store: any DraftStore
  private let isRight: Bool

  init(store: any DraftStore, isRight: Bool) { (self.store, self.isRight) = (store, isRight) }

  func save(_ text: String) {
    message = nil
    if isRight {
      do { try store.save(text) } catch { return message = "\(error)" }
    } else {
      try? store.save(text)
    }
    isSaved = true
  }
}

extension Screen {
  static let ignoredError = Screen("ignored error", "A user saves a draft.", breaks: "saved.is.stored") {
    run, isRight in
    let drafts = Drafts()
    let model = DraftModel(store: run.intercepted(drafts, as: "drafts"), isRight: isRight)
    run.watch(model) { "\($0.isSaved) \($0.message ?? "")" }
    await run.act(on: model) { model.save("Milk") }
    let stored = try drafts.drafts().get()
    run.expect("saved.is.stored", !model.isSaved || stored == ["Milk"], "the store has \(stored)")
  }
}
