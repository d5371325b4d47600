import Foundation
import UnderstudyHTTP
import UnderstudyText

/// A new request.
struct AskedRequest: Sendable {
  let request: HTTP.Request
  var keyed: KeyedRequest
  /// Whether the request is for a WebSocket.
  let asksForWebSocket: Bool
  /// Whether an entry may answer an ordinary request that could be a refused WebSocket or an ordinary exchange.
  var acceptsEither = false
  /// Whether the client may have the secret of a response from elsewhere.
  var acceptsAnySecret = false
  let hash: UInt64

  init(_ request: HTTP.Request, _ keying: RequestKeying, asksForWebSocket: Bool) {
    self.request = request
    self.asksForWebSocket = asksForWebSocket
    keyed = keying.keyed(request)
    hash = IndexedArchive.requestHash(method: request.method.rawValue, url: request.url.absoluteString)
  }
}

/// The messages of the errors that a replay has thrown: the first ones and the number of the others, because a client
/// may repeat a request for days.
struct UnansweredRequests: Sendable {
  private static let limit = 1_000

  private var first: [String] = []
  private var otherCount = 0

  mutating func append(_ message: String) {
    if first.count < Self.limit { first.append(message) } else { otherCount += 1 }
  }

  /// The messages, the last one of which may describe how many others were dropped.
  var messages: [String] {
    otherCount == 0
      ? first
      : first + ["\(Words.count(otherCount, "more request")) without a match, whose messages were dropped"]
  }
}

/// The state of a replay: its index, its known secrets and its used entries.
struct ReplayState: Sendable {
  /// An entry and its index in the recording.
  struct Found: Sendable {
    let number: Int
    let entry: HTTPArchive.Entry
    let answersWebSocket: Bool?
    /// The response, if it was kept.
    fileprivate(set) var response: HTTP.Response?

    fileprivate init(_ number: Int, _ entry: HTTPArchive.Entry) {
      self.number = number
      self.entry = entry
      answersWebSocket = entry.answersWebSocket
    }
  }

  private(set) var index: ReplayIndex
  var secrets: ReplaySecrets
  var unanswered = UnansweredRequests()
  /// The number of recorded messages that a client sent, by entry; the maximum of several replays.
  var sentMessages: [Int: Int] = [:]
  private(set) var isUsed: [Bool]
  /// For each line, the position of the first entry that may be unused.
  private var positions: [Int: Int] = [:]
  /// For each line with several entries, the fields in which they differ.
  private var distinctFields: [Int: DistinctFields] = [:]
  /// Entries with their responses, because decoding an entry takes several times as long as finding it.
  private var kept: [Int: Found] = [:]
  /// The placeholders of the responses that the client has received, as far as these were searched.
  private var delivered: Set<String> = []
  private var searched: Set<Int> = []
  /// The next entry in recorded order.
  private var position = 0
  private let order: ReplayingTransport.Order
  private let repetition: ReplayingTransport.Repetition

  init(_ index: ReplayIndex, _ order: ReplayingTransport.Order, _ repetition: ReplayingTransport.Repetition) {
    self.index = index
    self.order = order
    self.repetition = repetition
    secrets = ReplaySecrets(index.archive.log.placeholders)
    isUsed = Array(repeating: false, count: index.archive.entryCount)
  }

  /// Takes the entry that matches a request.
  mutating func take(_ asked: AskedRequest) -> Found? {
    if let found = takeWithKnownSecrets(asked) { return found }
    // Entries that their tool did not record exactly answer what no exact entry does.
    var asked = asked
    asked.acceptsEither = true
    if let found = takeWithKnownSecrets(asked) { return found }
    if index.hasFlattened {
      var flattened = asked
      flattened.keyed = index.keying.keyed(asked.request, flattened: true)
      if let found = takeWithKnownSecrets(flattened) { return found }
    }
    asked.acceptsAnySecret = true
    return takeWithKnownSecrets(asked) ?? takeByPattern(asked)
  }

  /// Takes the only entry that a request matches except for texts in place of its placeholders.
  private mutating func takeByPattern(_ asked: AskedRequest) -> Found? {
    guard order == .unordered, !index.archive.log.placeholders.isEmpty else { return nil }
    index.makeGroups()
    let open = index.keying.keyingWithoutSecrets.keyed(asked.request).key
    var candidates: [Candidate] = []
    for group in index.groups ?? [] where PlaceholderPattern.mayMatch(group.head, open.head) {
      for number in group.entries where !isUsed[number] {
        guard let line = index.line(ofEntry: number), let found = found(number, asked),
          let secrets = PlaceholderPattern.secrets(of: open, inPlaceOf: index.lines[line].key),
          let bindings = self.secrets.bindings(
            of: secrets, to: index.lines[line].secrets, accepting: undelivered(index.lines[line].secrets)),
          bindings.values.allSatisfy({
            SecretValue.token.isDistinctive($0) || asked.keyed.secrets.contains($0)
          })
        else { continue }
        candidates.append(Candidate(found: found, bindings: bindings))
      }
    }
    guard !isUndecided(candidates), let first = candidates.first else { return nil }
    secrets.bind(first.bindings)
    return use(first.found)
  }

