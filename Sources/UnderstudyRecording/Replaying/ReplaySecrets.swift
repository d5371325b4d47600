/// Which secrets of the client stand for which placeholders of the recording.
struct ReplaySecrets: Sendable {
  /// Placeholders for secrets that the client has by itself.
  private let own: Set<String>
  private let placeholders: Set<String>
  private var secretOf: [String: String] = [:]
  private var placeholderOf: [String: String] = [:]

  init(_ placeholders: [String: String]) {
    self.placeholders = Set(placeholders.keys)
    own = Set(placeholders.filter { $0.value.hasPrefix("request") }.keys)
  }

  /// The secrets as the recording has them, as far as that is known.
  func recorded(_ secrets: [String]) -> [String] {
    secrets.map { placeholderOf[$0] ?? $0 }
  }

  /// Takes the secrets of a request for those of a recorded one, if nothing that is known speaks against it.
  mutating func bind(_ secrets: [String], to recorded: [String]) -> Bool {
    guard secrets.count == recorded.count else { return false }
    var trial = self
    for (secret, recorded) in zip(secrets, recorded) {
      let known = trial.placeholderOf[secret] ?? secret
      if known == recorded { continue }
      guard known == secret, own.contains(recorded), trial.secretOf[recorded] == nil,
        !placeholders.contains(secret)
      else { return false }
      trial.secretOf[recorded] = secret
      trial.placeholderOf[secret] = recorded
    }
    self = trial
    return true
  }
}
