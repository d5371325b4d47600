/// Which secrets of the client stand for which placeholders of the recording.
///
/// A placeholder stands for one secret. One secret may stand for several placeholders of the client's own: a recording
/// that was made in several sittings has one of each, since it does not know that they were the same.
struct ReplaySecrets: Sendable {
  /// Placeholders for secrets that the client has by itself.
  private let own: Set<String>
  private let placeholders: Set<String>
  private var secretOf: [String: String] = [:]
  /// The first of each.
  private var placeholderOf: [String: String] = [:]

  init(_ placeholders: [String: String]) {
    self.placeholders = Set(placeholders.keys)
    own = Set(placeholders.filter { $0.value.hasPrefix("request") }.keys)
  }

  /// The secrets of the client that are known, with those of a request, and are too long to stand in any text.
  func known(with secrets: [String]) -> [String] {
    let known = Set(secrets).union(placeholderOf.keys)
    return known.filter { $0.utf8.count >= 6 && !Redactor.isPlaceholder($0) }.sorted {
      ($1.utf8.count, $0) < ($0.utf8.count, $1)
    }
  }

  /// The secrets as the recording is likeliest to have them, as far as that is known.
  func recorded(_ secrets: [String]) -> [String] {
    secrets.map { placeholderOf[$0] ?? $0 }
  }

  /// Whether the secrets of a request are known to be those of a recorded one.
  func agree(_ secrets: [String], with recorded: [String]) -> Bool {
    secrets.count == recorded.count && zip(secrets, recorded).allSatisfy(agree)
  }

  /// A placeholder stands also for itself: an answer may have handed it out.
  private func agree(_ secret: String, _ recorded: String) -> Bool {
    secret == recorded || secretOf[recorded] == secret
  }

  /// What each placeholder would stand for, if the secrets of a request were those of a recorded one; `nil` if
  /// something that is known speaks against it.
  func bindings(of secrets: [String], to recorded: [String]) -> [String: String]? {
    guard secrets.count == recorded.count else { return nil }
    var new: [String: String] = [:]
    for (secret, recorded) in zip(secrets, recorded) where !agree(secret, recorded) {
      guard own.contains(recorded), secretOf[recorded] == nil, !placeholders.contains(secret),
        new.updateValue(secret, forKey: recorded) ?? secret == secret
      else { return nil }
    }
    return new
  }

  /// Lets each placeholder stand for its secret from now on.
  mutating func bind(_ bindings: [String: String]) {
    for (recorded, secret) in bindings {
      secretOf[recorded] = secret
      if placeholderOf[secret] == nil { placeholderOf[secret] = recorded }
    }
  }
}