  private mutating func takeWithKnownSecrets(_ asked: AskedRequest) -> Found? {
    if let found = takeAsKeyed(asked) { return found }
    // A recorder replaces every copy of a secret, also where no rule detects it, such as a password that is sent twice.
    let known = secrets.known(with: asked.keyed.secrets)
    guard !known.isEmpty else { return nil }
    var again = asked
    again.keyed = index.keying.keyed(
      asked.request, copiesOf: known, flattened: asked.keyed.key.isFlattened)
    return again.keyed.key == asked.keyed.key ? nil : takeAsKeyed(again)
  }

  /// Takes all entries that match a request, regardless of secrets.
  mutating func takeAll(_ asked: AskedRequest) {
    index.makeKeys(forHash: asked.hash)
    _ = index.makeKeys(forHead: asked.keyed.key.head)
    var lines = index.lines(of: asked.keyed.key)
    if index.hasFlattened {
      lines += index.lines(of: index.keying.keyed(asked.request, flattened: true).key)
    }
    for line in lines {
      for number in index.lines[line].entries { isUsed[number] = true }
    }
  }

  private mutating func takeAsKeyed(_ asked: AskedRequest) -> Found? {
    if order == .ordered { return takeNext(asked) }
    index.makeKeys(forHash: asked.hash)
    if let found = takeAny(asked) { return found }
    return index.makeKeys(forHead: asked.keyed.key.head) ? takeAny(asked) : nil
  }

  // MARK: In any order

  private mutating func takeAny(_ asked: AskedRequest) -> Found? {
    let secrets = asked.keyed.secrets
    if let line = index.line(of: asked.keyed.key, self.secrets.recorded(secrets)),
      self.secrets.agree(secrets, with: index.lines[line].secrets), let found = unused(in: line, asked)
    {
      return use(found)
    }
    var repeated: Found?
    let lines = index.lines(of: asked.keyed.key)
    for line in lines where self.secrets.agree(secrets, with: index.lines[line].secrets) {
      if let found = unused(in: line, asked) { return use(found) }
      if repetition == .repeatsLast { repeated = last(in: line, asked) ?? repeated }
    }
    if let repeated { return repeated }
    let candidates = candidates(asked)
    guard !isUndecided(candidates), let first = candidates.first else { return nil }
    self.secrets.bind(first.bindings)
    return use(first.found)
  }

  /// A recorded request that is equal to a request if its secrets are the client's.
  struct Candidate: Sendable {
    let found: Found
    let bindings: [String: String]
  }

  /// Returns the recorded requests that are equal to a request with unknown secrets, of each line the next one.
  private mutating func candidates(_ asked: AskedRequest) -> [Candidate] {
    index.lines(of: asked.keyed.key).compactMap { line in
      guard
        let bindings = bindings(asked, line),
        let found = unused(in: line, asked) ?? (repetition == .repeatsLast ? last(in: line, asked) : nil)
      else { return nil }
      return Candidate(found: found, bindings: bindings)
    }
  }

  /// Returns whether the candidates differ in a secret that the request may have: an answer would be a guess.
  private func isUndecided(_ candidates: [Candidate]) -> Bool {
    candidates.dropFirst().contains { one in
      candidates.contains { secrets.disagree($0.bindings, one.bindings) }
    }
  }

  /// Returns the candidates between which only an unknown secret decides; empty if the request is decided.
  mutating func undecided(_ asked: AskedRequest) -> [Candidate] {
    guard order == .unordered else { return [] }
    let candidates = candidates(asked)
    return isUndecided(candidates) ? candidates : []
  }

  private mutating func bindings(_ asked: AskedRequest, _ line: Int) -> [String: String]? {
    let recorded = index.lines[line].secrets
    return secrets.bindings(
      of: asked.keyed.secrets, to: recorded, accepting: asked.acceptsAnySecret ? undelivered(recorded) : [])
  }

  /// Returns the placeholders that no response has given to the client.
  private mutating func undelivered(_ placeholders: [String]) -> Set<String> {
    for number in isUsed.indices where isUsed[number] && searched.insert(number).inserted {
      let response = index.archive.entry(at: number).response
      var text = response.json.compactText
      if let body = response.content.body { text += String(decoding: body, as: UTF8.self) }
      for match in text.matches(of: /redacted-[0-9]+|\b2[0-9]{9}\b/) {
        let text = String(match.output)
        delivered.insert(Redactor.placeholder(ofNumber: text) ?? text)
      }
    }
    return Set(placeholders).subtracting(delivered)
  }

  private mutating func use(_ found: Found) -> Found {
    isUsed[found.number] = true
    return found
  }

