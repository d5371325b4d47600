import Foundation
import UnderstudyTransport

/// Makes the keys of requests by the rules of a ``RequestMatching``.
struct RequestKeying: Sendable {
  private let matching: RequestMatching
  private let fieldNames: [String]
  private let ignoredPaths: [ArraySlice<JSONPath.Step>]
  let scanner: SecretScanner
  /// What is wrong with the rules.
  let problem: String?

  /// What belongs to the handshake of a WebSocket, and differs from one to the next.
  private static let handshakeFields: Set<String> = [
    "connection", "upgrade", "sec-websocket-key", "sec-websocket-version", "sec-websocket-extensions",
  ]

  init(_ matching: RequestMatching, _ scanner: SecretScanner) {
    self.matching = matching
    self.scanner = scanner
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

  /// Whether requests of the same key have the same `IndexedArchive.requestHash`.
  var keepsRequestHash: Bool { matching.parts.isSuperset(of: [.method, .path]) }

  func keyed(_ request: HTTPRequest) -> KeyedRequest {
    keyed(
      method: request.method.rawValue, url: request.url.absoluteString, request.fields, body: request.body,
      type: request.fields["Content-Type"], request: { request })
  }

  /// - Returns: `nil` for what cannot be asked: its URL is none, or its body cannot be read.
  func keyed(_ recorded: HTTPArchive.Request) -> KeyedRequest? {
    var url = recorded.url
    if url.isEmpty || !url.utf8.allSatisfy(Self.staysInURL) {
      // What URLs do not hold is encoded in the one that is asked.
      guard let encoded = URL(string: url) else { return nil }
      url = encoded.absoluteString
    }
    let postData = recorded.postData
    let body = postData.map(\.body)
    if case .some(.none) = body { return nil }
    let fields = HTTPFields(recorded.headers.map { .init(name: $0.name, value: $0.value) })
    return keyed(
      method: recorded.method.rawValue, url: url, fields, body: body ?? nil,
      type: fields["Content-Type"] ?? postData?.mimeType, request: { HTTPRequest(recorded) })
  }

  private static func staysInURL(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "/")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "?"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: ","):
      true
    default: false
    }
  }

  private func keyed(
    method: String, url: String, _ fields: HTTPFields, body: Data?, type: String?,
    request: () -> HTTPRequest?
  ) -> KeyedRequest {
    var key = RequestKey()
    var masking = SecretMasking(scanner)
    let parts = matching.parts
    let split = SplitURL(url)
    if parts.contains(.method) { key.method = method }
    if parts.contains(.scheme) { key.scheme = split.scheme }
    if parts.contains(.host) { key.host = split.host }
    if parts.contains(.port) { key.port = split.port }
    if parts.contains(.path) { key.path = masking.text(Array(split.path)) }
    if parts.contains(.query), let query = split.query {
      key.query = masking.query(query, ignoring: matching.ignoredQueryItems)
    }
    for name in fieldNames {
      for value in fields.values(of: name) {
        key.fields.append(.init(name: name, value: masking.field(name, value)))
      }
    }
    if let body, !body.isEmpty { key.body = bodyKey([UInt8](body), type: type, &masking) }
    if !matching.rules.isEmpty, let request = request() {
      for rule in matching.rules {
        guard let text = rule.text(request) else { continue }
        key.rules.append(.init(name: rule.name, value: masking.text(Array(text.utf8))))
      }
    }
    return KeyedRequest(key: key, secrets: masking.secrets)
  }

  /// The key of a message of a WebSocket, and its secrets.
  func keyed(_ message: WebSocketMessage) -> (key: BodyKey, secrets: [String]) {
    var masking = SecretMasking(scanner)
    let key: BodyKey =
      switch message {
      case .text(let text): bodyKey(Array(text.utf8), type: nil, &masking)
      case .binary(let bytes):
        matching.body.comparison == .nothing ? .none : .bytes(masking.bytes([UInt8](bytes)))
      }
    return (key, masking.secrets)
  }

  private func bodyKey(_ body: [UInt8], type: String?, _ masking: inout SecretMasking) -> BodyKey {
    switch matching.body.comparison {
    case .nothing: return .none
    case .bytes: return .bytes(masking.bytes(body))
    case .values: break
    }
    let mediaType = type?.prefix { $0 != ";" }.lowercased() ?? ""
    if mediaType.hasPrefix(KeyedRequest.formType), let fields = FormFields.fields(of: body) {
      return .form(formKey(fields, &masking))
    }
    if mediaType.hasPrefix("multipart/"), let parts = MultipartParts.parts(of: body, type: type ?? "") {
      return .parts(partsKey(parts, &masking))
    }
    if let json = try? JSONValue(parsing: Data(body)) {
      return .json(json.removing(ignoredPaths).map { masking.json($0).compactText } ?? "")
    }
    return .bytes(masking.bytes(body))
  }

  private func formKey(
    _ fields: [(name: String, value: [UInt8])], _ masking: inout SecretMasking
  ) -> [RequestKey.Field] {
    let ignored = matching.body.ignoredFields
    return Self.inOrder(fields.filter { !ignored.contains($0.name) }, \.name).map { field in
      let value = masking.value(field.value, named: field.name)
      return .init(name: field.name, value: String(decoding: value, as: UTF8.self))
    }
  }

  private func partsKey(_ parts: [BodyKey.Part], _ masking: inout SecretMasking) -> [BodyKey.Part] {
    let ignored = matching.body.ignoredFields
    return Self.inOrder(parts.filter { !ignored.contains($0.name) }, \.name).map { part in
      var part = part
      part.bytes = masking.value(part.bytes, named: part.name)
      return part
    }
  }

  /// Those of one name stay as they came.
  private static func inOrder<Item>(_ items: [Item], _ name: (Item) -> String) -> [Item] {
    items.enumerated().sorted { (name($0.element), $0.offset) < (name($1.element), $1.offset) }
      .map(\.element)
  }
}
