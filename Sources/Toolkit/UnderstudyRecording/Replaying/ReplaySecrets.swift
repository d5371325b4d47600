import Foundation

/// A mapping of the client's secrets to the placeholders of the recording.
///
/// A placeholder represents one secret, and the placeholders of one session represent different secrets. A secret may
/// correspond to placeholders of several sessions, because a recorder cannot detect that they were equal.
struct ReplaySecrets: Sendable {
  /// The placeholders of the client's own secrets, and of those that a response had other values for.
  private var own: Set<String>
  private let placeholders: Set<String>
  /// The session of each placeholder; the first one is not listed.
  private let sessions: [String: Int]
  private var secretOf: [String: String] = [:]
  /// The first placeholder of each secret.
  private var placeholderOf: [String: String] = [:]

  init(_ placeholders: [String: String]) {
    self.placeholders = Set(placeholders.keys)
    own = Set(placeholders.filter { $0.value.hasPrefix("request") }.keys)
    sessions = placeholders.compactMapValues(RecordedSession.number)
  }

  /// Returns the known secrets of the client and those of a request, if they are too long to occur by chance.
  func known(with secrets: [String]) -> [String] {
    let known = Set(secrets).union(placeholderOf.keys)
    return known.filter { $0.utf8.count >= 6 && !Redactor.isPlaceholder($0) }.sorted {
      ($1.utf8.count, $0) < ($0.utf8.count, $1)
    }
  }

  /// Returns the secrets as the recording most likely contains them: known ones as placeholders, others unchanged.
  func recorded(_ secrets: [String]) -> [String] {
    secrets.map { placeholderOf[$0] ?? $0 }
  }

  /// Returns whether the secrets of a request are known to correspond to those of a recorded one.
  func agree(_ secrets: [String], with recorded: [String]) -> Bool {
    secrets.count == recorded.count && zip(secrets, recorded).allSatisfy { agree($0, $1) }
  }

  /// Returns whether a secret corresponds to a recorded one; a placeholder also corresponds to itself, because a
  /// response may contain it.
  private func agree(_ secret: String, _ recorded: String) -> Bool {
    secret == recorded || secretOf[recorded] == secret
  }

  /// Returns whether two placeholders are known to represent different secrets.
  private func areDifferent(_ one: String, _ other: String) -> Bool {
    one != other && sessions[one] == sessions[other]
  }

  /// Returns whether two mappings cannot both be right, so that a secret decides between them.
  func disagree(_ one: [String: String], _ other: [String: String]) -> Bool {
    one.contains { placeholder, secret in
      other.contains { $0.value == secret && areDifferent($0.key, placeholder) }
    }
  }

  /// Returns the placeholder that a secret is known to have.
  func placeholder(of secret: String) -> String? { placeholderOf[secret] }

  /// Returns the mapping required for the secrets of a request to correspond to recorded ones; `nil` if it contradicts
  /// a known mapping.
  ///
  /// - Parameter undelivered: The placeholders whose secrets the client may have from elsewhere, such as from before the
  ///   recording was redacted, because no response has given them to it.
  func bindings(
    of secrets: [String], to recorded: [String], accepting undelivered: Set<String> = []
  ) -> [String: String]? {
    guard secrets.count == recorded.count else { return nil }
    var new: [String: String] = [:]
    for (secret, recorded) in zip(secrets, recorded) where !agree(secret, recorded) {
      guard
        own.contains(recorded) || undelivered.contains(recorded) && placeholders.contains(recorded),
        secretOf[recorded] == nil, !placeholders.contains(secret),
        new.updateValue(secret, forKey: recorded) ?? secret == secret,
        placeholderOf[secret] == nil
          || !secretOf.contains(where: { $0.value == secret && areDifferent($0.key, recorded) })
      else { return nil }
    }
    return disagree(new, new) ? nil : new
  }

  /// Accepts any secret for placeholders in whose place a response had another value.
  mutating func renew(_ renewed: Set<String>) {
    own.formUnion(renewed.intersection(placeholders))
  }

  /// Adds a mapping.
  mutating func bind(_ bindings: [String: String]) {
    for (recorded, secret) in bindings {
      secretOf[recorded] = secret
      if placeholderOf[secret] == nil { placeholderOf[secret] = recorded }
    }
  }
}

/// The session in which a secret was first seen, at the end of its row in the table of placeholders.
///
/// The first session of a recording has no suffix.
enum RecordedSession {
  private static let prefix = " (session "

  /// Returns the number of the session; `nil` for the first one.
  static func number(of origin: String) -> Int? {
    guard origin.hasSuffix(")"), let start = origin.range(of: prefix, options: .backwards) else { return nil }
    return Int(origin[start.upperBound...].dropLast())
  }

  /// Returns the origin of a secret that was first seen in a session.
  static func origin(_ origin: String, in session: Int) -> String { "\(origin)\(prefix)\(session))" }
}