  /// Returns the first unused entry of a line.
  private mutating func unused(in line: Int, _ asked: AskedRequest) -> Found? {
    let entries = index.lines[line].entries
    var position = positions[line] ?? 0
    while position < entries.count, isUsed[entries[position]] { position += 1 }
    positions[line] = position
    guard position < entries.count else { return nil }
    if entries.count > Self.comparedCount {
      for number in entries[position...] where !isUsed[number] {
        if let found = found(number, asked) { return found }
      }
      return nil
    }
    for (number, agreement) in ranked(entries, in: line, asked) {
      if !isUsed[number] {
        if let found = found(number, asked) { return found }
      } else if agreement > 0, found(number, asked) != nil {
        // The other entries have less in common: they answer another question, such as that of another tenant.
        return nil
      }
    }
    return nil
  }

  /// Returns entries of a line with the number of distinct header fields that they have in common with a request: the
  /// most first, and of equal ones the unused first.
  private mutating func ranked(
    _ entries: [Int], in line: Int, _ asked: AskedRequest
  ) -> [(number: Int, agreement: Int)] {
    guard entries.count > 1, entries.count <= Self.comparedCount else { return entries.map { ($0, 0) } }
    if distinctFields[line]?.count != entries.count {
      distinctFields[line] = DistinctFields(entries, in: index.archive)
    }
    guard let distinct = distinctFields[line], !distinct.isEmpty else { return entries.map { ($0, 0) } }
    let fields = asked.request.fields.valuesByName
    let ranks = entries.map { distinct.agreement(of: $0, with: fields, recorded: secrets.recorded) }
    let order = entries.indices.sorted {
      (-ranks[$0], isUsed[entries[$0]] ? 1 : 0, $0) < (-ranks[$1], isUsed[entries[$1]] ? 1 : 0, $1)
    }
    return order.map { (entries[$0], ranks[$0]) }
  }

  /// The maximum number of equal requests whose fields are compared; more are those of a client that polls.
  private static let comparedCount = 1000

  /// Returns the last matching entry of a line, to repeat it.
  private mutating func last(in line: Int, _ asked: AskedRequest) -> Found? {
    for (number, _) in ranked(index.lines[line].entries.reversed(), in: line, asked) {
      if let found = found(number, asked) { return found }
    }
    return nil
  }

  private func found(_ number: Int, _ asked: AskedRequest) -> Found? {
    let found = kept[number] ?? Found(number, index.archive.entry(at: number))
    // A refused handshake is recorded as such an exchange, in its place among those that succeeded.
    let answersIt =
      found.answersWebSocket.map { $0 == asked.asksForWebSocket }
      ?? (asked.asksForWebSocket || asked.acceptsEither)
    return answersIt ? found : nil
  }

  // MARK: Repetition

  private static let (keptCount, keptBytes) = (128, 64 << 10)

  /// Keeps the response of an entry if it may be repeated and has a small body in memory.
  mutating func keep(_ response: HTTP.Response, of found: Found) {
    guard repetition == .repeatsLast, let chunks = response.body.chunksInMemory,
      chunks.reduce(0, { $0 + $1.count }) <= Self.keptBytes
    else { return }
    if kept.count == Self.keptCount { kept.removeAll() }
    var found = found
    found.response = response
    kept[found.number] = found
  }

  // MARK: In recorded order

  private mutating func takeNext(_ asked: AskedRequest) -> Found? {
    if let next = nextInOrder(), let line = index.line(ofEntry: next),
      index.lines[line].key == asked.keyed.key, let found = found(next, asked),
      let bindings = bindings(asked, line)
    {
      secrets.bind(bindings)
      position = next + 1
      return use(found)
    }
    guard repetition == .repeatsLast else { return nil }
    _ = index.makeKeys(forHead: asked.keyed.key.head)
    var repeated: Found?
    for line in index.lines(of: asked.keyed.key)
    where secrets.agree(asked.keyed.secrets, with: index.lines[line].secrets) {
      // Repeated only after all its recorded occurrences.
      if unused(in: line, asked) != nil { return nil }
      repeated = last(in: line, asked) ?? repeated
    }
    return repeated
  }

  /// Returns the next entry in recorded order; `nil` in other orders.
  mutating func nextInOrder() -> Int? {
    guard order == .ordered else { return nil }
    while position < isUsed.count, index.line(ofEntry: position) == nil { position += 1 }
    return position < isUsed.count ? position : nil
  }

  // MARK: Messages

  /// Returns the recorded request that is nearest to a request without a response.
  mutating func nearest(to asked: RequestKey) -> NearestEntry? {
    NearestEntry(to: asked, in: &index, isUsed: isUsed)
  }
}

extension HTTPArchive.Entry {
  /// Whether the entry is a response to a WebSocket handshake, including a refusal; `nil` if its tool describes it as
  /// part of a WebSocket, but neither its request nor its response shows it.
  var answersWebSocket: Bool? {
    if isWebSocket { return true }
    let request = request
    guard request.method == .get else { return false }
    let isHandshake =
      request.url.hasPrefix("ws:") || request.url.hasPrefix("wss:")
      || request.headers.contains { field in
        field.name.lowercased() == "upgrade" && field.value.lowercased() == "websocket"
      }
    return isHandshake ? true : isOfWebSocket ? nil : false
  }
}
