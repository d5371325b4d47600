import Foundation
import UnderstudyHTTP
import UnderstudyText

/// A factory of request keys by the rules of a ``RequestMatching``.
struct RequestKeying: Sendable {
  private let matching: RequestMatching
  private let fieldNames: [String]
  private let ignoredPaths: [ArraySlice<JSONPath.Step>]
  private let scanner: SecretScanner
  private let mask: String
  /// The error in the rules, if any.
  let problem: String?

  /// Header fields of a WebSocket handshake, which differ for each connection.
  private static let handshakeFields: Set<String> = [
    "connection", "upgrade", "sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions",
  ]

  /// - Parameter mask: The replacement of a secret.
  init(_ matching: RequestMatching, _ scanner: SecretScanner, mask: String = KeyedRequest.mask) {
    self.matching = matching
    self.scanner = scanner
    self.mask = mask
    fieldNames = Set(matching.fieldNames.map { $0.lowercased() }).subtracting(Self.handshakeFields).sorted()
    do throws(JSONPath.Problem) {
      var paths: [ArraySlice<JSONPath.Step>] = []
      for path in matching.body.ignoredPaths { paths.append(try JSONPath(path).steps[...]) }
      ignoredPaths = paths
      problem = nil
    } catch {
      ignoredPaths = []
      problem = error.message
    }
  }

  /// The same factory, which leaves the secrets in the keys.
  var keyingWithoutSecrets: Self { Self(matching, .blind, mask: mask) }

  /// Whether requests with equal keys have equal `IndexedArchive.requestHash` values.
  var keepsRequestHash: Bool { matching.parts.isSuperset(of: [.method, .path]) }

  /// Whether the origin of requests is compared.
  var comparesOrigin: Bool { !matching.parts.isDisjoint(with: .origin) }

  /// A filter with these rules.
  ///
  /// - Parameter known: Secrets known from elsewhere, whose copies are removed too.
  func masking(copiesOf known: [String] = []) -> SecretMasking {
    SecretMasking(scanner, copiesOf: known, mask: mask)
  }

  /// - Parameters:
  ///   - known: Secrets known from elsewhere, whose copies are removed too.
  ///   - isFlattened: Whether the request is compared with recorded ones whose JSON is flattened.
  func keyed(
    _ request: HTTP.Request, copiesOf known: [String] = [], flattened isFlattened: Bool = false
  ) -> KeyedRequest {
    var masking = masking(copiesOf: known)
    let url = request.url.absoluteString
    var key = RequestKey(head: head(request.method.rawValue, url, request.fields, &masking))
    if let body = request.body, !body.isEmpty {
      key.body = bodyKey(
        [UInt8](body), type: request.fields["Content-Type"], flattened: isFlattened, &masking)
      key.isFlattened = isFlattened
    }
    key.rules = texts(of: request, &masking)
    return KeyedRequest(key: key, secrets: masking.secrets)
  }

  /// - Returns: `nil` if the recorded request cannot be sent: its URL is invalid, or its body cannot be decoded.
  func keyed(_ recorded: HTTPArchive.Request) -> KeyedRequest? {
    var masking = masking()
    let postData = recorded.postData
    let body = postData.map(\.body)
    if case .some(.none) = body { return nil }
    guard let url = Self.sendableURL(recorded.url) else { return nil }
    let fields = HTTP.Fields(sending: recorded.headers)
    var key = RequestKey(head: head(recorded.method.rawValue, url, fields, &masking))
    if let body = body ?? nil, !body.isEmpty {
      key.body = bodyKey([UInt8](body), type: fields["Content-Type"] ?? postData?.mimeType, &masking)
      if case .json = key.body { key.isFlattened = postData?.isFlattened == true }
    }
    if !matching.rules.isEmpty, let request = HTTP.Request(recorded) {
      key.rules = texts(of: request, &masking)
    }
    return KeyedRequest(key: key, secrets: masking.secrets)
  }

