import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegate of a session, which passes events to their exchange.
final class URLSessionExchanges: NSObject, URLSessionDataDelegate, Sendable {
  private let followsRedirects: Bool
  private let running = Guarded<[Int: URLSessionExchange]>([:])
  /// The queue on which tasks are started and cancelled.
  ///
  /// On Linux, both calls wait for the session's queue, which a fast response keeps busy for seconds.
  private let calls = DispatchQueue(label: "URLSession calls")

  init(followsRedirects: Bool) {
    self.followsRedirects = followsRedirects
  }

  /// Starts a task; its exchange is kept until the task is complete.
  func start(_ task: URLSessionDataTask) -> URLSessionExchange {
    let exchange = URLSessionExchange(task, calls: calls)
    running.withLock { $0[task.taskIdentifier] = exchange }
    calls.async {
      #if canImport(FoundationNetworking)
        LoaderWitness.$starting.withValue(exchange) { task.resume() }
      #else
        task.resume()
      #endif
    }
    return exchange
  }

  private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
    running.withLock { $0[task.taskIdentifier] }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping URLSession.DispositionHandler
  ) {
    if let response = response as? HTTPURLResponse { exchange(of: dataTask)?.receive(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(of: dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(followsRedirects ? request : nil)
  }

  #if canImport(FoundationNetworking)
    /// Handles a 401 with a Basic or Digest challenge as an ordinary answer.
    ///
    /// On Linux the challenge comes after the body, in place of the completion. Every response to it except a password
    /// leaves the task waiting forever (swift-corelibs-foundation #5456). The exchange and the task are therefore ended
    /// here.
    func urlSession(
      _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
      completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
      running.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(nil)
      calls.async { task.cancel() }
    }
  #endif

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    running.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
  }
}

#if canImport(FoundationNetworking)
  /// A protocol that loads nothing.
  ///
  /// Foundation asks it when a task that is resumed creates the object that loads it: on the same thread, as the task's
  /// queue, and before the first event.
  final class LoaderWitness: URLProtocol {
    @TaskLocal static var starting: URLSessionExchange?

    override class func canInit(with request: URLRequest) -> Bool {
      starting?.keepLoader()
      return false
    }
  }

  extension URLSessionConfiguration {
    /// A copy with a ``LoaderWitness``; the same configuration if it has a cache or protocols of its own, which change
    /// tasks on other threads than those of their queues.
    var withLoaderWitness: URLSessionConfiguration {
      guard urlCache == nil, let protocols = protocolClasses,
        protocols.allSatisfy({ String(reflecting: $0).hasPrefix("FoundationNetworking.") }),
        let copy = copy() as? URLSessionConfiguration
      else { return self }
      copy.protocolClasses = [LoaderWitness.self] + protocols
      return copy
    }
  }
#endif
