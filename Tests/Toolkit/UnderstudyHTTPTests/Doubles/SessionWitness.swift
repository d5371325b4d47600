import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of a session, which reports the events that it receives.
final class SessionWitness: NSObject, URLSessionDataDelegate, Sendable {
  enum Event: Hashable, Sendable {
    case status(Int)
    case chunk(String)
    case end(URLError.Code?)
    case challenge
  }

  private let told = AsyncStream<Event>.makeStream()

  /// The events up to the end of a task; read by one loop.
  var events: AsyncStream<Event> { told.stream }

  // The platforms declare this parameter differently, and a method that does not match is never called.
  #if canImport(Darwin)
    typealias Disposition = @Sendable (URLSession.ResponseDisposition) -> Void
  #else
    typealias Disposition = (URLSession.ResponseDisposition) -> Void
  #endif

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping Disposition
  ) {
    told.continuation.yield(.status((response as? HTTPURLResponse)?.statusCode ?? 0))
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    told.continuation.yield(.chunk(String(decoding: data, as: UTF8.self)))
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    told.continuation.yield(.end((error as? URLError)?.code))
    told.continuation.finish()
  }

  #if canImport(FoundationNetworking)
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      told.continuation.yield(.challenge)
      completionHandler(.useCredential, URLCredential(user: "a", password: "b", persistence: .none))
    }
  #endif
}
