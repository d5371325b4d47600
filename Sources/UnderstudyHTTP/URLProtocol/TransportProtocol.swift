import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks a transport for what a session wants, and tells the session what comes of it.
///
/// Its subclasses are those of the slots.
class TransportProtocol: URLProtocol {
  private var line: ClientLine?
  private var loading: Task<Void, Never>?
  #if canImport(FoundationNetworking)
    private var received = Data()
    private var chunkCount = 0
  #endif

  /// Every request, whatever its scheme: none must get to the network.
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    let line = ClientLine(for: task)
    self.line = line
    #if canImport(FoundationNetworking)
      (received, chunkCount) = (Data(), 0)
    #endif
    line.listen { self.tell($0) }
    let request = request
    guard let content = URLProtocolSlot.content(of: type(of: self)) else {
      return line.send(
        .failure(
          URLError(
            TransportError(.unknown, "The configuration of this session is gone, and its transport with it."),
            for: request.url)))
    }
    if let refusal = Self.refusal(of: task, request) { return line.send(.failure(refusal)) }
    let body = RequestBody(of: request, task)
    loading = Task { await URLProtocolLoad(request: request, body: body, content: content).run(line) }
  }

  override func stopLoading() {
    line?.cut()
    line = nil
    // Elsewhere, because this is the queue of every URLSession on Linux, for which cancelling another task would wait.
    if let loading { DispatchQueue.global().async { loading.cancel() } }
    loading = nil
  }

  // MARK: What the session is told

  #if canImport(FoundationNetworking)
    private func tell(_ event: URLProtocolEvent) {
      switch event {
      case .head(let response):
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      case .chunk(let chunk):
        client?.urlProtocol(self, didLoad: chunk)
        received.append(chunk)
        chunkCount += 1
      case .end:
        client?.urlProtocolDidFinishLoading(chunkCount < 2 ? self : withWholeBody())
        leave()
      case .failure(let error):
        client?.urlProtocol(self, didFailWithError: error)
        leave()
      }
    }

    /// A task that is cancelled now would tell the client once more, which stops the process when the task is known no
    /// longer.
    private func leave() {
      client = nil
      line = nil
    }

    /// A protocol for the same task that has all chunks as one.
    ///
    /// A completion handler gets what the protocol loaded last, a delegate everything that it loads. So the whole body
    /// is loaded for a task that nobody listens to.
    private func withWholeBody() -> URLProtocol {
      let whole = URLProtocol(request: request, cachedResponse: nil, client: client)
      whole.task = DeafTask.task
      client?.urlProtocol(whole, didLoad: received)
      whole.task = task
      return whole
    }

    private static func refusal(of task: URLSessionTask?, _ request: URLRequest) -> URLError? {
      let kind =
        switch task {
        case is URLSessionDownloadTask:
          "A download task, whose file Foundation would look for in vain: use data(for:)."
        case is URLSessionWebSocketTask: "A WebSocket task: use a WebSocketTransport."
        default: nil as String?
        }
      guard let kind else { return nil }
      return URLError(
        .unsupportedURL, for: request.url,
        "No URLProtocol on Linux can serve this task. \(kind)")
    }
  #else
    private func tell(_ event: URLProtocolEvent) {
      switch event {
      case .head(let response):
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      case .chunk(let chunk): client?.urlProtocol(self, didLoad: chunk)
      case .end: client?.urlProtocolDidFinishLoading(self)
      case .failure(let error): client?.urlProtocol(self, didFailWithError: error)
      }
    }

    private static func refusal(of task: URLSessionTask?, _ request: URLRequest) -> URLError? { nil }
  #endif
}
