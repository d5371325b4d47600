// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary
// A network for the sessions of URLLoading.swift. What Apple's loading system does with it, and Linux's does not, is done
// here as reports describe it; each place names its source.

import Dispatch
public import Foundation

/// The servers: one for each host.
public final class FakeNetwork: @unchecked Sendable {
  public enum Event: Sendable {
    case head(Int, [String: String])
    case bytes(Data)
    case failure(NSError)
  }

  private static let shared = FakeNetwork()
  private let lock = NSLock()
  private var answers: [String: [Event]] = [:]
  private var foundMisuses: [String] = []

  /// Sets what a host sends; a list without a failure ends the response.
  public static func serve(_ host: String, _ events: [Event]) {
    shared.lock.withLock { shared.answers[host] = events }
  }

  /// What Apple's loading system might crash on.
  public static var misuses: [String] { shared.lock.withLock { shared.foundMisuses } }

  static func misuse(_ text: String) { shared.lock.withLock { shared.foundMisuses.append(text) } }

  static func events(for request: URLRequest) -> [Event] {
    // Since iOS 13 (Proxyman #614).
    if request.httpMethod == "GET", request.httpBody != nil || request.httpBodyStream != nil {
      return [.failure(NSError(domain: NSURLErrorDomain, code: NSURLErrorDataLengthExceedsMaximum))]
    }
    return shared.lock.withLock { shared.answers[request.url?.host() ?? ""] ?? [] }
  }

  static func failure(of request: URLRequest?) -> NSError {
    for case .failure(let error) in request.map(events(for:)) ?? [] { return error }
    return NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled)
  }
}

final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count = 0

  func next() -> Int {
    lock.withLock {
      count += 1
      return count
    }
  }
}

/// The state of a task; it is changed on the delegate's queue, and read elsewhere.
final class TaskState: @unchecked Sendable {
  private let lock = NSLock()
  private var values = Values()

  struct Values {
    var response: URLResponse?
    var delegate: (any URLSessionTaskDelegate)?
    var body = Data()
    var waiter: CheckedContinuation<(Data, URLResponse), any Error>?
    var loading: (protocol: URLProtocol, client: FakeClient)?
    var isOver = false
  }

  func change<Result>(_ body: (inout Values) -> Result) -> Result { lock.withLock { body(&values) } }

  var response: URLResponse? { change { $0.response } }
  var delegate: (any URLSessionTaskDelegate)? {
    get { change { $0.delegate } }
    set { change { $0.delegate = newValue } }
  }
}

extension URLSession {
  /// An upload, whose bytes a URLProtocol sees as a stream.
  func upload(_ request: URLRequest, _ body: Data) -> URLSessionUploadTask {
    var request = request
    if !body.isEmpty { request.httpBodyStream = InputStream(data: body) }
    return URLSessionUploadTask(self, request, expected: Int64(body.count))
  }
}

extension URLSessionTask {
  func result() async throws -> (Data, URLResponse) {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { waiter in
        record.change { $0.waiter = waiter }
        resume()
      }
    } onCancel: {
      cancel()
    }
  }

  func load() {
    guard let request = originalRequest else { return }
    let classes = (session.configuration.protocolClasses ?? []).compactMap { $0 as? URLProtocol.Type }
    if let chosen = classes.first(where: { $0.canInit(with: request) }) {
      return ClientThread.shared.perform {
        let client = FakeClient(self)
        let loading = chosen.init(request: request, cachedResponse: nil, client: client)
        loading.task = self
        let isOver = self.record.change { state in
          state.loading = (loading, client)
          return state.isOver
        }
        if !isOver { loading.startLoading() }
      }
    }
    var held: [FakeNetwork.Event]? = []
    for event in FakeNetwork.events(for: request) {
      if case .head(_, let fields) = event, !Self.isSniffed(request, fields) { held = nil }
      held?.append(event)
      if Self.bytes(held ?? []) >= 512 {
        for event in held ?? [] { receive(event) }
        held = nil
      } else if held == nil {
        receive(event)
      } else if case .failure = event {
        receive(event)
      }
    }
    for event in held ?? [] { receive(event) }
    end(nil)
  }

  /// Whether the loading system waits for 512 bytes, to find out the type of a body (expo #32950, Apple's forum 64875).
  private static func isSniffed(_ request: URLRequest, _ fields: [String: String]) -> Bool {
    let type = fields["Content-Type"]?.prefix { $0 != ";" }
    return request.isSniffed && fields["X-Content-Type-Options"] != "nosniff"
      && [nil, "text/plain", "text/html"].contains(type)
  }

  private static func bytes(_ events: [FakeNetwork.Event]) -> Int {
    events.reduce(0) { count, event in
      if case .bytes(let bytes) = event { count + bytes.count } else { count }
    }
  }

  private func receive(_ event: FakeNetwork.Event) {
    switch event {
    case .head(let status, let fields):
      guard let url = originalRequest?.url,
        let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)
      else { return }
      receive(head)
    case .bytes(let bytes): receive(bytes)
    case .failure(let error): end(error)
    }
  }

  func receive(_ head: URLResponse) {
    record.change { $0.response = head }
    guard let task = self as? URLSessionDataTask else { return }
    let delegate = session.delegate as? any URLSessionDataDelegate
    session.queue.async {
      delegate?.urlSession(self.session, dataTask: task, didReceive: head) { _ in }
    }
  }

  func receive(_ bytes: Data) {
    record.change { $0.body += bytes }
    guard let task = self as? URLSessionDataTask else { return }
    let delegate = session.delegate as? any URLSessionDataDelegate
    session.queue.async { delegate?.urlSession(self.session, dataTask: task, didReceive: bytes) }
  }

  func end(_ error: (any Error)?) {
    let (isFirst, waiter, loading, body, response) = record.change { state in
      defer { (state.isOver, state.waiter, state.loading) = (true, nil, nil) }
      return (!state.isOver, state.waiter, state.loading, state.body, state.response)
    }
    guard isFirst else { return }
    if let loading {
      ClientThread.shared.perform {
        loading.protocol.stopLoading()
        loading.client.isStopped = true
      }
    }
    if let waiter {
      if let error {
        waiter.resume(throwing: error)
      } else if let response {
        waiter.resume(returning: (body, response))
      }
    }
    let delegate = session.delegate as? any URLSessionTaskDelegate
    session.queue.async { delegate?.urlSession(self.session, task: self, didCompleteWithError: error) }
  }
}

