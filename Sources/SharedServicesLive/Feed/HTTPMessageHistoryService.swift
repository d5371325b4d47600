public import SharedServices
public import Understudy
public import UnderstudyHTTP
import Foundation

/// What was said in a session, over HTTP: `GET /sessions/<id>/messages?cursor=&limit=`.
public struct HTTPMessageHistoryService: MessageHistoryService {
  private let configuration: MessageFeedConfiguration
  private let transport: any HTTPTransport
  private let time: Time

  /// The most that is read of one page, in bytes.
  private static let bodyLimit = 16 << 20

  /// The history at a server.
  public init(
    _ configuration: MessageFeedConfiguration, over transport: any HTTPTransport, time: Time = .system
  ) {
    self.configuration = configuration
    self.transport = transport
    self.time = time
  }

  /// Asks for a page; see `MessageHistoryService`.
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
    // A query may hold a plus, which many servers read as a space (WHATWG URL §5.1).
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
    if let refusal = answer.refusal(now: time.now) { throw AppError(refusal) }
    guard let json = try? JSONValue(parsing: answer.body), let page = MessagePage(json) else {
      throw .network(.unreadableAnswer)
    }
    return page
  }
}

extension MessageFeedConfiguration {
  /// Where something of a session is; an id is one segment of the path, whatever is in it.
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
