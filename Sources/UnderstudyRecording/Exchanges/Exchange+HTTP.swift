public import Foundation
public import Understudy
public import UnderstudyHTTP

extension ExchangeRequest {
  /// The request to send to a server.
  ///
  /// - Parameters:
  ///   - server: Where the service is; the path is put behind it.
  ///   - values: What stands for the names in braces, such as `["token": "…"]`.
  ///   - timeout: The longest silence that is borne.
  /// - Throws: ``ExchangeDocumentError`` if path and query make no URL.
  public func request(
    to server: URL, filling values: [String: String], timeout: Duration? = .seconds(60)
  ) throws -> HTTPRequest {
    var components = URLComponents(url: server.appending(path: path), resolvingAgainstBaseURL: false)
    components?.queryItems =
      query.isEmpty
      ? nil : query.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    guard let url = components?.url else {
      throw ExchangeDocumentError(place: path, problem: "Path and query make no URL.")
    }
    let fields = HTTPFields(
      self.fields.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value.filling(values)) })
    return HTTPRequest(
      method, url, fields: fields,
      body: (textBody ?? body?.compactText).map { Data($0.filling(values).utf8) }, timeout: timeout)
  }

  /// The body as it stands, where `Content-Type` says that it is no JSON, as that of a form.
  var textBody: String? {
    guard let type = fields.contentType, !type.lowercased().contains("json") else { return nil }
    return body?.stringValue
  }
}

extension ExchangeResponse {
  /// The answer as a transport brings it, its examples in place.
  ///
  /// - Parameter time: What pauses run on, and the silence of a body that times out.
  public func response(on time: Time = .system) -> HTTPResponse {
    let fields = HTTPFields(
      self.fields.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
    let texts = body.map { [Chunk(text: $0.compactText, pause: .zero)] } ?? chunks
    let end: TransportError? =
      switch ending {
      case .complete: nil
      case .dropped:
        TransportError(.connectionLost, "The connection was closed before the body was complete.")
      case .reset: TransportError(.connectionLost, "The connection was reset by the peer.")
      case .timedOut: TransportError(.timedOut, "Nothing more came.")
      }
    let body = HTTPBody(chunks: texts.map { Data($0.text.utf8) }, endingWith: end)
      .paced(by: texts.map(\.pause), on: time)
    return HTTPResponse(status: status, fields: fields, body: body)
  }

  /// In what an answer is not the one that is described; empty if it is.
  ///
  /// How the body ended is for the caller to compare with ``ending``. Of a stream of server-sent events, the events
  /// are compared, and not how they are cut or in which order their JSON has its members.
  ///
  /// - Parameters:
  ///   - response: The answer.
  ///   - bytes: Its body.
  public func differences(from response: HTTPResponse, body bytes: Data) -> [String] {
    var differences: [String] = []
    if response.status != status {
      differences.append("Expected the status \(status), found \(response.status).")
    }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where response.fields[name] != value {
      differences.append("Expected \(name): \(value), found \(response.fields[name] ?? "no such field").")
    }
    guard let body else {
      if isEventStream {
        do throws(TransportError) {
          return differences + (try self.differences(fromEvents: bytes))
        } catch {
          return differences + ["Expected server-sent events: \(error.message)"]
        }
      }
      let expected = chunks.map(\.text).joined()
      if bytes != Data(expected.utf8) {
        differences.append(
          "Expected the body \(expected.debugDescription), found \(String(decoding: bytes, as: UTF8.self).debugDescription)."
        )
      }
      return differences
    }
    guard let found = try? JSONValue(parsing: bytes) else {
      return differences + [
        "Expected JSON, found \(String(decoding: bytes, as: UTF8.self).debugDescription)."
      ]
    }
    return differences + body.differences(from: found, at: "", variations)
  }
}

extension JSONValue {
  /// In what a value is not this one, but for the places that may vary.
  ///
  /// The order of members is not looked at.
  func differences(
    from found: JSONValue, at path: String, _ variations: [String: ExchangeResponse.Variation]
  ) -> [String] {
    let place = path.isEmpty ? "the body" : path
    switch (variations[path], self, found) {
    case (.members, .object(let members), .object):
      return Self.differences(of: members, from: found, at: path, variations)
    case (let variation?, _, _) where variation != .members:
      return variation.allows(found)
        ? [] : ["Expected a \(variation) at \(place), found \(found.compactText)."]
    case (_, .object(let members), .object(let others)):
      let known = Set(members.map(\.name))
      let unknown = others.map(\.name).filter { !known.contains($0) }.sorted()
      return Self.differences(of: members, from: found, at: path, variations)
        + unknown.map { "Expected no \(Self.path(path, $0))." }
    case (_, .array(let elements), .array(let others)) where elements.count == others.count:
      var differences: [String] = []
      for (index, pair) in zip(elements, others).enumerated() {
        differences += pair.0.differences(from: pair.1, at: Self.path(path, "\(index)"), variations)
      }
      return differences
    default:
      return self == found ? [] : ["Expected \(compactText) at \(place), found \(found.compactText)."]
    }
  }

  /// In what an object has not these members.
  private static func differences(
    of members: [Member], from found: JSONValue, at path: String,
    _ variations: [String: ExchangeResponse.Variation]
  ) -> [String] {
    var differences: [String] = []
    for member in members {
      let path = Self.path(path, member.name)
      if let value = found[member.name] {
        differences += member.value.differences(from: value, at: path, variations)
      } else {
        differences.append("Expected \(path), found nothing.")
      }
    }
    return differences
  }

  private static func path(_ path: String, _ name: String) -> String {
    path.isEmpty ? name : "\(path).\(name)"
  }
}

extension ExchangeResponse.Variation {
  fileprivate func allows(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.uuid, .string(let text)): UUID(uuidString: text) != nil
    // As PostgreSQL prints a timestamptz in UTC: 2026-01-03T12:00:00.123456+00:00, the fraction as short as it goes.
    case (.timestamp, .string(let text)):
      text.wholeMatch(of: /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?\+00:00/) != nil
    case (.text, .string), (.number, .number): true
    default: false
    }
  }
}

extension String {
  fileprivate func filling(_ values: [String: String]) -> String {
    values.reduce(self) { $0.replacingOccurrences(of: "{\($1.key)}", with: $1.value) }
  }
}
