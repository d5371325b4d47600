/// The mapping of faults to the cases of an error of the app, guessed from their names.
struct ErrorMapping {
  /// The name of the error, with the enclosing types.
  let type: String
  /// The same in source, with its module where that is required.
  let qualifiedType: String
  let module: String
  let access: AccessLevel
  private let samples: SampleValues
  private let cases: [EnumerationCase]
  /// The case for each symptom that has one.
  private let chosen: [Symptom: EnumerationCase]
  /// The value for the other symptoms.
  private let fallback: String
  /// Whether it has no case for a failing network, and none for everything else.
  ///
  /// A service that may throw any error throws others then, such as those of `URLSession`.
  let isPartial: Bool

  /// Reads an error.
  ///
  /// - Returns: `nil` if no value of it can be written.
  init?(_ symbol: Symbol, samples: SampleValues) {
    guard let module = MangledName(symbol.identifier.precise).module else { return nil }
    type = symbol.name
    qualifiedType = samples.index.qualifiedName(of: symbol)
    self.module = module
    access = AccessLevel(rawValue: symbol.accessLevel) ?? .public
    self.samples = samples
    if symbol.kind.identifier == "swift.enum" {
      let all = EnumerationCase.cases(of: symbol, in: samples.index)
      cases = all.filter { Self.value($0, for: .other, samples) != nil }
      chosen = Self.choose(among: cases)
      isPartial =
        Symptom.ofNetwork.contains { [chosen] in chosen[$0] == nil }
        && Self.other(among: cases, apartFrom: chosen) == nil
      guard let other = Self.fallback(among: cases, apartFrom: chosen),
        let value = Self.value(other, for: .other, samples)
      else { return nil }
      fallback = value
    } else {
      (cases, chosen, isPartial) = ([], [:], false)
      guard symbol.kind.identifier == "swift.struct",
        let value = samples.expression(of: symbol.name)
      else { return nil }
      fallback = ["message", "description", "reason", "title"].reduce(value) { value, label in
        value.replacing("\(label): \"\(label)\"", with: "\(label): \"\\(fault)\"")
      }
    }
  }

  // MARK: - Names

  /// What a client observes, with the names that errors of apps have for it.
  enum Symptom: String, CaseIterable {
    case unauthorized, forbidden, notFound, conflict, unprocessable, rateLimited, refused, serverError
    case unavailable, timedOut, offline, unreachable, connectionLost, cancelled, unreadable
    /// Every symptom without a case.
    case other

    /// Names in lower case; the first that an error has is chosen.
    var names: [String] {
      switch self {
      case .unauthorized:
        [
          "unauthorized", "unauthorised", "unauthenticated", "notauthenticated", "authenticationrequired",
          "sessionexpired", "expiredsession", "tokenexpired", "invalidtoken", "notsignedin", "notloggedin",
          "signedout",
          "loggedout", "loginrequired", "invalidcredentials", "authenticationfailed", "auth",
        ]
      case .forbidden:
        [
          "forbidden", "permissiondenied", "accessdenied", "notpermitted", "notallowed", "denied",
          "permission",
        ]
      case .notFound: ["notfound", "missing", "nosuch", "doesnotexist", "absent", "gone"]
      case .conflict: ["conflict", "duplicate", "alreadyexists", "exists", "taken"]
      case .unprocessable:
        [
          "unprocessable", "validation", "invalidinput", "invalidrequest", "invalidparameters", "badrequest",
          "invalid",
        ]
      case .rateLimited: ["ratelimit", "toomanyrequests", "throttled", "busy", "quota"]
      case .refused: ["refused", "rejected"]
      case .serverError: ["server", "internalerror", "backend", "remote", "upstream"]
      case .unavailable: ["unavailable", "maintenance"]
      case .timedOut: ["timeout", "timedout"]
      case .offline:
        [
          "offline", "noconnection", "nointernet", "nonetwork", "notconnected", "noconnectivity",
          "networkunavailable",
          "connectivity",
        ]
      case .unreachable:
        ["unreachable", "cannotconnect", "hostnotfound", "connectionrefused", "connectionfailed"]
      case .connectionLost: ["connectionlost", "networkconnectionlost", "disconnected", "interrupted"]
      case .cancelled: ["cancelled", "canceled", "aborted"]
      case .unreadable:
        [
          "unreadable", "decoding", "decode", "malformed", "invalidresponse", "invaliddata", "invalidanswer",
          "badresponse", "parsing", "parse", "corrupt", "unexpectedresponse",
        ]
      case .other:
        [
          "unknown", "other", "generic", "unspecified", "unexpected", "underlying", "wentwrong", "failed",
          "failure", "fail", "any",
        ]
      }
    }

