package import Foundation
package import SharedServices
package import Understudy

/// What the in-memory services of several devices share: the accounts, their sessions, and what is stored.
///
/// It is one value behind one lock, so that every call is atomic. The extensions beside each service have its rules; the
/// operations below are what only a test or a preview does.
package final class InMemoryBackend: Sendable {
  let state: Locked<State>
  let time: Time

  /// Creates a backend without accounts.
  ///
  /// - Parameters:
  ///   - seed: The seed of identifiers.
  ///   - time: The clock for dates and for the expiry of tokens.
  ///   - tokenLifetime: How long an access token is valid.
  package init(seed: UInt64, time: Time, tokenLifetime: Duration) {
    self.time = time
    state = Locked(State(generator: SeededGenerator(seed: seed), tokenLifetime: tokenLifetime / .seconds(1)))
  }

  struct State: Sendable {
    var generator: SeededGenerator
    let tokenLifetime: TimeInterval
    var lastDate = Date.distantPast
    /// Whether calls for stored values fail, as when a database is down.
    var isFailing = false

    var accounts: [UUID: Account] = [:]
    /// The accounts by their addresses in lower case.
    var accountIDs: [String: UUID] = [:]
    /// The users of the sessions that the server has not ended.
    var sessions: [UUID: UUID] = [:]
    /// The sessions of the devices on which a user is signed in.
    var devices: [Int: DeviceSession] = [:]
    var lastDevice = 0
    var lastToken = 0
    /// The last token of each user that a test has made expire.
    var expiredTokens: [UUID: Int] = [:]
    var exchangeCount = 0
    /// The number of requests for tokens to refuse, and the delay that is announced.
    var limit: (count: Int, delay: Duration?) = (0, nil)

    var children: [UUID: Child] = [:]
    /// The ids of each user's children, the oldest first.
    var childIDs: [UUID: [UUID]] = [:]
    var childNames: Set<ChildName> = []
    /// What is remembered about each child, as JSON.
    var memories: [UUID: String] = [:]

    var conversations: [UUID: Conversation] = [:]
    /// The messages of each conversation, the oldest first.
    var messages: [UUID: [Message]] = [:]
    var messageIDs: Set<UUID> = []

    var subscriptions: [Int: Subscription] = [:]
    var lastSubscription = 0
  }
}

