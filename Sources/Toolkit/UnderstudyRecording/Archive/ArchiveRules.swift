/// The objects of HAR 1.2 whose members are checked, including extensions of this package.
///
/// A listed member must have its type or be null. Only members that an exchange requires must be present and not null.
/// Other members may have any value.
enum ArchiveObject: UInt8, CaseIterable {
  case document
  case log
  case entry
  case timings
  case request
  case postData
  case response
  case content
  case stream
  case chunk
  case streamEnd
  case pair
  case webSocketMessage
  case webSocketEnd
  /// An object without known members.
  case any

  var members: [(name: String, kind: ArchiveRule.Kind, need: ArchiveRule.Need)] {
    switch self {
    case .document: [("log", .object(.log), .required)]
    case .log:
      [
        ("version", .text, .optional), ("creator", .object(.any), .optional),
        ("browser", .object(.any), .optional), ("pages", .array, .optional), ("entries", .entries, .required),
      ]
    case .entry:
      [
        ("startedDateTime", .text, .optional), ("time", .number, .optional),
        ("request", .object(.request), .required), ("response", .object(.response), .required),
        ("cache", .object(.any), .optional), ("timings", .object(.timings), .optional),
        ("pageref", .text, .optional), ("serverIPAddress", .text, .optional),
        ("connection", .text, .optional), ("_webSocketMessages", .list(.webSocketMessage), .optional),
        ("_webSocketEnd", .object(.webSocketEnd), .optional),
      ]
    case .timings:
      ["send", "wait", "receive", "blocked", "dns", "connect", "ssl"].map { ($0, .number, .optional) }
    case .request:
      [("method", .text, .required), ("url", .text, .required)] + Self.message
        + [("queryString", .list(.pair), .optional), ("postData", .object(.postData), .optional)]
    case .postData:
      [
        ("mimeType", .text, .optional), ("text", .text, .optional), ("params", .list(.pair), .optional),
        ("_encoding", .text, .optional),
      ]
    case .response:
      [("status", .count, .required)] + Self.message
        + [
          ("statusText", .text, .optional), ("redirectURL", .text, .optional),
          ("content", .object(.content), .optional),
        ]
    case .content:
      [
        ("size", .number, .optional), ("mimeType", .text, .optional), ("text", .text, .optional),
        ("encoding", .text, .optional), ("_stream", .object(.stream), .optional),
      ]
    case .stream: [("chunks", .list(.chunk), .optional), ("end", .object(.streamEnd), .optional)]
    case .chunk: [("size", .count, .required), ("time", .number, .optional)]
    case .streamEnd:
      [("time", .number, .optional), ("code", .text, .optional), ("message", .text, .optional)]
    case .pair: [("name", .text, .required), ("value", .text, .optional)]
    case .webSocketMessage:
      [
        ("type", .text, .optional), ("time", .number, .optional), ("opcode", .number, .optional),
        ("data", .text, .optional),
      ]
    case .webSocketEnd:
      [
        ("time", .number, .optional), ("code", .text, .optional), ("by", .text, .optional),
        ("status", .number, .optional), ("reason", .text, .optional), ("message", .text, .optional),
      ]
    case .any: []
    }
  }

  /// The members that requests and responses share.
  private static let message: [(name: String, kind: ArchiveRule.Kind, need: ArchiveRule.Need)] = [
    ("httpVersion", .text, .optional), ("headers", .list(.pair), .optional),
    ("cookies", .list(.pair), .optional), ("headersSize", .number, .optional),
    ("bodySize", .number, .optional),
  ]

  /// The member that may be base64, and the member that marks it as base64: with a string, or with the opcode of binary
  /// data.
  var base64: (content: String, sign: String)? {
    switch self {
    case .postData: ("text", "_encoding")
    case .content: ("text", "encoding")
    case .webSocketMessage: ("data", "opcode")
    default: nil
    }
  }
}

/// The required type of a member.
struct ArchiveRule: Sendable {
  enum Kind: Sendable {
    case text
    case number
    /// A non-negative integer.
    case count
    case array
    case object(ArchiveObject)
    /// An array of objects.
    case list(ArchiveObject)
    /// The array of the exchanges, whose ranges are recorded.
    case entries
  }

  enum Need: Sendable {
    case optional
    case required
  }

  /// A member whose value is stored because other checks depend on it.
  enum Role: Sendable {
    case none
    case log
    case request
    case method
    case url
    case base64
    case base64Sign
  }

  let kind: Kind
  let need: Need
  let role: Role
  let name: ArchiveName
}

/// The rules of all objects in one array, created once.
struct ArchiveRules: Sendable {
  /// The rules of an object.
  struct Shape: Sendable {
    /// The range of its members' rules in the array.
    let rules: Range<Int>
    /// The required members, one bit each.
    let required: UInt32
    /// The index of the rule of the member that may be base64.
    let base64: Int?
  }

  static let shared = ArchiveRules()

  let rules: [ArchiveRule]
  /// The names of the members, in the order of the rules.
  let names: [String]
  /// The shape of each object, by its raw value.
  let shapes: [Shape]

  private init() {
    var rules: [ArchiveRule] = []
    var names: [String] = []
    shapes = ArchiveObject.allCases.map { object in
      let start = rules.count
      var required: UInt32 = 0
      for (name, kind, need) in object.members {
        if need == .required { required |= 1 << UInt32(rules.count - start) }
        rules.append(
          ArchiveRule(kind: kind, need: need, role: Self.role(of: name, in: object), name: .init(name)))
        names.append(name)
      }
      let base64 = rules[start...].firstIndex { $0.role == .base64 }
      return Shape(rules: start..<rules.count, required: required, base64: base64)
    }
    (self.rules, self.names) = (rules, names)
  }

  private static func role(of name: String, in object: ArchiveObject) -> ArchiveRule.Role {
    switch (object, name) {
    case (.document, "log"): .log
    case (.entry, "request"): .request
    case (.request, "method"): .method
    case (.request, "url"): .url
    case _ where name == object.base64?.content: .base64
    case _ where name == object.base64?.sign: .base64Sign
    default: .none
    }
  }
}
