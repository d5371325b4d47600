import Foundation
import UnderstudyHTTP

/// What a message about a request without a response recommends.
struct ReplayAdvice: Sendable {
  /// How to re-record, in the imperative.
  let remedy: String
  /// Whether the user can configure the replay, so that the message names the options.
  let namesOptions: Bool
}

/// A description of the reason why a recording has no matching response.
///
/// It contains no secrets: keys have none, the shown parts of a request are masked, and for secrets it only states
/// whether the recording contains them.
struct Mismatch {
  let message: String

  /// Describes a request without a matching entry.
  init(_ asked: AskedRequest, _ state: inout ReplayState, _ keying: RequestKeying, _ advice: ReplayAdvice) {
    let undecided = state.undecided(asked)
    if !undecided.isEmpty {
      message = Self.message(asked, undecided, state, keying, advice)
      return
    }
    let next = state.nextInOrder()
    let nearest = state.nearest(to: asked.keyed.key)
    let hiding = HiddenSecrets(keying, asked.keyed.secrets, state)
    let target = hiding.target(asked.request.method.rawValue, asked.request.url.absoluteString)
    var lines: [String] = []
    if let next {
      let entry = hiding.entry(next, state)
      lines.append("The recording is replayed in order: expected \(entry), found \(target).")
    } else {
      lines.append("No recorded \(asked.asksForWebSocket ? "WebSocket" : "response") matches \(target).")
    }
    if let nearest {
      let use = state.isUsed[nearest.number] ? "already used" : "not used yet"
      lines.append("  nearest: \(hiding.entry(nearest.number, state)) (\(use))")
      let key =
        nearest.key.isFlattened ? keying.keyed(asked.request, flattened: true).key : asked.keyed.key
      let differences = Self.differences(between: nearest.key, and: key, hiding)
      lines +=
        differences.isEmpty ? ["  " + Self.reason(asked, nearest, state)] : differences.map { "  " + $0 }
    } else {
      lines.append("  The recording is empty.")
    }
    let order = next == nil ? "" : ", or replay with order: .unordered"
    lines.append("If the request is correct, \(advice.remedy).")
    if advice.namesOptions {
      lines.append(
        """
        To repeat the last response to a request, replay with repetition: .repeatsLast.
        To ignore the difference, configure the RequestMatching\(order).
        """)
    }
    message = lines.joined(separator: "\n")
  }

  /// Describes a request that is equal to several recorded ones, except for a secret that is not known yet.
  private static func message(
    _ asked: AskedRequest, _ undecided: [ReplayState.Candidate], _ state: ReplayState,
    _ keying: RequestKeying, _ advice: ReplayAdvice
  ) -> String {
    let hiding = HiddenSecrets(keying, asked.keyed.secrets, state)
    let target = hiding.target(asked.request.method.rawValue, asked.request.url.absoluteString)
    let entries = undecided.map { candidate in
      let placeholders = candidate.bindings.keys.sorted().joined(separator: ", ")
      return "  \(hiding.entry(candidate.found.number, state)), with the secret \(placeholders)"
    }
    let question = """
      Several recorded requests match \(target), and only a secret tells them apart.
      \(entries.joined(separator: "\n"))
        The replay does not know the secret of this request yet, so the response may be for another client.
      To decide it, send each secret first in a request that only its owner sends, such as the recorded sign-in.
      """
    guard advice.namesOptions else { return question }
    return """
      \(question)
      To distinguish the requests by another part, configure the fieldNames or the rules of the RequestMatching.
      If the requests always come in this order, replay with order: .ordered.
      If the values are not secrets, remove their name from the fieldNames of the Redaction, and \(advice.remedy).
      """
  }

  /// Returns the reason why a request without differences has no response.
  private static func reason(_ asked: AskedRequest, _ nearest: NearestEntry, _ state: ReplayState) -> String {
    let isWebSocket = state.index.archive.entry(at: nearest.number).answersWebSocket
    if let isWebSocket, isWebSocket != asked.asksForWebSocket {
      return isWebSocket
        ? "It is a WebSocket, but was requested with send(_:): open it with connect(to:)."
        : "It is not a WebSocket, but was requested with connect(to:): send it with send(_:)."
    }
    if !state.secrets.agree(asked.keyed.secrets, with: nearest.secrets) {
      let known = asked.keyed.secrets.compactMap { state.secrets.placeholder(of: $0) }
      let recorded = nearest.secrets.filter(Redactor.isPlaceholder)
      return known.isEmpty || recorded.isEmpty
        ? "It is the same request with another secret, which is in no recorded response."
        : "It is the same request with another secret: recorded \(recorded.joined(separator: ", ")), requested "
          + "\(known.joined(separator: ", "))."
    }
    return state.isUsed[nearest.number]
      ? "It is the same request, sent more often than recorded: each recorded response to it has been used."
      : "It is the same request, sent too early: other entries come before it."
  }

