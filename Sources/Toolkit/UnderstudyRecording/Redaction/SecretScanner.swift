import Foundation
import UnderstudyHTTP

/// A scanner that finds the secrets in the parts of a message by the rules of a ``Redaction``.
///
/// It works on bytes and does not require complete documents. Bodies that end in the middle of a token, or that contain
/// events or lines of JSON, are searched too.
struct SecretScanner: Sendable {
  typealias Bytes = UnsafeBufferPointer<UInt8>

  /// A secret and its position.
  struct Find: Sendable {
    /// The range that the placeholder replaces.
    var range: Range<Int>
    /// The secret without the escapes of its context.
    var secret: String
    /// The rule that detected it.
    var rule = ""
    /// Whether it is a JSON number, in whose place a number must be.
    var isNumber = false
    /// The secrets inside this one, which are detected elsewhere too.
    var parts: [String] = []
    /// Whether copies of it are secrets too, wherever they are.
    var hasCopies = true
  }

  /// The kind of a text.
  enum Kind {
    /// Any text: a URL, a body or a message.
    case text
    /// The fields of a form.
    case form
    /// The value of a header field with this name.
    case header(String)
    /// The value of a member, a field or an item with this name.
    case field(String)
    /// A value inside of an object that is the value of a member with this name.
    case inside(String)
    /// The value of a query item with this name.
    case queryItem(String)
    /// A number that is the value of a member with this name.
    case number(String)
    /// The value of a cookie with this name in the header field with that name.
    case cookie(String, in: String)
    /// A text without rules, such as a name: only copies of other secrets are searched.
    case copies
  }

  let headerNames: SecretNames
  let fieldNames: SecretNames
  /// Whether the value of a secret's name must look like a secret; otherwise, every value is one.
  ///
  /// When requests are compared, the value may be any stand-in for the recorded one.
  let judgesValues: Bool
  let redactsPasswordsInURLs: Bool
  let redactsWebTokens: Bool
  let redactsPrivateKeys: Bool
  /// Whether `code` is a secret in an exchange of OAuth.
  let redactsCodes: Bool
  /// Whether it finds nothing, not even placeholders.
  private var isBlind = false
  private let literals: [String]
  private let copiesOfLiterals: CopySearch
  private let rules: [Redaction.Rule]
  private let anchors: Anchors

  /// A scanner that finds nothing, not even placeholders.
  static let blind: SecretScanner = {
    var scanner = SecretScanner(.off)
    scanner.isBlind = true
    return scanner
  }()

  /// The scanner of the default rules, made once: messages and the log of a server ask it for each name.
  static let standard = SecretScanner(.standard)

  init(_ redaction: Redaction, judgingValues judgesValues: Bool = true) {
    self.judgesValues = judgesValues
    // Made once, because most scanners have the default names.
    headerNames =
      redaction.headerNames == Redaction.standardHeaderNames
      ? Self.standardHeaderNames : SecretNames(headerFields: redaction.headerNames)
    fieldNames =
      redaction.fieldNames == SecretNames.standard
      ? Self.standardFieldNames : SecretNames(redaction.fieldNames)
    redactsPasswordsInURLs = fieldNames.contains("password")
    redactsWebTokens = redaction.redactsWebTokens
    redactsPrivateKeys = redaction.redactsPrivateKeys
    redactsCodes = fieldNames.contains("authorization_code")
    literals = redaction.literals.filter { !$0.isEmpty }
    var copies = CopySearch()
    for (number, literal) in literals.enumerated() {
      for spelling in SecretSpellings.of(literal) { copies.insert(spelling, as: number) }
    }
    copiesOfLiterals = copies
    rules = redaction.rules
    let isStandard =
      redaction.fieldNames == SecretNames.standard && redaction.redactsTokens && redactsWebTokens
      && redactsPrivateKeys
    anchors = isStandard ? Self.standardAnchors : Anchors(of: redaction, fieldNames)
  }

  private static let standardHeaderNames = SecretNames(headerFields: Redaction.standardHeaderNames)
  private static let standardFieldNames = SecretNames(SecretNames.standard)
  private static let standardAnchors = Anchors(of: .standard, standardFieldNames)

  /// Returns the secrets in any text: a URL, a body or a message.
  ///
  /// - Parameter isForm: Whether the text consists of the fields of a form.
  func finds(in bytes: [UInt8], isForm: Bool = false) -> [Find] {
    bytes.withUnsafeBufferPointer { finds(in: $0, isForm ? .form : .text) }
  }

  /// Returns the secrets in an item of a query.
  ///
  /// - Parameter isOAuth: Whether the query has items of an exchange of OAuth.
  func finds(inItem item: [UInt8], isOAuth: Bool) -> [Find] {
    item.withUnsafeBufferPointer { searched($0, isForm: false, isOAuth: isOAuth) }
  }

  /// Returns the secrets in the value of a header field.
  func finds(inField name: String, _ value: [UInt8]) -> [Find] {
    value.withUnsafeBufferPointer { finds(in: $0, .header(name)) }
  }

