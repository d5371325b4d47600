import Understudy

/// How a recording differs from another, or from a service today.
struct DriftReport: Encodable {
  /// Two exchanges of the same request whose answers differ.
  struct Change: Encodable {
    let request: String
    /// The number of the exchange in the recording.
    let before: Int
    /// That in the other one; `nil` for a service.
    let now: Int?
    let differences: [AnswerDrift.Difference]
  }

  /// An exchange that has no counterpart, or was not sent.
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
  /// How many exchanges were compared.
  var compared = 0
  var changed: [Change] = []
  var onlyBefore: [Lone] = []
  var onlyNow: [Lone] = []
  /// What was not sent to the service, and why.
  var notSent: [Lone] = []

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
