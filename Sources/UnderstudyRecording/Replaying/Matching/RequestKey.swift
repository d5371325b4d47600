import UnderstudyHTTP

/// The parts of a request that count, without its secrets: what the recorded requests are looked up by.
struct RequestKey: Hashable, Sendable {
  var head: RequestHead
  var body = BodyKey.none
  /// The texts of the adopter's rules.
  var rules: [NamedText] = []
}

/// The parts of a request before its body that count, without its secrets; one that does not count is empty.
struct RequestHead: Hashable, Sendable {
  var method = ""
  var scheme = ""
  var host = ""
  /// Empty also where it is the scheme's own.
  var port = ""
  var path = ""
  /// The items, in order of the alphabet.
  var query: [String] = []
  /// The chosen fields, in order of their names.
  var fields: [NamedText] = []
}

/// A text with a name, such as a header field.
struct NamedText: Hashable, Sendable {
  var name: String
  var value: String
}

/// What of a body counts, without its secrets.
enum BodyKey: Hashable, Sendable {
  /// A part of a multipart body.
  struct Part: Hashable, Sendable {
    var name: String
    var fileName: String?
    var type: String?
    var bytes: [UInt8]
  }

  case none
  /// A document without white space, its members in order of their names and its numbers in one spelling.
  case json(String)
  /// The fields of a form, in order of their names.
  case form([NamedText])
  /// The parts of a multipart body, in order of their names.
  case parts([Part])
  case bytes([UInt8])
}

/// A request taken apart: its key, and the secrets that were in it, in a fixed order.
struct KeyedRequest: Sendable {
  /// What stands in a key where a secret was.
  static let mask = "redacted"
  static let formType = "application/x-www-form-urlencoded"

  let key: RequestKey
  let secrets: [String]
}