  /// Returns the parts of a recorded request before its body; `nil` if its URL is invalid.
  func head(of recorded: HTTPArchive.Request) -> RequestHead? {
    var masking = masking()
    guard let url = Self.sendableURL(recorded.url) else { return nil }
    let fields = fieldNames.isEmpty ? [] : recorded.headers
    return head(recorded.method.rawValue, url, HTTP.Fields(sending: fields), &masking)
  }

  /// Returns a recorded URL in the form that a client sends; `nil` if it cannot be sent.
  private static func sendableURL(_ url: String) -> String? {
    let url = RequestTarget.sendable(url)
    return !url.isEmpty && url.utf8.allSatisfy(RequestTarget.stays) || URL(string: url) != nil ? url : nil
  }

  private func head(
    _ method: String, _ url: String, _ fields: HTTP.Fields, _ masking: inout SecretMasking
  ) -> RequestHead {
    var head = RequestHead()
    let parts = matching.parts
    let split = SplitURL(url)
    if parts.contains(.method) { head.method = method }
    if parts.contains(.scheme) { head.scheme = split.scheme }
    if parts.contains(.host) { head.host = split.host }
    if parts.contains(.port) { head.port = split.port }
    if parts.contains(.path) {
      head.path = split.path.isEmpty ? "/" : masking.text(RequestTarget.normalized(split.path))
    }
    if parts.contains(.query), let query = split.query {
      head.query = masking.query(
        RequestTarget.normalized(query)[...], ignoring: matching.ignoredQueryItems,
        keepingOrder: parts.contains(.queryOrder))
    }
    for name in fieldNames {
      for value in fields.values(of: name) {
        head.fields.append(NamedText(name: name, value: masking.field(name, value)))
      }
    }
    return head
  }

  private func texts(of request: HTTP.Request, _ masking: inout SecretMasking) -> [NamedText] {
    var texts: [NamedText] = []
    for rule in matching.rules {
      guard let text = rule.text(request) else { continue }
      texts.append(NamedText(name: rule.name, value: masking.text(Array(text.utf8))))
    }
    return texts
  }

  /// Returns the key of a WebSocket message, and its secrets.
  func keyed(
    _ message: WebSocketMessage, copiesOf known: [String] = []
  ) -> (key: BodyKey, secrets: [String]) {
    var masking = masking(copiesOf: known)
    let key: BodyKey =
      switch message {
      case .text(let text): bodyKey(Array(text.utf8), type: nil, &masking)
      case .binary(let bytes):
        matching.body.comparison == .nothing ? .none : .bytes(masking.bytes([UInt8](bytes)))
      }
    return (key, masking.secrets)
  }

  private func bodyKey(
    _ body: [UInt8], type: String?, flattened isFlattened: Bool = false, _ masking: inout SecretMasking
  ) -> BodyKey {
    switch matching.body.comparison {
    case .nothing: return .none
    case .bytes: return .bytes(masking.bytes(BodyCoding.decoded(body)?.text ?? body))
    case .values: break
    }
    // Compression depends on the client, and redaction changes it.
    let body = BodyCoding.decoded(body)?.text ?? body
    let mediaType = type?.prefix { $0 != ";" }.lowercased() ?? ""
    lazy var json = try? JSONValue(parsing: Data(body))
    // A form escapes braces: an object with the type of a form is JSON, as curl sends it.
    if mediaType.hasPrefix(KeyedRequest.formType), body.first != UInt8(ascii: "{") || json == nil,
      let fields = FormFields.fields(of: body)
    {
      return .form(formKey(fields, &masking))
    }
    if mediaType.hasPrefix("multipart/"), let parts = MultipartPart.parts(of: body, type: type ?? "") {
      return .parts(partsKey(parts, &masking))
    }
    if let json {
      let compared = json.removing(ignoredPaths).map { document in
        isFlattened ? FlattenedJSON.document(from: document) ?? document : document
      }
      return .json(compared.map { masking.json($0) } ?? "")
    }
    return .bytes(masking.bytes(body))
  }

