import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A URLProtocol that sends a session's requests to a transport.
///
/// Its subclasses belong to the slots.
class TransportProtocol: URLProtocol {
  private var line: ClientLine?
  private var loading: Task<Void, Never>?
  #if canImport(FoundationNetworking)
    private var received = Data()
    private var chunkCount = 0
  #endif

  /// Accepts every request, whatever its scheme, so that none reaches the network.
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  /// The transport of the request; `nil` if it is no longer installed.
  var content: URLProtocolSlot.Content? { URLProtocolSlot.content(of: type(of: self)) }

  override func startLoading() {
    let line = ClientLine(at: ClientPlace(of: task)) { self.tell($0) }
    self.line = line
    #if canImport(FoundationNetworking)
      (received, chunkCount) = (Data(), 0)
    #endif
    let request = request
    guard let content else {
      return line.send(
        .failure(
          URLError(
            TransportError(.unknown, "The transport of this session is no longer installed."),
            for: request.url)))
    }
    if let refusal = Self.refusal(of: task, request) { return line.send(.failure(refusal)) }
    let body = RequestBody(of: request, task)
    loading = Task { await URLProtocolLoad(request: request, body: body, content: content).run(line) }
  }

  override func stopLoading() {
    line?.cut()
    line = nil
    // On another queue: on Linux this is the queue of every URLSession, and cancelling another task would wait for it.
    if let loading { DispatchQueue.global().async { loading.cancel() } }
    loading = nil
  }

  // MARK: Events to the session

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

    /// Releases the client.
    ///
    /// A task that is cancelled later would otherwise notify it again, which crashes the process if the session no
    /// longer knows the task.
    private func leave() {
      client = nil
      line = nil
    }

    /// A protocol for the same task whose last chunk is the whole body.
    ///
    /// A completion handler receives only the last loaded chunk, but a delegate receives all of them. The whole body is
    /// therefore loaded for a task without a delegate.
    private func withWholeBody() -> URLProtocol {
      let whole = URLProtocol(request: request, cachedResponse: nil, client: client)
      whole.task = UnstartedTask.task
      client?.urlProtocol(whole, didLoad: received)
      whole.task = task
      return whole
    }

    private static func refusal(of task: URLSessionTask?, _ request: URLRequest) -> URLError? {
      let remedy =
        switch task {
        case is URLSessionDownloadTask:
          "Use data(for:) in place of a download."
        case is URLSessionWebSocketTask: "Use a WebSocketTransport in place of a WebSocket task."
        default: nil as String?
        }
      guard let remedy else { return nil }
      return URLError(
        .unsupportedURL, for: request.url,
        "A URLProtocol on Linux does not support this kind of task. \(remedy)")
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