  // MARK: Differences

  private static func differences(
    between recorded: RequestKey, and asked: RequestKey, _ hiding: HiddenSecrets
  ) -> [String] {
    var lines: [String] = []
    func compare(_ part: String, _ recorded: String, _ asked: String) {
      if recorded != asked {
        lines.append(
          "\(part): recorded \(recorded.isEmpty ? "nothing" : recorded), requested \(asked.isEmpty ? "nothing" : asked)"
        )
      }
    }
    compare("method", recorded.head.method, asked.head.method)
    compare("scheme", recorded.head.scheme, asked.head.scheme)
    compare("host", recorded.head.host, asked.head.host)
    compare("port", recorded.head.port, asked.head.port)
    compare("path", recorded.head.path, asked.head.path)
    let (missing, added) = (
      recorded.head.query.without(asked.head.query), asked.head.query.without(recorded.head.query)
    )
    if !missing.isEmpty || !added.isEmpty {
      lines.append("query: recorded \(list(missing)), requested \(list(added))")
    }
    for (kind, one, other) in [
      ("header", recorded.head.fields, asked.head.fields), ("rule", recorded.rules, asked.rules),
    ] {
      for name in Set((one + other).map(\.name)).sorted() {
        compare("\(kind) \(name)", values(of: name, in: one), values(of: name, in: other))
      }
    }
    return lines.map(hiding.text)
      + BodyDifference("body", hiding: hiding).lines(between: recorded.body, and: asked.body)
  }

  private static func list(_ items: [String]) -> String {
    items.isEmpty ? "nothing more" : items.joined(separator: "&")
  }

  private static func values(of name: String, in fields: [NamedText]) -> String {
    fields.filter { $0.name == name }.map(\.value).joined(separator: ", ")
  }
}

extension [String] {
  /// Returns the items that occur less often in another list.
  fileprivate func without(_ other: [String]) -> [String] {
    var counts = Dictionary(other.map { ($0, 1) }, uniquingKeysWith: +)
    return filter { item in
      guard let count = counts[item], count > 0 else { return true }
      counts[item] = count - 1
      return false
    }
  }
}

extension Mismatch {
  /// Describes a client message that differs from the next recorded one.
  ///
  /// - Parameters:
  ///   - recorded: The next recorded message, and its index among those of its entry; `nil` after the last.
  ///   - number: The index of the entry.
  init(
    _ asked: WebSocketMessage, recorded: WebSocketScript.Cue?, ofEntry number: Int, _ state: ReplayState,
    _ keying: RequestKeying, _ advice: ReplayAdvice
  ) {
    let sent = keying.keyed(asked)
    let hiding = HiddenSecrets(keying, sent.secrets, state)
    let difference = BodyDifference("message", verb: "sent", hiding: hiding)
    var lines = [
      "The message is not the next recorded one of the WebSocket of \(hiding.entry(number, state))."
    ]
    if let recorded {
      lines.append("Expected message \(recorded.number):")
      var differences = difference.lines(
        between: keying.keyed(recorded.message).key, and: sent.key)
      if asked.isText != recorded.message.isText {
        differences.insert("kind: recorded \(recorded.message.kind), sent \(asked.kind)", at: 0)
      }
      if differences.isEmpty { differences = ["It is the same message with another secret."] }
      lines += differences.map { "  " + $0 }
    } else {
      lines.append(
        "Expected no more messages, found \(difference.words(for: sent.key)).")
    }
    lines.append("If the message is correct, \(advice.remedy).")
    if advice.namesOptions {
      lines.append("To ignore the difference, configure the body of the RequestMatching.")
    }
    message = lines.joined(separator: "\n")
  }
}

extension WebSocketMessage {
  /// The type of the message, in one word.
  fileprivate var kind: String { isText ? "text" : "bytes" }
}
