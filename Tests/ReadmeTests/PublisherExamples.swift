#if canImport(Combine)
  import Combine
  import Dispatch
  import Observation
  import Testing
  import Understudy
  import UnderstudyTesting

  // The code of the article Publishers.

  enum ShopError: Error, Hashable {
    case offline, refused

    init(_ fault: Fault) { self = fault.symptom == .offline ? .offline : .refused }
  }

  protocol ShopService: Sendable {
    func items() -> AnyPublisher<[String], ShopError>
    var isOpen: AnyPublisher<Bool, Never> { get }
  }

  /// A shop in memory.
  struct Shop: ShopService {
    func items() -> AnyPublisher<[String], ShopError> {
      Just(["Milk"]).setFailureType(to: ShopError.self).eraseToAnyPublisher()
    }

    var isOpen: AnyPublisher<Bool, Never> { Just(true).eraseToAnyPublisher() }
  }

  extension Intercepted.Operation where Base: ShopService {
    static var items: Self { Self("items") }
    static var isOpen: Self { Self("isOpen") }
  }

  extension Intercepted: ShopService where Base: ShopService {
    func items() -> AnyPublisher<[String], ShopError> {
      interceptPublisher(.items, failure: { ShopError($0) }) { base in base.items() }
    }

    var isOpen: AnyPublisher<Bool, Never> {
      interceptPublisher(.isOpen) { base in base.isOpen }
    }
  }

  @MainActor @Observable final class ShopModel {
    private(set) var items: [String] = []
    private(set) var isLoading = false
    private(set) var message: String?
    private let service: any ShopService
    @ObservationIgnored private var subscription: AnyCancellable?

    init(service: any ShopService) { self.service = service }

    func load() {
      (isLoading, message) = (true, nil)
      subscription = service.items().receive(on: DispatchQueue.main).sink { [weak self] completion in
        MainActor.assumeIsolated {
          self?.isLoading = false
          if case .failure(let error) = completion { self?.message = "\(error)" }
        }
      } receiveValue: { [weak self] items in
        MainActor.assumeIsolated { self?.items = items }
      }
    }
  }

  struct PublisherExamples {
    @Test func theScreenShowsEveryFailure() async throws {
      let scenario = Scenario("opening a shop", "A user opens a shop.") { run in
        let model = ShopModel(service: run.intercepted(Shop(), as: "shop"))
        let failures = await run.act { model.load() }
        run.expect("loading.ends", !model.isLoading, "it still loads")
        run.expect("errors.shown", failures.match(isShown: model.message != nil), "\(failures)")
      }
      try await scenario.sweep()
    }
  }
#endif