  private func formKey(
    _ fields: [(name: String, value: [UInt8])], _ masking: inout SecretMasking
  ) -> [NamedText] {
    let ignored = matching.body.ignoredFields
    masking.isOAuth = fields.contains { SecretScanner.namesOfOAuth.contains($0.name) }
    return Self.inOrder(fields.filter { !ignored.contains($0.name) }, \.name).map { field in
      let value = masking.value(field.value, named: field.name)
      return .init(name: field.name, value: String(decoding: value, as: UTF8.self))
    }
  }

  private func partsKey(_ parts: [MultipartPart], _ masking: inout SecretMasking) -> [MultipartPart] {
    let ignored = matching.body.ignoredFields
    return Self.inOrder(parts.filter { !ignored.contains($0.name) }, \.name).map { part in
      var part = part
      part.bytes = masking.value(part.bytes, named: part.name)
      return part
    }
  }

  /// Sorts by name; items with the same name keep their order.
  private static func inOrder<Item>(_ items: [Item], _ name: (Item) -> String) -> [Item] {
    items.enumerated().sorted { (name($0.element), $0.offset) < (name($1.element), $1.offset) }
      .map(\.element)
  }
}

/// The compared parts of a request without its secrets, by which recorded requests are found.
struct RequestKey: Hashable, Sendable {
  var head: RequestHead
  var body = BodyKey.none
  /// Whether the body is JSON of which only the members were recorded.
  var isFlattened = false
  /// The texts of custom rules.
  var rules: [NamedText] = []
}

/// The compared parts of a request before its body, without its secrets; ignored parts are empty.
struct RequestHead: Hashable, Sendable {
  var method = ""
  var scheme = ""
  var host = ""
  /// The port; empty if it is the scheme's default.
  var port = ""
  var path = ""
  /// The query items, sorted alphabetically.
  var query: [String] = []
  /// The selected header fields, sorted by name.
  var fields: [NamedText] = []
}

/// A text with a name, such as a header field.
struct NamedText: Hashable, Sendable {
  var name: String
  var value: String
}

/// The compared part of a body, without its secrets.
enum BodyKey: Hashable, Sendable {
  case none
  /// A document without white space, with its members sorted by name and its numbers normalized.
  case json(String)
  /// The fields of a form, sorted by name.
  case form([NamedText])
  /// The parts of a multipart body, sorted by name.
  case parts([MultipartPart])
  case bytes([UInt8])
}

/// A parsed request: its key and its secrets, in a fixed order.
struct KeyedRequest: Sendable {
  /// The replacement of a secret in a key.
  static let mask = "redacted"
  static let formType = "application/x-www-form-urlencoded"

  let key: RequestKey
  let secrets: [String]
}

/// The parts that equal requests share: method, path, query and body, without the origin and without secrets.
package struct RequestIdentity: Hashable, Sendable {
  private static let keying = RequestKeying(
    RequestMatching(parts: [.method, .path, .query], fieldNames: []),
    SecretScanner(.standard, judgingValues: false), mask: SecretMasking.ellipsis)

  private let key: RequestKey

  package init(_ request: HTTPArchive.Request) {
    let keying = Self.keying
    var masking = keying.masking()
    var key =
      keying.keyed(request)?.key
      // A request that cannot be sent.
      ?? RequestKey(
        head: keying.head(of: request)
          ?? RequestHead(method: request.method.rawValue, path: masking.text(Array(request.url.utf8))))
    key.isFlattened = false
    self.key = key
  }

  /// The method, the path and the query.
  package var description: String {
    let query = key.head.query.isEmpty ? "" : "?" + key.head.query.joined(separator: "&")
    return "\(key.head.method) \(key.head.path)\(query)".visible
  }
}
