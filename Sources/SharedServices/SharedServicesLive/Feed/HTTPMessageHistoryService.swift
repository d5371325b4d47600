public import SharedServices
public import UnderstudyTransport
public import Foundation

/// A service that reads a session's messages over HTTP: `GET /sessions/<id>/messages?cursor=&limit=`.
public struct HTTPMessageHistoryService: MessageHistoryService {
  private let configuration: MessageFeedConfiguration
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Date

  /// The maximum size of a page, in bytes.
  private static let bodyLimit = 16 << 20

  /// Creates a service for the history at a server.
  ///
  /// - Parameters:
  ///   - configuration: The location of the server.
  ///   - transport: The transport that sends the requests.
  ///   - now: The date from which a `Retry-After` date counts.
  public init(
    _ configuration: MessageFeedConfiguration, over transport: any HTTPTransport,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.configuration = configuration
    self.transport = transport
    self.now = now
  }

  /// Requests a page; see `MessageHistoryService`.
  ///
  /// - Throws: `.feed`, `.network`, `.cancelled`.
  public func page(
    of sessionID: String, after cursor: String?, limit: Int
  ) async throws(AppError) -> MessagePage {
    if Task.isCancelled { throw .cancelled }
    var url = configuration.url(of: sessionID, "messages")
    url.append(
      queryItems: [URLQueryItem(name: "limit", value: "\(limit)")]
        + (cursor.map { [URLQueryItem(name: "cursor", value: $0)] } ?? []))
    // A plus sign is valid in a query, but many servers decode it as a space (WHATWG URL §5.1).
    if var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
      parts.percentEncodedQuery = parts.percentEncodedQuery?.replacing("+", with: "%2B")
      url = parts.url ?? url
    }
    let request = HTTP.Request(
      .get, url, fields: ["Accept": "application/json"], timeout: configuration.timeout)
    let answer: Answer
    do throws(TransportError) {
      let (body, response) = try await transport.data(for: request, upTo: Self.bodyLimit)
      answer = Answer(status: response.status, fields: response.fields, body: body)
    } catch {
      throw AppError(error)
    }
    if let refusal = answer.errorResponse(now: now()) { throw AppError(refusal) }
    guard let json = FeedValue(json: answer.body), let page = MessagePage(json) else {
      throw .network(.unreadableAnswer)
    }
    return page
  }
}

extension MessageFeedConfiguration {
  /// The URL of a part of a session; the id is one path segment, whatever it contains.
  func url(of sessionID: String, _ part: String) -> URL {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "/;")
    let segment = sessionID.addingPercentEncoding(withAllowedCharacters: allowed) ?? sessionID
    var parts = URLComponents(url: serverURL, resolvingAgainstBaseURL: true)
    parts?.percentEncodedPath =
      serverURL.path(percentEncoded: true).trimmingSuffix("/") + "/sessions/\(segment)/\(part)"
    return parts?.url ?? serverURL
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
