// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary, NoLeadingUnderscores
// Apple's Foundation contains the URL loading system, which on Linux is a module of its own with other declarations.
// These are Apple's, as far as the package uses them, for .ci/apple. The rest of Foundation is that of Linux, whose
// newer part is the same source.
//
// https://developer.apple.com/documentation/foundation/url-loading-system; availability and the sendability of classes,
// delegates and completion handlers as in NSURLSession.h, NSURLProtocol.h, NSURLRequest.h, NSURLResponse.h and
// NSURLCache.h of macOS 15's SDK. A method that is optional for a delegate has a default implementation here, so the
// compiler still warns about one that nearly matches.
//
// What the checks in ../Checks run does what Apple's is known to do, with the network of FakeNetwork.swift; the rest traps.

@_exported public import Foundation
@_exported public import ObjectiveC

// MARK: - Requests and responses

/// <https://developer.apple.com/documentation/foundation/urlrequest>
///
/// It is unchecked because of the stream, as Apple's is.
public struct URLRequest: Hashable, @unchecked Sendable, _ObjectiveCBridgeable {
  public typealias CachePolicy = NSURLRequest.CachePolicy

  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0
  ) {
    self.url = url
    self.cachePolicy = cachePolicy
    self.timeoutInterval = timeoutInterval
  }

  public var url: URL?
  public var cachePolicy: CachePolicy
  public var timeoutInterval: TimeInterval
  public var httpMethod: String? = "GET"
  public var allHTTPHeaderFields: [String: String]?
  public var httpBody: Data?
  public var httpBodyStream: InputStream?
  public var httpShouldHandleCookies = true
  var isSniffed = true

  public func value(forHTTPHeaderField field: String) -> String? {
    allHTTPHeaderFields?.first { $0.key.lowercased() == field.lowercased() }?.value
  }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
    allHTTPHeaderFields = (allHTTPHeaderFields ?? [:]).filter { $0.key.lowercased() != field.lowercased() }
    allHTTPHeaderFields?[field] = value
  }
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {
    setValue(
      self.value(forHTTPHeaderField: field).map { "\($0),\(value)" } ?? value, forHTTPHeaderField: field)
  }

  public func _bridgeToObjectiveC() -> NSURLRequest { NSURLRequest(self) }
  public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) {
    result = source.request
  }
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSURLRequest, result: inout URLRequest?
  ) -> Bool {
    result = source.request
    return true
  }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest {
    guard let source else { fatalError() }
    return source.request
  }
}

/// <https://developer.apple.com/documentation/foundation/nsurlrequest>
open class NSURLRequest: Foundation.NSObject {
  public enum CachePolicy: UInt, Sendable {
    case useProtocolCachePolicy = 0
    case reloadIgnoringLocalCacheData = 1
    case returnCacheDataElseLoad = 2
    case returnCacheDataDontLoad = 3
    case reloadIgnoringLocalAndRemoteCacheData = 4
    case reloadRevalidatingCacheData = 5
  }

  var request: URLRequest

  init(_ request: URLRequest) {
    self.request = request
  }

  override open func copy() -> Any { NSURLRequest(request) }
  override open func mutableCopy() -> Any { NSMutableURLRequest(request) }
}

/// <https://developer.apple.com/documentation/foundation/nsmutableurlrequest>
open class NSMutableURLRequest: NSURLRequest {}

/// <https://developer.apple.com/documentation/foundation/urlresponse>
open class URLResponse: Foundation.NSObject, @unchecked Sendable {
  open var url: URL? { nil }
  open var mimeType: String? { fatalError() }
  open var expectedContentLength: Int64 { fatalError() }
}

/// <https://developer.apple.com/documentation/foundation/httpurlresponse>
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  private let address: URL
  private let fields: [String: String]

  public init?(url: URL, statusCode: Int, httpVersion HTTPVersion: String?, headerFields: [String: String]?) {
    address = url
    self.statusCode = statusCode
    fields = headerFields ?? [:]
  }

  override open var url: URL? { address }
  public let statusCode: Int
  open var allHeaderFields: [AnyHashable: Any] { fields }
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
  open func value(forHTTPHeaderField field: String) -> String? {
    fields.first { $0.key.lowercased() == field.lowercased() }?.value
  }
}

/// <https://developer.apple.com/documentation/foundation/cachedurlresponse>
open class CachedURLResponse: Foundation.NSObject, @unchecked Sendable {}

/// <https://developer.apple.com/documentation/foundation/urlcache>
open class URLCache: Foundation.NSObject, @unchecked Sendable {
  open class var shared: URLCache {
    get { fatalError() }
    set {}
  }

  public enum StoragePolicy: UInt, Sendable {
    case allowed = 0
    case allowedInMemoryOnly = 1
    case notAllowed = 2
  }
}

/// <https://developer.apple.com/documentation/foundation/urlcredentialstorage>
open class URLCredentialStorage: Foundation.NSObject, @unchecked Sendable {}