  /// Returns whether the value of a field with this name may be a secret.
  func isSecret(fieldNamed name: String) -> Bool {
    fieldNames.contains(name)
  }

  /// Returns a find if its value is a secret by the meaning of its name.
  func accepted(_ find: Find?, _ meaning: SecretNames.Meaning) -> Find? {
    guard var find else { return nil }
    // A placeholder with the length of its secret, in a body that is not text.
    if find.secret.utf8.last == UInt8(ascii: "."),
      case let placeholder = find.secret.prefix(while: { $0 != "." }),
      Redactor.isPlaceholder(String(placeholder)),
      find.secret.dropFirst(placeholder.count).allSatisfy({ $0 == "." })
    {
      find.secret = String(placeholder)
      find.range = find.range.prefix(placeholder.utf8.count)
    }
    if judgesValues,
      !meaning.value.isSecret(
        find.secret, isNumber: find.isNumber, isPlural: meaning.isPlural, fieldNames)
    {
      return nil
    }
    find.hasCopies = meaning.value.isDistinctive(find.secret)
    return find
  }

  /// Returns the secrets in a text, in order and without overlaps.
  func finds(in bytes: Bytes, _ kind: Kind) -> [Find] {
    switch kind {
    case .copies:
      return []
    case .text:
      return searched(bytes, isForm: false)
    case .form:
      return searched(bytes, isForm: true)
    case .field(let name), .queryItem(let name):
      guard let meaning = fieldNames.meaning(of: name) else { return searched(bytes, isForm: false) }
      let finds = named(name.lowercased(), 0..<bytes.count, in: bytes, meaning)
      return finds.isEmpty ? searched(bytes, isForm: false) : finds
    case .inside(let name):
      guard let meaning = fieldNames.meaning(of: name) else { return searched(bytes, isForm: false) }
      return accepted(match(in: bytes, 0..<bytes.count, rule: "named field"), meaning.ofObject).map { [$0] }
        ?? searched(bytes, isForm: false)
    case .number(let name):
      guard let meaning = fieldNames.meaning(of: name),
        var find = match(in: bytes, 0..<bytes.count, rule: "named field")
      else { return [] }
      find.isNumber = true
      return accepted(find, meaning).map { [$0] } ?? []
    case .cookie(let name, let field):
      return headerNames.contains(field)
        ? cookie(0..<bytes.count, in: bytes, named: name).map { [$0] } ?? [] : searched(bytes, isForm: false)
    case .header(let name):
      // A header field with the name of a secret member contains a token too.
      if headerNames.contains(name) { return header(name.lowercased(), bytes) }
      guard let meaning = fieldNames.meaning(of: name) else { return searched(bytes, isForm: false) }
      let finds = named(name.lowercased(), 0..<bytes.count, in: bytes, meaning, rule: "header field")
      return finds.isEmpty ? searched(bytes, isForm: false) : finds
    }
  }

  /// Returns the secrets in the value of a name: the value, or the parts of a header field with this name.
  func named(
    _ name: String, _ range: Range<Int>, in bytes: Bytes, _ meaning: SecretNames.Meaning,
    rule: String = "named field"
  ) -> [Find] {
    guard case .field = meaning.value else {
      return accepted(match(in: bytes, range, rule: rule), meaning).map { [$0] } ?? []
    }
    let field = name.replacing("_", with: "-")
    let known =
      ["authorization", "proxy-authorization", "cookie", "set-cookie"].contains(field)
      ? field : "authorization"
    return header(known, Bytes(rebasing: bytes[range]), isField: false).map { find in
      var find = find
      find.range = (find.range.lowerBound + range.lowerBound)..<(find.range.upperBound + range.lowerBound)
      return find
    }
  }

  /// Returns the secret in a range of a text; `nil` if the range is empty.
  func match(in bytes: Bytes, _ range: Range<Int>, rule: String) -> Find? {
    range.isEmpty
      ? nil
      : Find(range: range, secret: String(decoding: Bytes(rebasing: bytes[range]), as: UTF8.self), rule: rule)
  }

  /// Returns the secrets found by a search of all positions.
  ///
  /// - Parameter depth: The number of encodings around the text.
  func searched(_ bytes: Bytes, isForm: Bool, depth: Int = 0, isOAuth: Bool? = nil) -> [Find] {
    if isBlind { return [] }
    var search = Search(isForm: isForm, depth: depth)
    search.isOAuth = isOAuth
    // No position is searched twice, so that the search takes linear time: text inside a secret belongs to it.
    anchors.search(bytes) { position, anchor in
      findPending(before: position, in: bytes, &search)
      find(anchor, at: position, in: bytes, &search)
      return search.end
    }
    findPending(before: bytes.count, in: bytes, &search)
    if !isForm, depth == 0 { table(in: bytes, &search) }
    var finds = search.isInOrder ? search.finds : Self.merged(search.finds, in: bytes)
    let count = finds.count
    for match in copiesOfLiterals.matches(in: bytes) {
      finds.append(Find(range: match.range, secret: literals[match.number], rule: "literal"))
    }
    if !rules.isEmpty { finds += findsOfRules(in: bytes) }
    return finds.count == count ? finds : Self.merged(finds, in: bytes)
  }