    /// The status of the response.
    var status: Int {
      switch self {
      case .unauthorized: 401
      case .forbidden: 403
      case .notFound: 404
      case .conflict: 409
      case .unprocessable: 422
      case .rateLimited: 429
      case .refused: 400
      case .serverError: 500
      default: 503
      }
    }

    /// The code of `URLError`.
    var code: String {
      switch self {
      case .timedOut: "timedOut"
      case .offline: "notConnectedToInternet"
      case .unreachable: "cannotConnectToHost"
      case .connectionLost: "networkConnectionLost"
      case .cancelled: "cancelled"
      case .unreadable: "cannotParseResponse"
      default: "badServerResponse"
      }
    }

    /// The name of `Fault.Symptom`, as a pattern.
    func pattern(using value: String) -> String {
      self == .rateLimited && value.contains("delay") ? ".rateLimited(let delay)" : ".\(rawValue)"
    }

    /// Other symptoms whose case serves, if it has none itself.
    var relatives: [Symptom] {
      switch self {
      case .unreachable: [.offline]
      case .unavailable: [.serverError]
      case .serverError: [.unavailable]
      case .refused: [.unprocessable]
      default: []
      }
    }

    static let ofNetwork: [Symptom] = [.timedOut, .offline, .unreachable, .connectionLost]
    static let ofServer: [Symptom] = [
      .unauthorized, .forbidden, .notFound, .conflict, .unprocessable, .rateLimited, .refused, .serverError,
      .unavailable,
    ]
  }

  /// Returns the name of a case in lower case.
  private static func name(_ one: EnumerationCase) -> String {
    one.name.lowercased().filter { $0 != "_" && $0 != "`" }
  }

  private static func choose(among cases: [EnumerationCase]) -> [Symptom: EnumerationCase] {
    var chosen: [Symptom: EnumerationCase] = [:]
    func matches(_ one: EnumerationCase, _ word: String, _ isWhole: Bool) -> Bool {
      if isWhole { return [word, word + "error"].contains(name(one)) }
      // Of something that the client has: missingToken is not what a server does not find, nor invalidURL its refusal.
      return switch word {
      case "invalid": false
      case "missing": name(one).hasSuffix(word)
      default: name(one).contains(word)
      }
    }
    // Whole names first: notFound is not the case of another symptom that contains a part of it.
    for isWhole in [true, false] {
      for symptom in Symptom.allCases where chosen[symptom] == nil && symptom != .other {
        let free = cases.filter { one in !chosen.values.contains { $0.name == one.name } }
        chosen[symptom] =
          symptom.names.lazy.compactMap { word in free.first { matches($0, word, isWhole) } }.first
      }
    }
    let free = cases.filter { one in !chosen.values.contains { $0.name == one.name } }
    // What is named after HTTP is rather the answer of a server, but better than nothing.
    let network =
      free.first { isOfNetwork($0) && !name($0).hasPrefix("http") } ?? free.first(where: wrapsError)
      ?? free.first(where: isOfNetwork)
    let server =
      (chosen[.serverError].map { [$0] } ?? []).first(where: hasStatus) ?? free.first(where: hasStatus)
      ?? (chosen[.serverError] == nil ? free.first(where: isOfServer) : nil)
    for symptom in Symptom.ofNetwork where chosen[symptom] == nil { chosen[symptom] = network }
    for symptom in Symptom.ofServer where chosen[symptom] == nil { chosen[symptom] = server }
    for symptom in Symptom.allCases where chosen[symptom] == nil {
      chosen[symptom] = symptom.relatives.lazy.compactMap { chosen[$0] }.first
    }
    return chosen
  }

  /// Returns whether a case has the status of a response.
  private static func hasStatus(_ one: EnumerationCase) -> Bool {
    one.payload.contains { part in
      let words =
        part.label == nil || part.label == "response"
        ? ["status", "code", "http", "server", "response"] : ["status", "code"]
      return part.type == "Int"
        && words.contains { (part.label ?? one.name).lowercased().contains($0) }
    }
  }