/// <https://developer.apple.com/documentation/foundation/httpcookiestorage>
open class HTTPCookieStorage: Foundation.NSObject, @unchecked Sendable {
  open class var shared: HTTPCookieStorage { fatalError() }
}

/// <https://developer.apple.com/documentation/foundation/urlerror>
extension URLError {
  @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, visionOS 1.0, *)
  public var failingURLString: String? { fatalError() }
}

// MARK: - Sessions

/// <https://developer.apple.com/documentation/foundation/urlsession>
open class URLSession: Foundation.NSObject, @unchecked Sendable {
  open class var shared: URLSession { fatalError() }

  /// A copy of the configuration, with those proxies only that Apple documents.
  public let configuration: URLSessionConfiguration
  let delegate: (any URLSessionDelegate)?
  let queue = DispatchQueue(label: "delegate")

  public convenience init(configuration: URLSessionConfiguration) {
    self.init(configuration: configuration, delegate: nil, delegateQueue: nil)
  }
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue queue: OperationQueue?
  ) {
    self.configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
    self.configuration.connectionProxyDictionary = nil
    self.delegate = delegate
  }

  open func finishTasksAndInvalidate() {}
  open func invalidateAndCancel() {}

  open func dataTask(with request: URLRequest) -> URLSessionDataTask { URLSessionDataTask(self, request) }
  open func dataTask(with url: URL) -> URLSessionDataTask { dataTask(with: URLRequest(url: url)) }
  open func uploadTask(with request: URLRequest, from bodyData: Data) -> URLSessionUploadTask {
    upload(request, bodyData)
  }
  open func uploadTask(with request: URLRequest, fromFile fileURL: URL) -> URLSessionUploadTask {
    fatalError()
  }
  open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    URLSessionUploadTask(self, request, expected: -1)
  }
  open func downloadTask(with request: URLRequest) -> URLSessionDownloadTask { fatalError() }
  open func downloadTask(with url: URL) -> URLSessionDownloadTask { fatalError() }
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
  open func webSocketTask(with url: URL) -> URLSessionWebSocketTask { fatalError() }
  @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
  open func webSocketTask(with request: URLRequest) -> URLSessionWebSocketTask {
    URLSessionWebSocketTask(self, request)
  }

  open func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { fatalError() }
  open func dataTask(
    with url: URL, completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { fatalError() }
  open func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask { fatalError() }

  public enum ResponseDisposition: Int, Sendable {
    case cancel = 0
    case allow = 1
    case becomeDownload = 2
    case becomeStream = 3
  }
}

