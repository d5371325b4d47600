import Foundation
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyText

/// The differences between two responses to the same request that a client could notice.
///
/// Values are expected to differ. Compared are the status, the names of header fields, the media type, the shape of JSON,
/// and how a body ended. If the first digit of the status differs, nothing else is compared.
struct AnswerDrift {
  struct Difference: Encodable, Equatable {
    enum Part: String, Encodable {
      case status
      case header
      case body
      case json
      case events
      case messages
      case end
    }

    let part: Part
    /// The name of the field, or the path of the value; `nil` if the part has only one.
    var place: String?
    /// The value before; `nil` if it was missing.
    let before: String?
    /// The value now; `nil` if it is missing.
    let now: String?

    /// The difference in one line.
    var line: String {
      let name =
        switch (part, place) {
        case (.status, _), (.body, _), (.end, _): part.rawValue
        case (.json, let place): place ?? "$"
        case (_, let place): "\(part.rawValue) \(place ?? "")"
        }
      let change =
        switch (before, now) {
        case (let before?, let now?): "\(before) → \(now)"
        case (let before?, nil): "removed (\(before))"
        case (nil, let now?): "added (\(now))"
        case (nil, nil): "differs"
        }
      return "\(name): \(change)".visible
    }
  }

  /// Header fields that vary with time, the connection and caches, in lower case.
  static let varyingFields: Set<String> = [
    "age", "alt-svc", "cf-cache-status", "cf-ray", "connection", "content-encoding", "content-length", "date",
    "etag",
    "expires", "keep-alive", "last-modified", "nel", "report-to", "request-id", "server-timing",
    "traceparent", "transfer-encoding", "via", "x-amz-cf-id", "x-amz-cf-pop", "x-amz-request-id",
    "x-amzn-requestid", "x-amzn-trace-id", "x-cache", "x-cache-hits", "x-correlation-id",
    "x-envoy-upstream-service-time",
    "x-request-id", "x-runtime", "x-served-by", "x-timer", "x-trace-id",
  ]

  private let before: HTTPArchive.Entry
  private let now: HTTPArchive.Entry
  private let old: RecordedAnswer
  private let new: RecordedAnswer

  init(from before: HTTPArchive.Entry, to now: HTTPArchive.Entry) {
    (self.before, self.now) = (before, now)
    (old, new) = (RecordedAnswer(before), RecordedAnswer(now))
  }

  /// All differences.
  var differences: [Difference] {
    let status = change(of: .status, old.statusInWords, new.statusInWords)
    guard let one = old.status, let other = new.status, one / 100 == other / 100 else { return status }
    return status + fields + content + end
  }

  private func change(of part: Difference.Part, _ before: String?, _ now: String?) -> [Difference] {
    before == now ? [] : [Difference(part: part, before: before, now: now)]
  }

  private var fields: [Difference] {
    let (old, new) = (Self.fields(of: before), Self.fields(of: now))
    return Set(old.keys).union(new.keys).sorted().compactMap { name in
      switch (old[name], new[name]) {
      case (let one?, nil): return Difference(part: .header, place: one.name, before: one.value, now: nil)
      case (nil, let other?):
        return Difference(part: .header, place: other.name, before: nil, now: other.value)
      case (let one?, let other?):
        guard name == "content-type" else { return nil }
        let same = Self.normalized(one.value) == Self.normalized(other.value)
        return same ? nil : Difference(part: .header, place: one.name, before: one.value, now: other.value)
      case (nil, nil): return nil
      }
    }
  }

  /// Returns the fields to compare, by their names in lower case, without secrets.
  private static func fields(of entry: HTTPArchive.Entry) -> [String: (name: String, value: String)] {
    let fields = entry.response.headers.filter { !$0.name.hasPrefix(":") }
    return Dictionary(
      fields.map { field in
        let value = Redaction.masked(field.value, ofField: field.name).cut(to: 60)
        return (field.name.lowercased(), (field.name, value))
      }
    ) { first, _ in first }.filter { !varyingFields.contains($0.key) }
  }

  /// Returns the normalized form of a media type with its parameters (RFC 9110 §8.3.1).
  private static func normalized(_ type: String) -> String {
    type.lowercased().filter { $0 != " " && $0 != "\"" }
  }

