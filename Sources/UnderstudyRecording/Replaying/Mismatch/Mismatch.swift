import Foundation
import UnderstudyTransport

/// Why a recording has no answer, in words.
///
/// No secret is in it: keys have none, what is shown of a request is masked, and of secrets it says only whether the
/// recording knows them.
struct Mismatch {
  let message: String

  private init(_ lines: [String], _ state: ReplayState, _ secrets: [String]) {
    // What the rules find in one place only may stand in another as well.
    message = (secrets + state.secrets.known).reduce(lines.joined(separator: "\n")) { text, secret in
      secret.utf8.count < 6 || Redactor.isPlaceholder(secret)
        ? text : text.replacing(secret, with: KeyedRequest.mask)
    }
  }

  /// A request that no entry answers.
  init(_ asked: AskedRequest, _ state: inout ReplayState, _ scanner: SecretScanner, remedy: String) {
    let next = state.nextInOrder()
    state.makeAllKeys()
    let kind = asked.asksForWebSocket ? "WebSocket" : "answer"
    let target = Self.target(asked.request.method.rawValue, asked.request.url.absoluteString, scanner)
    var lines: [String] = []
    if let next {
      lines.append(
        "The recording is replayed in order, and \(target) came where \(Self.entry(next, state, scanner)) is next."
      )
    } else {
      lines.append("The recording has no \(kind) for \(target).")
    }
    if let nearest = NearestEntry(to: asked.keyed.key, in: state.index, isUsed: state.isUsed) {
      let use = state.isUsed[nearest.number] ? "used already" : "not used yet"
      lines.append("The nearest is \(Self.entry(nearest.number, state, scanner)) (\(use)).")
      lines += Self.reasons(asked, nearest, state).map { "  " + $0 }
    } else {
      lines.append("The recording is empty.")
    }
    let order = next == nil ? "" : "; if the order is of no meaning, replay with order: .unordered"
    lines.append(
      """
      If the client is right to ask this, \(remedy); if it asks too often, look for the retry, or let the last answer \
      repeat with repetition: .repeatsLast; if the difference is of no meaning, say so in the RequestMatching\(order).
      """)
    self.init(lines, state, asked.keyed.secrets)
  }

  private static func entry(_ number: Int, _ state: ReplayState, _ scanner: SecretScanner) -> String {
    let request = state.index.archive.request(at: number)
    return "entry \(number), \(target(request.method.rawValue, request.url, scanner))"
  }

  /// The first line of a request, without secrets and the fragment.
  private static func target(_ method: String, _ url: String, _ scanner: SecretScanner) -> String {
    var masking = SecretMasking(scanner)
    return "\(method) \(masking.text(Array(url.prefix { $0 != "#" }.utf8)))"
  }

  // MARK: What differs

  private static func reasons(
    _ asked: AskedRequest, _ nearest: NearestEntry, _ state: ReplayState
  ) -> [String] {
    let differences = differences(between: nearest.key, and: asked.keyed.key)
    guard differences.isEmpty else { return differences }
    let isWebSocket = state.index.archive.entry(at: nearest.number).answersWebSocket
    if isWebSocket != asked.asksForWebSocket {
      return isWebSocket
        ? ["It is a WebSocket, and was asked for as a page: open it with connect(to:)."]
        : ["It is a page, and was asked for as a WebSocket: send it with send(_:)."]
    }
    if !state.secrets.agree(asked.keyed.secrets, with: nearest.secrets) {
      return ["It is the same request with another secret, which no answer of the recording has handed out."]
    }
    if state.isUsed[nearest.number] {
      return [
        "It is the same request, and every recorded answer to it was given: it is asked once more than recorded."
      ]
    }
    return ["It is the same request, and comes too early: other entries are before it."]
  }

  private static func differences(between recorded: RequestKey, and asked: RequestKey) -> [String] {
    var lines: [String] = []
    func compare(_ part: String, _ recorded: String, _ asked: String) {
      if recorded != asked {
        lines.append(
          "\(part): recorded \(recorded.isEmpty ? "nothing" : recorded), asked \(asked.isEmpty ? "nothing" : asked)"
        )
      }
    }
    compare("method", recorded.method, asked.method)
    compare("scheme", recorded.scheme, asked.scheme)
    compare("host", recorded.host, asked.host)
    compare("port", recorded.port, asked.port)
    compare("path", recorded.path, asked.path)
    let (missing, added) = (recorded.query.without(asked.query), asked.query.without(recorded.query))
    if !missing.isEmpty || !added.isEmpty {
      lines.append("query: recorded \(list(missing)), asked \(list(added))")
    }
    for (kind, one, other) in [
      ("header", recorded.fields, asked.fields), ("rule", recorded.rules, asked.rules),
    ] {
      for name in Set((one + other).map(\.name)).sorted() {
        compare("\(kind) \(name)", values(of: name, in: one), values(of: name, in: other))
      }
    }
    return lines + BodyDifference.lines("body", between: recorded.body, and: asked.body)
  }

  private static func list(_ items: [String]) -> String {
    items.isEmpty ? "nothing more" : items.joined(separator: "&")
  }

  private static func values(of name: String, in fields: [RequestKey.Field]) -> String {
    fields.filter { $0.name == name }.map(\.value).joined(separator: ", ")
  }
}

// MARK: Messages of WebSockets

extension Mismatch {
  /// A message of a client that is not the next of the recording.
  ///
  /// - Parameters:
  ///   - recorded: The next message of the recording, and its number among those of its entry; `nil` after the last.
  ///   - number: The entry.
  init(
    _ asked: WebSocketMessage, recorded: (number: Int, message: WebSocketMessage)?, ofEntry number: Int,
    _ state: ReplayState, _ keying: RequestKeying, remedy: String
  ) {
    let sent = keying.keyed(asked)
    var lines = [
      "The client sent what \(Self.entry(number, state, keying.scanner)), a recorded WebSocket, has not next."
    ]
    if let recorded {
      let expected = keying.keyed(recorded.message)
      lines.append("Next is message \(recorded.number):")
      var differences = BodyDifference.lines("message", between: expected.key, and: sent.key, "sent")
      if asked.kind != recorded.message.kind {
        differences.insert("kind: recorded \(recorded.message.kind), sent \(asked.kind)", at: 0)
      }
      if differences.isEmpty { differences = ["It is the same message with another secret."] }
      lines += differences.map { "  " + $0 }
    } else {
      lines.append(
        "The recorded client sent no more messages, and this one sent \(BodyDifference.words(for: sent.key))."
      )
    }
    lines.append(
      """
      If the client is right to send this, \(remedy); if the difference is of no meaning, say so in the body of the \
      RequestMatching.
      """)
    self.init(lines, state, sent.secrets)
  }
}

extension WebSocketMessage {
  /// What it carries, in a word.
  fileprivate var kind: String {
    switch self {
    case .text: "text"
    case .binary: "bytes"
    }
  }
}

extension [String] {
  /// The items that are not in another list as often.
  fileprivate func without(_ other: [String]) -> [String] {
    var counts = Dictionary(other.map { ($0, 1) }, uniquingKeysWith: +)
    return filter { item in
      guard let count = counts[item], count > 0 else { return true }
      counts[item] = count - 1
      return false
    }
  }
}