/// The client of a protocol, which must be called on the thread that started the protocol (the sample CustomHTTPProtocol).
final class FakeClient: NSObject, URLProtocolClient {
  private let task: URLSessionTask
  /// It is used on the thread of protocols only.
  var isStopped = false

  init(_ task: URLSessionTask) {
    self.task = task
  }

  private func check(_ name: String) {
    if !ClientThread.shared.isCurrent { FakeNetwork.misuse("\(name) is called on another thread") }
    if isStopped { FakeNetwork.misuse("\(name) is called after stopLoading") }
  }

  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy
  ) {
    check("didReceive")
    task.receive(response)
  }
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data) {
    check("didLoad")
    task.receive(data)
  }
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol) {
    check("didFinishLoading")
    task.end(nil)
  }
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error) {
    check("didFail")
    task.end(error)
  }
}

/// The thread on which the loading system starts protocols, which has a run loop.
private final class ClientThread: Sendable {
  static let shared = ClientThread()
  private let loop = CFRunLoop()

  private init() {
    let loop = loop
    Thread.detachNewThread {
      Thread.current.threadDictionary["loop"] = loop
      loop.run()
    }
  }

  var isCurrent: Bool { Thread.current.threadDictionary["loop"] as AnyObject === loop }

  func perform(_ work: @escaping () -> Void) {
    CFRunLoopPerformBlock(loop, CFRunLoopMode.defaultMode.rawValue, work)
    CFRunLoopWakeUp(loop)
  }
}

// MARK: - Run loops

public typealias CFString = NSString
public typealias CFArray = NSArray

/// <https://developer.apple.com/documentation/corefoundation/cfrunloopmode>
public struct CFRunLoopMode: RawRepresentable, Hashable, @unchecked Sendable {
  public let rawValue: CFString
  public init(rawValue: CFString) { self.rawValue = rawValue }
  public static let defaultMode = CFRunLoopMode(rawValue: NSString(string: "kCFRunLoopDefaultMode"))
}

/// <https://developer.apple.com/documentation/corefoundation/cfrunloop>
///
/// It performs the blocks of its mode when it is woken up, and sleeps otherwise.
public final class CFRunLoop: @unchecked Sendable {
  private let condition = NSCondition()
  private var blocks: [(modes: [NSString], block: () -> Void)] = []
  private var isAwake = false

  fileprivate func add(_ modes: [NSString], _ block: @escaping () -> Void) {
    condition.withLock { blocks.append((modes, block)) }
  }

  fileprivate func wakeUp() {
    condition.withLock { isAwake = true }
    condition.signal()
  }

  fileprivate func run() -> Never {
    while true {
      let due = condition.withLock {
        while !isAwake { condition.wait() }
        isAwake = false
        let mode = CFRunLoopMode.defaultMode.rawValue
        defer { blocks.removeAll { $0.modes.contains(mode) } }
        return blocks.filter { $0.modes.contains(mode) }
      }
      for one in due { one.block() }
    }
  }
}

public func CFRunLoopGetCurrent() -> CFRunLoop! {
  Thread.current.threadDictionary["loop"] as? CFRunLoop ?? CFRunLoop()
}
public func CFRunLoopCopyCurrentMode(_ rl: CFRunLoop!) -> CFRunLoopMode! {
  Thread.current.threadDictionary["loop"] == nil ? nil : .defaultMode
}
public func CFRunLoopPerformBlock(_ rl: CFRunLoop!, _ mode: AnyObject!, _ block: (() -> Void)!) {
  if let modes = mode as? NSArray { rl.add(modes.compactMap { $0 as? NSString }, block) }
  if let mode = mode as? NSString { rl.add([mode], block) }
}
public func CFRunLoopWakeUp(_ rl: CFRunLoop!) { rl.wakeUp() }