  /// Returns whether the name of a case says that it is for a failing network.
  private static func isOfNetwork(_ one: EnumerationCase) -> Bool {
    let name = one.name.lowercased()
    return ["network", "connection", "transport", "url", "http"].contains(where: name.hasPrefix)
      && !hasStatus(one)
  }

  /// Returns whether the name of a case says that it is for any answer of a server that is a failure.
  private static func isOfServer(_ one: EnumerationCase) -> Bool {
    let name = name(one)
    let words = [
      "http", "api", "service", "response", "status", "badstatus", "invalidstatus", "unexpectedstatus",
    ]
    return name.hasPrefix("http") || name.contains("statuscode")
      || words.contains { word in ["", "error", "failure", "failed"].contains { name == word + $0 } }
  }

  /// Returns whether a case has only a text, for any failure.
  private static func hasMessage(_ one: EnumerationCase) -> Bool {
    one.payload.count == 1 && one.payload[0].type == "String"
      && ["message", "custom", "error", "errormessage", "reason", "text"].contains(name(one))
  }

  /// Returns whether a case has only an error of any type, such as that of a session.
  private static func wrapsError(_ one: EnumerationCase) -> Bool {
    one.payload.count == 1
      && ["any Error", "(any Error)", "any Error & Sendable"].contains(one.payload[0].type)
  }

  /// Returns the case whose name says that it is for everything else.
  private static func other(
    among cases: [EnumerationCase], apartFrom chosen: [Symptom: EnumerationCase]
  ) -> EnumerationCase? {
    let free = cases.filter { one in
      let symptoms = chosen.filter { $0.value.name == one.name }.keys
      return symptoms.isEmpty
        || (symptoms.allSatisfy(Symptom.ofNetwork.contains) && wrapsError(one) && !isOfNetwork(one))
    }
    return Symptom.other.names.lazy.compactMap { word in
      free.first { $0.name.lowercased().contains(word) }
    }.first ?? free.first(where: wrapsError) ?? free.first(where: hasMessage)
  }

  /// Returns the case for everything that has none.
  private static func fallback(
    among cases: [EnumerationCase], apartFrom chosen: [Symptom: EnumerationCase]
  ) -> EnumerationCase? {
    let free = cases.filter { one in !chosen.values.contains { $0.name == one.name } }
    if let named = other(among: cases, apartFrom: chosen) ?? chosen[.unavailable] ?? chosen[.serverError] {
      return named
    }
    // A client that does not distinguish answers of servers wraps them, or cannot read them.
    let wrapping = cases.first { wrapsError($0) && isOfNetwork($0) }
    let unread = chosen[.unreadable].flatMap { name($0).contains("response") ? $0 : nil }
    return wrapping ?? unread ?? free.last ?? cases.last
  }

  /// Returns the value of a case for a symptom; `nil` if a part of it is not known.
  private static func value(
    _ one: EnumerationCase, for symptom: Symptom, _ samples: SampleValues
  ) -> String? {
    guard !one.payload.isEmpty else { return ".\(one.name)" }
    var parts: [String] = []
    for part in one.payload {
      let isDelay =
        symptom == .rateLimited
        && !["status", "code", "response"].contains { part.name.lowercased().contains($0) }
      let known: String? =
        switch part.type {
        case "Int?" where isDelay: "delay.map { Int($0.components.seconds) }"
        case "Int" where isDelay && part.label != nil: "Int(delay?.components.seconds ?? 0)"
        case "Double?" where isDelay, "TimeInterval?" where isDelay:
          "delay.map { Double($0.components.seconds) }"
        case "Duration?" where isDelay: "delay"
        case "Double" where isDelay, "TimeInterval" where isDelay:
          "Double(delay?.components.seconds ?? 0)"
        case "Duration" where isDelay: "delay ?? .zero"
        case "Int", "Int?": "\(symptom.status)"
        case "String", "String?": "\"\\(fault)\""
        case "URLError": "URLError(.\(symptom.code))"
        case "URLError.Code": "URLError.Code.\(symptom.code)"
        case "any Error", "any Error & Sendable", "any Sendable & Error", "(any Error)", "(any Error)?":
          Symptom.ofNetwork.contains(symptom) ? "URLError(.\(symptom.code))" : "fault"
        case "DecodingError":
          "DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: \"\\(fault)\"))"
        default: samples.expression(of: part.type, named: part.name)
        }
      guard let known else { return nil }
      parts.append(part.label.map { "\($0): \(known)" } ?? known)
    }
    return ".\(one.name)(\(parts.joined(separator: ", ")))"
  }

