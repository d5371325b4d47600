// Calls that answer to a function of the caller, as protocols had before there was `async`, and still have.

import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

enum LoadError: Error {
  case offline
  case underlying(any Error)
}

struct Picture: Sendable {
  let name: String
}

class Album {
  var pictures: [Picture] = []
}

// generated
// logged: cancel
protocol Cancellable: AnyObject {
  func cancel()
}

typealias Completion<Value> = (Result<Value, LoadError>) -> Void
typealias PictureHandler = (Picture?, Error?) -> Void

// generated
protocol CompletesWithResult: Sendable {
  func pictures(completion: @escaping @Sendable (Result<[Picture], LoadError>) -> Void)
  func delete(_ name: String, _ completion: @escaping @Sendable (Result<Void, LoadError>) -> Void)
}

// generated --failure LoadError.init
protocol CompletesWithAnyError {
  func pictures(completion: @escaping (Result<[Picture], Error>) -> Void)
  func delete(_ name: String, completion: @escaping (Swift.Result<Void, Swift.Error>) -> Void)
}

// generated
protocol CompletesWithFoundationError {
  func data(at url: URL, completion: @escaping (Result<Data, URLError>) -> Void)
}

// generated --failure LoadError.init
protocol CompletesWithValueAndError {
  func picture(named name: String, completion: @escaping (Picture?, Error?) -> Void)
  func pictures(completionHandler: @escaping ([Picture]?, NSError?) -> Void)
}

// generated
protocol CompletesWithValueAndTypedError {
  func picture(named name: String, completion: @escaping (_ picture: Picture?, _ error: LoadError?) -> Void)
}

// generated --failure LoadError.init
protocol CompletesWithThreeValues {
  func data(at url: URL, completion: @escaping (Data?, HTTPURLResponse?, Error?) -> Void)
  func file(
    at url: URL,
    completion: @escaping @Sendable (_ place: URL?, _ response: URLResponse?, _ error: (any Error)?) -> Void)
}

// generated --failure LoadError.init
protocol CompletesWithErrorOnly {
  func save(_ picture: Picture, completion: @escaping (Error?) -> Void)
}

// generated --failure LoadError.init
protocol CompletesWithSuccess {
  func save(_ picture: Picture, completion: @escaping (Bool, Error?) -> Void)
}

// generated --failure LoadError.init
protocol CompletesApart {
  func picture(
    named name: String, success: @escaping (Picture) -> Void, failure: @escaping (Error) -> Void)
  func save(onSuccess: @escaping () -> Void, onFailure: @escaping (LoadError) -> Void)
}

// generated --failure LoadError.init
protocol CompletesOptionally {
  func save(_ picture: Picture, completion: ((Result<Void, LoadError>) -> Void)?)
  func remove(_ picture: Picture, completion: ((Error?) -> Void)?)
  func share(_ picture: Picture, completion: (@Sendable (Bool, (any Error)?) -> Void)?)
}

// generated
protocol CompletesOnMainActor: Sendable {
  func pictures(completion: @escaping @MainActor (Result<[Picture], LoadError>) -> Void)
  func delete(_ name: String, completion: @escaping @MainActor @Sendable (LoadError?) -> Void)
}

// generated
protocol CompletesWithoutSending {
  func album(named name: String, completion: @escaping (Result<Album, LoadError>) -> Void)
  func fill(_ album: Album, completion: @escaping (LoadError?) -> Void)
}

// generated --failure LoadError.init
protocol CompletesAndReturnsTask {
  func data(at url: URL, completion: @escaping @Sendable (Data?, URLResponse?, Error?) -> Void)
    -> URLSessionDataTask
  @discardableResult
  func picture(at url: URL, completion: @escaping (Result<Picture, LoadError>) -> Void) -> URLSessionTask?
}

// generated
protocol CompletesAndReturnsCancellable {
  @discardableResult
  func pictures(completion: @escaping (Result<[Picture], LoadError>) -> Void) -> any Cancellable
  func search(_ text: String, completion: @escaping (Result<[Picture], LoadError>) -> Void) -> Progress
}

// generated
protocol CompletesAndReturnsCancellableOrNil {
  func pictures(completion: @escaping (Result<[Picture], LoadError>) -> Void) -> Cancellable?
}

// generated --failure LoadError.init
protocol CompletesWithAlias {
  typealias Handler = (Result<Picture, LoadError>) -> Void
  func picture(named name: String, completion: @escaping Handler)
  func pictures(completion: @escaping Completion<[Picture]>)
  func latest(completion: @escaping PictureHandler)
  func oldest(completion: PictureHandler?)
}

// generated
// logged: observe
// delayed: picture, stop, size, isReady, prepare
protocol CompletesWithoutError {
  func picture(named name: String, completion: @escaping (Picture?) -> Void)
  func stop(onCompletion: @escaping () -> Void)
  func size(callback: (@Sendable (_ width: Int, _ height: Int) -> Void)?)
  @discardableResult
  func isReady(_ done: @escaping @MainActor (Bool) -> Void) -> (any Cancellable)?
  @MainActor func prepare(_ name: String, completionHandler: @escaping (Album) -> Void)
  func observe(_ handler: @escaping @Sendable (Int) -> Void)
}

// generated
protocol CompletesWithProgress {
  func upload(
    _ picture: Picture, progress: @escaping (Double) -> Void,
    completion: @escaping (Result<URL, LoadError>) -> Void)
}

// generated
protocol CompletesOnQueue {
  func pictures(on queue: DispatchQueue, completion: @escaping (Result<[Picture], LoadError>) -> Void)
}

// generated
protocol CompletesGenerically {
  func load<Value: Decodable & Sendable>(
    _ type: Value.Type, completion: @escaping @Sendable (Result<Value, LoadError>) -> Void)
}

// generated --failure LoadError.init
protocol CompletesWithTuple: AnyObject {
  func size(completion: @escaping (Result<(width: Int, height: Int), Error>) -> Void)
}

// generated
// logged: isSignedIn, signOut
@MainActor protocol CompletesInMainActorProtocol: AnyObject {
  var isSignedIn: Bool { get }
  func signIn(completion: @escaping (Result<String, LoadError>) -> Void)
  func signOut()
}

// generated
// logged: picture
protocol CompletesWithThrowingFunction {
  func picture(completion: @escaping (() throws -> Picture) -> Void)
}

// generated --failure LoadError.init
protocol CompletesBesideAsync: Sendable {
  func pictures(completion: @escaping @Sendable (Result<[Picture], any Error>) -> Void)
  func pictures() async throws -> [Picture]
}
