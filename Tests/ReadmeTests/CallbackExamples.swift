import Dispatch
import Foundation
import Observation
import Testing
import Understudy
import UnderstudyTesting

// The code of the article Callbacks.

enum PhotoError: Error, Hashable {
  case offline, refused

  init(_ fault: Fault) { self = fault.symptom == .offline ? .offline : .refused }
}

protocol PhotoService: Sendable {
  func likes(_ completion: @escaping @Sendable (Result<Int, PhotoError>) -> Void)
  func photo(_ id: Int, completion: @escaping @Sendable (Data?, (any Error)?) -> Void)
  func remember(_ id: Int) throws(PhotoError)
}

/// Photos in memory.
struct Photos: PhotoService {
  func likes(_ completion: @escaping @Sendable (Result<Int, PhotoError>) -> Void) { completion(.success(3)) }

  func photo(_ id: Int, completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    completion(Data([UInt8(id)]), nil)
  }

  func remember(_ id: Int) throws(PhotoError) {}
}

extension Intercepted.Operation where Base: PhotoService {
  static var likes: Self { Self("likes") }
  static var photo: Self { Self("photo") }
  static var remember: Self { Self("remember") }
}

extension Intercepted: PhotoService where Base: PhotoService {
  func likes(_ completion: @escaping @Sendable (Result<Int, PhotoError>) -> Void) {
    interceptCallback(.likes, failure: { .failure(PhotoError($0)) }, completion: completion) {
      base, completion in
      base.likes(completion)
    }
  }

  func photo(_ id: Int, completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    interceptCallback(
      .photo, id, failure: { (nil, PhotoError($0)) }, completion: { completion($0.0, $0.1) }
    ) { base, completion, id in
      base.photo(id) { completion(($0, $1)) }
    }
  }

  func remember(_ id: Int) throws(PhotoError) {
    try interceptSynchronously(.remember, id, failure: PhotoError.init) { base, id throws(PhotoError) in
      try base.remember(id)
    }
  }
}

/// A screen of a photo.
@MainActor @Observable final class PhotoViewModel {
  private(set) var photo: Data?
  private(set) var isLoading = false
  private(set) var message: String?
  private var id = 0
  private let service: any PhotoService

  init(service: any PhotoService) { self.service = service }

  func show(_ id: Int) {
    (self.id, photo, message, isLoading) = (id, nil, nil, true)
    service.photo(id) { [weak self] data, error in
      Task { @MainActor in self?.take(data, error, of: id) }
    }
  }

  private func take(_ data: Data?, _ error: (any Error)?, of id: Int) {
    guard id == self.id else { return }
    (photo, message, isLoading) = (data, error.map { "\($0)" }, false)
  }
}

extension Scenario {
  static var photos: Scenario {
    Scenario("photos", "A user looks at two photos.") { run in
      let model = PhotoViewModel(service: run.intercepted(Photos(), as: "photos"))
      run.watch(model) { "\($0.isLoading) \($0.photo?.count ?? 0) \($0.message ?? "")" }
      run.interruption("next") { model.show(2) }
      let failures = await run.failures { await run.act { model.show(1) } }
      run.expect("loading.ends", !model.isLoading, "the photo still loads")
      run.expect(
        "errors.shown", failures.match(isShown: model.message != nil),
        "the message is \(model.message ?? "missing") after \(failures)")
    }
  }
}

@Suite(.stallLimit()) struct CallbackExamples {
  @MainActor @Test func theFirstPhotoArrivesAfterTheSecond() async throws {
    let gate = Gate<Photos>(.photo)
    let model = PhotoViewModel(service: Intercepted(Photos(), by: .gate(gate)))
    model.show(1)
    model.show(2)
    let (first, second) = (try await gate.next(), try await gate.next())
    second.proceed()
    first.proceed()
    let shown = StateTimeline(of: model) { $0.photo }
    try await shown.wait { $0 == Data([2]) }
  }

  @Test func theCallIsSlow() async {
    let photos = Intercepted(Photos(), by: .faults(.on(.photo, .offline)), .callbacks(on: .global()))
    let error = await withCheckedContinuation { answer in
      photos.photo(1) { _, error in answer.resume(returning: error as? PhotoError) }
    }
    #expect(error == .offline)
  }

  @Test func aStoreThrows() {
    let photos = Intercepted(Photos(), by: .faults(.on(.remember, call: 1, .forbidden)))
    #expect(throws: PhotoError.refused) { try photos.remember(1) }
  }

  @Test(arguments: [Scenario.photos]) func survives(_ scenario: Scenario) async throws {
    try await scenario.sweep()
  }
}