  // MARK: - Source

  /// The values of symptoms with a case, and the symptoms without one.
  private func rows() -> (rows: [(patterns: [String], value: String)], others: [Symptom]) {
    var rows: [(patterns: [String], value: String)] = []
    var others: [Symptom] = []
    for symptom in Symptom.allCases where symptom != .other {
      guard let value = chosen[symptom].flatMap({ Self.value($0, for: symptom, samples) }) else {
        others.append(symptom)
        continue
      }
      let pattern = symptom.pattern(using: value)
      if let place = rows.firstIndex(where: { $0.value == value }) {
        rows[place].patterns.append(pattern)
      } else {
        rows.append(([pattern], value))
      }
    }
    return (rows, others)
  }

  /// Whether no symptom has a case.
  var isEmpty: Bool { chosen.isEmpty }

  /// Writes the cases of a function that returns any error, and returns the symptoms without one.
  func writeCases(to source: inout SourceText) -> [Symptom] {
    let (rows, others) = self.rows()
    for row in rows {
      source.line("case \(row.patterns.joined(separator: ", ")): \(qualifiedType)\(row.value)")
    }
    return others
  }

  /// Writes `init(_: Fault)`.
  ///
  /// - Parameters:
  ///   - source: The text of the file.
  ///   - access: The modifier of the access level.
  ///   - isolation: The modifier of declarations that would be isolated by default.
  func write(to source: inout SourceText, access: String, isolation: String) {
    var (rows, others) = self.rows()
    rows.removeAll { $0.value == fallback }
    source.block("\(isolation)extension \(qualifiedType) {") { source in
      source.documentation([
        "What the live service throws for a fault.", "The cases are guessed from their names. Correct them.",
      ])
      source.block("\(access)init(_ fault: \(samples.index.name("Fault", in: "Understudy"))) {") { source in
        guard !rows.isEmpty else {
          source.line("// Every fault is the same error until you distinguish them.")
          return source.line("self = \(fallback)")
        }
        source.line("self =")
        source.nested { source in
          source.line("switch fault.symptom {")
          for row in rows {
            let patterns = row.patterns.joined(separator: ", ")
            if source.fits("case \(patterns): \(row.value)") {
              source.line("case \(patterns): \(row.value)")
            } else {
              source.line("case \(patterns):")
              source.nested { $0.line(row.value) }
            }
          }
          if !others.isEmpty {
            source.comment(
              "No case has a name for \(others.map(\.rawValue).joined(separator: ", ")), so the default applies."
            )
          }
          source.line("default: \(fallback)")
          source.line("}")
        }
      }
    }
  }
}

extension SourceText {
  /// Writes a comment, on as many lines as required.
  mutating func comment(_ text: String) {
    var line = "//"
    for word in text.split(separator: " ") {
      if !fits("\(line) \(word)"), line != "//" {
        self.line(line)
        line = "//"
      }
      line += " \(word)"
    }
    self.line(line)
  }

  /// Writes a call on one line, with its arguments on the next one, or with each of them on its own.
  ///
  /// - Parameters:
  ///   - head: The source up to the opening bracket.
  ///   - rest: The arguments, the closing bracket and what follows.
  mutating func call(_ head: String, _ rest: String) {
    guard !fits(head + rest) else { return line(head + rest) }
    line(head)
    nested { source in
      guard !source.fits(rest) else { return source.line(rest) }
      var depth = 1
      let inside = rest.prefix { character in
        depth += character == "(" ? 1 : character == ")" ? -1 : 0
        return depth > 0
      }
      let arguments = DeclarationScanner.split(inside, at: ",")
      for (number, argument) in arguments.enumerated() {
        source.call(argument + (number + 1 < arguments.count ? "," : String(rest.dropFirst(inside.count))))
      }
    }
  }

  /// Writes a statement that ends with a call.
  mutating func call(_ statement: String) {
    let bracket = statement.firstIndex(of: "(").map { statement.index(after: $0) } ?? statement.endIndex
    guard !fits(statement), bracket < statement.endIndex else { return line(statement) }
    call(String(statement[..<bracket]), String(statement[bracket...]))
  }
}