  private var content: [Difference] {
    if before.isWebSocket, now.isWebSocket { return messages }
    if old.kind == .events, new.kind == .events { return events }
    // A body of which only the size was recorded cannot be compared.
    guard !old.lacksBody, !new.lacksBody else { return [] }
    if let one = old.json, let other = new.json {
      return JSONShape(one).differences(to: JSONShape(other)).map {
        Difference(part: .json, place: $0.place, before: $0.before, now: $0.now)
      }
    }
    return change(of: .body, words(for: old), words(for: new))
  }

  private func words(for answer: RecordedAnswer) -> String? {
    answer.body.isEmpty ? nil : answer.json == nil ? "not JSON" : "JSON"
  }

  /// The shape of the data, for each type of event.
  private var events: [Difference] {
    compare(.events, old.events.map { ($0.type, $0.data) }, new.events.map { ($0.type, $0.data) })
  }

  /// The shape of the texts that the client received.
  private var messages: [Difference] {
    func received(_ entry: HTTPArchive.Entry) -> [(String, String)] {
      entry.webSocketMessages.compactMap { message in
        guard message.direction == .receive, case .text(let text)? = message.message else { return nil }
        return ("received", text)
      }
    }
    return compare(.messages, received(before), received(now))
  }

  private func compare(
    _ part: Difference.Part, _ before: [(type: String, text: String)], _ now: [(type: String, text: String)]
  ) -> [Difference] {
    func shapes(of documents: [(type: String, text: String)]) -> [String: JSONShape] {
      documents.reduce(into: [:]) { $0[$1.type, default: JSONShape()].add(text: Data($1.text.utf8)) }
    }
    let (old, new) = (shapes(of: before), shapes(of: now))
    return Set(old.keys).union(new.keys).sorted().flatMap { type -> [Difference] in
      switch (old[type], new[type]) {
      case (let one?, let other?):
        one.differences(to: other).map {
          Difference(part: part, place: "\(type) \($0.place)", before: $0.before, now: $0.now)
        }
      case (let one, let other):
        [Difference(part: part, place: type, before: one?.types, now: other?.types)]
      }
    }
  }

  /// The difference between the ends of the bodies, which cannot be compared if a reader stopped early.
  private var end: [Difference] {
    guard old.badEnd != "unfinished", new.badEnd != "unfinished" else { return [] }
    return change(of: .end, old.badEnd ?? "complete", new.badEnd ?? "complete")
  }
}

/// The differences between a recording and another one, or the service today.
struct DriftReport: Encodable {
  /// Two exchanges of the same request whose responses differ.
  struct Change: Encodable {
    let request: String
    /// The number of the exchange in the recording.
    let before: Int
    /// Its number in the other recording; `nil` for a service.
    let now: Int?
    let differences: [AnswerDrift.Difference]
  }

  /// An exchange without a counterpart, or one that was not sent.
  struct Lone: Encodable {
    let request: String
    let exchange: Int
    var reason: String?

    fileprivate var line: String {
      "  exchange \(exchange): \(request)" + (reason.map { " (\($0))" } ?? "")
    }
  }

  /// The file of the recording.
  let before: String
  /// The other file, or the origin of the service.
  let now: String
  /// The number of exchanges that were compared.
  var compared = 0
  var changed: [Change] = []
  var onlyBefore: [Lone] = []
  var onlyNow: [Lone] = []
  /// The exchanges that were not sent to the service.
  var notSent: [Lone] = []

  /// Whether there was nothing to compare.
  var isEmpty: Bool { compared == 0 && onlyBefore.isEmpty && onlyNow.isEmpty && notSent.isEmpty }

  var hasDrifted: Bool { !(changed.isEmpty && onlyBefore.isEmpty && onlyNow.isEmpty) }

  var lines: [String] {
    var lines = [
      "\(before) → \(now): \(Words.count(compared, "exchange")) compared, \(changed.count) changed".visible
    ]
    for change in changed {
      let place = change.now.map { "exchange \(change.before) → \($0)" } ?? "exchange \(change.before)"
      lines += ["", "\(change.request) (\(place))"] + change.differences.map { "  \($0.line)" }
    }
    for (title, exchanges) in [
      ("only in \(before)", onlyBefore), ("only in \(now)", onlyNow), ("not sent", notSent),
    ] where !exchanges.isEmpty {
      lines += ["", "\(title):".visible] + exchanges.map { $0.line.visible }
    }
    return lines
  }
}
