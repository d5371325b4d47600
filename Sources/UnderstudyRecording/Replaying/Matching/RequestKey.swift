import UnderstudyHTTP

/// The compared parts of a request without its secrets, by which recorded requests are found.
struct RequestKey: Hashable, Sendable {
  var head: RequestHead
  var body = BodyKey.none
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