extension InMemoryBackend.State {
  /// Returns a new id of version 4 (RFC 9562 §5.4).
  mutating func newID() -> UUID {
    let high = (generator.next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = (generator.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { UUID(uuid: $0.load(as: uuid_t.self)) }
  }

  /// Returns the date of a stored value: to the microsecond, as a server's, and after the date of any other.
  mutating func newDate(_ now: Date) -> Date {
    let (step, last) = (1e6, (lastDate.timeIntervalSinceReferenceDate * 1e6).rounded())
    let date = max((now.timeIntervalSinceReferenceDate * step).rounded(), last + 1)
    lastDate = Date(timeIntervalSinceReferenceDate: date / step)
    return lastDate
  }
}

extension AppError {
  /// Throws `.cancelled` in a cancelled task, before anything has changed.
  static func checkCancellation() throws(AppError) {
    if Task.isCancelled { throw .cancelled }
  }
}

extension String {
  /// The scalars as bytes: two normal forms are equal by `==` of `String`, and differ at a server.
  var exactly: [UInt8] { Array(utf8) }
}

// MARK: - Accounts and sessions, for tests

extension InMemoryBackend {
  /// Creates an account and returns its id.
  ///
  /// - Throws: `.network(.conflict)` if the id or the address has an account.
  @discardableResult
  package func addUser(id: UUID? = nil, email: String, password: String) throws(AppError) -> UUID {
    try state.withLock { (state) throws(AppError) in
      let id = id ?? state.newID()
      guard state.accounts[id] == nil, state.accountIDs[email.lowercased()] == nil else {
        throw .network(.conflict)
      }
      state.accounts[id] = Account(password: password)
      state.accountIDs[email.lowercased()] = id
      return id
    }
  }

  /// Bans a user, or lifts the ban.
  ///
  /// A banned user can neither sign in nor refresh.
  package func setBanned(_ isBanned: Bool, user: UUID) {
    state.withLock { $0.accounts[user]?.isBanned = isBanned }
  }

  /// Ends a user's sessions at the server; a device notices it when its access token has expired.
  package func endSessions(of user: UUID) {
    state.withLock { state in state.sessions = state.sessions.filter { $0.value != user } }
  }

  /// Makes a user's access tokens expire without advancing the time; the sessions continue.
  package func expireTokens(of user: UUID) {
    state.withLock { state in
      state.expiredTokens[user] = state.lastToken
      for id in state.subscriptions.keys { state.subscriptions[id]?.wake() }
    }
  }

  /// Refuses the next requests for tokens, with a delay to announce; 0 accepts all.
  package func limitRequests(_ count: Int, retryAfter delay: Duration? = nil) {
    state.withLock { $0.limit = (count, delay) }
  }

  /// The number of requested exchanges of tokens, including refused ones.
  package var exchangeCount: Int { state.withLock { $0.exchangeCount } }

  /// Returns the number of a user's sessions at the server, one for each device.
  package func sessionCount(of user: UUID) -> Int {
    state.withLock { state in state.sessions.values.count { $0 == user } }
  }
}

// MARK: - Stored values, for tests

extension InMemoryBackend {
  /// Makes every call for stored values fail with `.network(.serverError)`, or succeed again.
  package func failCalls(_ fails: Bool) {
    state.withLock { $0.isFailing = fails }
  }

  /// The children of all users, the newest first.
  package var children: [Child] {
    state.withLock { $0.children.values.sorted { $0.createdAt > $1.createdAt } }
  }

  /// Changes a stored child, whoever it belongs to, without a report.
  package func change(_ id: UUID, _ change: (inout NewChild) -> Void) {
    let now = time.now
    state.withLock { $0.change(id, now, change) }
  }

  /// Removes a user's children as another device of the user would.
  package func removeChildren(of user: UUID) {
    state.withLock { state in for id in state.childIDs[user] ?? [] { state.removeChild(id) } }
  }

  /// Sets what is remembered about a child, as JSON.
  package func remember(_ memory: String, about child: UUID) {
    state.withLock { $0.memories[child] = memory }
  }

  /// The conversations of all users with their messages, the oldest first.
  package var conversations: [(conversation: Conversation, messages: [Message])] {
    state.withLock { state in
      state.conversations.values.sorted { $0.createdAt < $1.createdAt }.map {
        ($0, state.messages[$0.id] ?? [])
      }
    }
  }

  /// The messages of all users, the oldest first.
  package var messages: [Message] {
    state.withLock { $0.messages.values.joined().sorted { $0.createdAt < $1.createdAt } }
  }

  /// Adds messages to a conversation as they are, except for their ids.
  package func add(_ messages: [Message], to conversation: UUID) {
    state.withLock { state in
      for message in messages {
        let new = Message(
          id: state.newID(), conversationID: conversation, role: message.role, content: message.content,
          sources: message.sources, createdAt: message.createdAt)
        state.messages[conversation, default: []].append(new)
        state.messageIDs.insert(new.id)
      }
    }
  }
}

// MARK: - Samples

extension InMemoryBackend {
  /// Stores three children of a user, and a conversation about the newest.
  func storeSamples(of user: UUID) throws(AppError) {
    let now = time.now
    try state.withLock { (state) throws(AppError) in
      for (name, age, goals, topics, temperament) in Self.samples {
        guard let birthday = CalendarDate(year: 2025 - age, month: 1, day: 15) else { continue }
        try state.create(
          NewChild(
            userID: user, name: name, age: age, birthday: birthday, goals: goals, topics: topics,
            temperament: temperament), by: user, now)
      }
      guard let child = state.childIDs[user]?.last else { return }
      let conversation = try state.startConversation(about: child, by: user, under: nil, now)
      state.store("How do we make bedtime easier?", by: .user, in: conversation.id, now)
      state.store(
        "Begin with something small, at the same time every evening.", by: .assistant, in: conversation.id,
        now)
    }
  }

  private static let samples: [(String, Int, [String], [String], Temperament)] = [
    ("Robin", 8, ["sleep"], ["bedtime"], .sensitive), ("Kim", 12, [], ["school"], .spirited),
    ("Alex", 6, ["listen"], [], .easygoing),
  ]
}