  private func findsOfRules(in bytes: Bytes) -> [Find] {
    Self.texts(in: bytes).flatMap { run in
      let text = String(decoding: Bytes(rebasing: bytes[run]), as: UTF8.self)
      return rules.flatMap { rule in
        rule.ranges(text).compactMap { range in
          let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
          let end = text.utf8.distance(from: text.startIndex, to: range.upperBound)
          return match(in: bytes, (run.lowerBound + start)..<(run.lowerBound + end), rule: rule.name)
        }
      }
    }
  }

  /// Returns whether bytes are UTF-8, so that the rules for texts find what is in them.
  static func isText(_ bytes: Bytes) -> Bool {
    String(exactlyUTF8: bytes) != nil
  }

  /// Returns the longest ranges of valid UTF-8, usually one, so that an invalid byte hides no secrets.
  private static func texts(in bytes: Bytes) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var (start, position) = (0, 0)
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        position += scalar.count
      case .error(let length):
        if position > start { runs.append(start..<position) }
        position += length
        start = position
      case .emptyInput:
        if position > start { runs.append(start..<position) }
        return runs
      }
    }
  }

  /// Returns the secrets in order; overlapping ones are merged, so that no part remains.
  private static func merged(_ finds: [Find], in bytes: Bytes) -> [Find] {
    let sorted = finds.sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
    var merged: [Find] = []
    for find in sorted {
      guard let last = merged.last, find.range.lowerBound < last.range.upperBound else {
        merged.append(find)
        continue
      }
      guard find.range.upperBound > last.range.upperBound else { continue }
      let range = last.range.lowerBound..<find.range.upperBound
      merged[merged.count - 1] = Find(
        range: range, secret: String(decoding: Bytes(rebasing: bytes[range]), as: UTF8.self), rule: last.rule,
        parts: last.parts + [last.secret] + find.parts + [find.secret],
        hasCopies: last.hasCopies || find.hasCopies)
    }
    return merged
  }
}

extension SecretScanner {
  // MARK: Header fields

  /// Returns the secrets in a header field that contains only a secret.
  ///
  /// - Parameter isField: Whether it is a field of the message, and not a member with the same name.
  private func header(_ name: String, _ value: Bytes, isField: Bool = true) -> [Find] {
    let rule = "header field"
    switch name {
    case "authorization", "proxy-authorization":
      let space = value.firstIndex(of: UInt8(ascii: " "))
      let meaning = SecretNames.Meaning(value: space != nil || isField ? .phrase : .token)
      guard
        var find = accepted(match(in: value, (space.map { $0 + 1 } ?? 0)..<value.count, rule: rule), meaning)
      else { return [] }
      if let space, String(decoding: value[..<space], as: UTF8.self).lowercased() == "basic",
        let password = Self.password(ofBasicCredentials: find.secret)
      {
        find.parts = [password]
      }
      return [find]
    case "cookie":
      return cookies(in: value)
    case "set-cookie":
      let first = value.prefix { $0 != UInt8(ascii: ";") }
      return Self.merged(cookies(in: Bytes(rebasing: first)) + searched(value, isForm: false), in: value)
    default:
      let meaning = headerNames.meaning(of: name) ?? .init(value: .phrase)
      return accepted(match(in: value, 0..<value.count, rule: rule), meaning).map { [$0] } ?? []
    }
  }

  /// Returns the password of Basic credentials: the user, a colon and the password in base64 (RFC 7617 §2).
  static func password(ofBasicCredentials credentials: String) -> String? {
    let padding = String(repeating: "=", count: (4 - credentials.utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: credentials + padding), let text = String(exactlyUTF8: bytes),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    let password = text[text.index(after: colon)...]
    return password.isEmpty ? nil : String(password)
  }

  private func cookies(in bytes: Bytes) -> [Find] {
    bytes.indices.split { bytes[$0] == UInt8(ascii: ";") }.compactMap { pair in
      guard let equals = pair.first(where: { bytes[$0] == UInt8(ascii: "=") }) else { return nil }
      let name = String(decoding: bytes[pair.startIndex..<equals], as: UTF8.self)
      return cookie((equals + 1)..<pair.endIndex, in: bytes, named: name.trimmingCharacters(in: .whitespaces))
    }
  }

  /// Returns the value of a cookie, unless it is a word, a date, a locale or a short number.
  ///
  /// Only its name distinguishes a session from the item of a cart, so copies are only secrets if the name does, or if
  /// the value looks random.
  private func cookie(_ range: Range<Int>, in bytes: Bytes, named name: String) -> Find? {
    guard var find = match(in: bytes, range, rule: "cookie") else { return nil }
    if fieldNames.contains(name) {
      find.hasCopies = SecretValue.token.isDistinctive(find.secret)
      return find
    }
    guard !judgesValues || SecretValue.token.isSecret(find.secret, fieldNames) else { return nil }
    find.hasCopies = SecretValue.isRandom(find.secret) && UUID(uuidString: find.secret) == nil
    return find
  }
}