@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, visionOS 1.0, *)
extension URLSession {
  /// <https://developer.apple.com/documentation/foundation/urlsession/data(for:delegate:)>
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { try await dataTask(with: request).result() }
  public func data(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  public func upload(
    for request: URLRequest, from bodyData: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { try await upload(request, bodyData).result() }
  public func upload(
    for request: URLRequest, fromFile fileURL: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  public func bytes(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (AsyncBytes, URLResponse) { fatalError() }
  public func download(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) { fatalError() }
  public func download(
    from url: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (URL, URLResponse) { fatalError() }
}

@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, visionOS 1.0, *)
extension URLSession {
  public struct AsyncBytes: AsyncSequence, Sendable {
    public struct AsyncIterator: AsyncIteratorProtocol {
      public mutating func next() async throws -> UInt8? { fatalError() }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
  }
}

/// <https://developer.apple.com/documentation/foundation/urlsessionconfiguration>
///
/// It derives from the class of Objective-C, because the package exchanges the implementations of two of its methods.
open class URLSessionConfiguration: ObjectiveClass, @unchecked Sendable {
  #if _runtime(_ObjC)
    @objc(defaultSessionConfiguration) open class var `default`: URLSessionConfiguration { fatalError() }
    @objc(ephemeralSessionConfiguration) open class var ephemeral: URLSessionConfiguration { fatalError() }
    open func copy() -> Any { fatalError() }
  #else
    open class var `default`: URLSessionConfiguration { URLSessionConfiguration() }
    open class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }
    override open func copy() -> Any {
      let copy = URLSessionConfiguration()
      copy.requestCachePolicy = requestCachePolicy
      copy.timeoutIntervalForRequest = timeoutIntervalForRequest
      copy.timeoutIntervalForResource = timeoutIntervalForResource
      copy.httpAdditionalHeaders = httpAdditionalHeaders
      copy.httpShouldSetCookies = httpShouldSetCookies
      copy.httpCookieStorage = httpCookieStorage
      copy.urlCredentialStorage = urlCredentialStorage
      copy.urlCache = urlCache
      copy.protocolClasses = protocolClasses
      copy.connectionProxyDictionary = connectionProxyDictionary
      return copy
    }
  #endif

  open var requestCachePolicy: NSURLRequest.CachePolicy = .useProtocolCachePolicy
  open var timeoutIntervalForRequest: TimeInterval = 60
  open var timeoutIntervalForResource: TimeInterval = 604_800
  open var httpAdditionalHeaders: [AnyHashable: Any]?
  open var httpShouldSetCookies = true
  open var httpCookieStorage: HTTPCookieStorage?
  open var urlCredentialStorage: URLCredentialStorage?
  open var urlCache: URLCache?
  open var protocolClasses: [AnyClass]?
  open var connectionProxyDictionary: [AnyHashable: Any]?
}

#if _runtime(_ObjC)
  // Foundation's own, and not that of Objective-C, which has the same name.
  public typealias NSObject = Foundation.NSObject
  public typealias ObjectiveClass = ObjectiveC.NSObject
#else
  public typealias ObjectiveClass = Foundation.NSObject
#endif

// MARK: - Tasks

/// <https://developer.apple.com/documentation/foundation/urlsessiontask>
open class URLSessionTask: Foundation.NSObject, @unchecked Sendable {
  public enum State: Int, Sendable {
    case running = 0
    case suspended = 1
    case canceling = 2
    case completed = 3
  }

  private static let numbers = Counter()

  let session: URLSession
  let record = TaskState()
  public let taskIdentifier = URLSessionTask.numbers.next()
  public let originalRequest: URLRequest?
  public let countOfBytesExpectedToSend: Int64
  open var currentRequest: URLRequest? { originalRequest }
  open var response: URLResponse? { record.response }
  @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, visionOS 1.0, *)
  open var delegate: (any URLSessionTaskDelegate)? {
    get { record.delegate }
    set { record.delegate = newValue }
  }
  open var error: (any Error)? { fatalError() }

  init(_ session: URLSession, _ request: URLRequest, expected: Int64 = 0) {
    self.session = session
    originalRequest = request
    countOfBytesExpectedToSend = expected
  }

  open var state: State { fatalError() }
  open func cancel() { end(URLError(.cancelled)) }
  open func suspend() {}
  open func resume() { load() }
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}

/// <https://developer.apple.com/documentation/foundation/urlsessionwebsockettask>
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {
  @nonexhaustive public enum CloseCode: Int, Sendable {
    case invalid = 0
    case normalClosure = 1000
    case goingAway = 1001
    case protocolError = 1002
    case unsupportedData = 1003
    case noStatusReceived = 1005
    case abnormalClosure = 1006
    case invalidFramePayloadData = 1007
    case policyViolation = 1008
    case messageTooBig = 1009
    case mandatoryExtensionMissing = 1010
    case internalServerError = 1011
    case tlsHandshakeFailure = 1015
  }

  @nonexhaustive public enum Message {
    case data(Data)
    case string(String)
  }

  override open func resume() {
    let delegate = delegate as? any URLSessionWebSocketDelegate
    session.queue.async { delegate?.urlSession(self.session, webSocketTask: self, didOpenWithProtocol: nil) }
  }
  open func send(_ message: Message) async throws {}
  open func receive() async throws -> Message { throw FakeNetwork.failure(of: originalRequest) }
  open func sendPing(pongReceiveHandler: @escaping @Sendable ((any Error)?) -> Void) {}
  open func cancel(with closeCode: CloseCode, reason: Data?) {}
  open var maximumMessageSize: Int = 1 << 20
  open var closeCode: CloseCode { .invalid }
  open var closeReason: Data? { nil }
}

// MARK: - Delegates

/// <https://developer.apple.com/documentation/foundation/urlsessiondelegate>
public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}

/// <https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate>
public protocol URLSessionTaskDelegate: URLSessionDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void)
  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

/// <https://developer.apple.com/documentation/foundation/urlsessiondatadelegate>
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void)
  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

/// <https://developer.apple.com/documentation/foundation/urlsessionwebsocketdelegate>
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
public protocol URLSessionWebSocketDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?)
  func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?)
}

extension URLSessionTaskDelegate {
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {}
  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {}
}

extension URLSessionDataDelegate {
  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {}
  public func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
}

@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, visionOS 1.0, *)
extension URLSessionWebSocketDelegate {
  public func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
  ) {}
  public func urlSession(
    _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
    didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
  ) {}
}

// MARK: - Protocols

/// <https://developer.apple.com/documentation/foundation/urlprotocolclient>
public protocol URLProtocolClient: NSObjectProtocol {
  func urlProtocol(
    _ protocol: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy policy: URLCache.StoragePolicy)
  func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
  func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
  func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
}

/// <https://developer.apple.com/documentation/foundation/urlprotocol>
open class URLProtocol: Foundation.NSObject {
  public let request: URLRequest
  public let client: (any URLProtocolClient)?
  open internal(set) var task: URLSessionTask?

  public required init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    self.request = request
    self.client = client
  }

  open class func canInit(with request: URLRequest) -> Bool { fatalError() }
  open class func canInit(with task: URLSessionTask) -> Bool { fatalError() }
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { fatalError() }
  open func startLoading() {}
  open func stopLoading() {}
  open class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) {
    if key == "_kCFURLConnectionPropertyShouldSniff" { request.request.isSniffed = value as? Bool ?? true }
  }
  @discardableResult open class func registerClass(_ protocolClass: AnyClass) -> Bool { fatalError() }
  open class func unregisterClass(_ protocolClass: AnyClass) {}
}
