import Foundation
import Understudy
import UnderstudyHTTP

extension SeededGenerator {
  /// Returns the next version 4 UUID.
  mutating func nextUUID() -> UUID {
    guard let id = UUID(uuidString: nextUUIDString()) else {
      preconditionFailure("A generated UUID is in its canonical form.")
    }
    return id
  }
}

/// The state of an auth server.
///
/// What changes it is beside each concept: accounts in `Users`, sessions and their tokens in `Sessions`, one-time codes
/// and messages in `OneTimeTokens`.
struct AuthState {
  let settings: AuthSettings
  let database: InMemoryDatabase
  /// The lifetime of an access token in seconds.
  let lifetime: Int64

  var accounts: [UUID: Account] = [:]
  /// The accounts by their addresses and phone numbers.
  var contacts: [Contact: UUID] = [:]

  var sessions: [UUID: Session] = [:]
  /// The access tokens of each user, whose sessions may have ended.
  var accessTokens: [UUID: [IssuedToken]] = [:]
  /// The refresh tokens, including used ones, while their session lasts.
  var refreshTokens: [String: RefreshToken] = [:]
  /// The tokens that a test has expired early.
  var expiredTokens: [String: IssuedToken] = [:]
  /// The number of tokens that may be issued before expired ones are removed.
  var tokensUntilTidying = 64
  /// The tokens with a verified signature, so that each is verified only once.
  var checkedTokens: [String: AccessToken] = [:]
  /// The streams that end when a test expires a token early.
  var expiryWatchers: [String: [Int: AsyncStream<Never>.Continuation]] = [:]
  var lastWatcher = 0
  /// The number of requested exchanges of refresh tokens.
  var exchanges = 0 {
    didSet { exchangeWatchers.update(exchanges) }
  }
  var exchangeWatchers = CountWatchers()

  /// The messages that were sent, oldest first.
  var messages: [AuthMessage] = []
  /// The auth codes that can be exchanged, or will be once their link is used, oldest first.
  var codeExchanges: [CodeExchange] = []

  /// The third parties that sign users in with the project's accounts.
  var clients: [UUID: OAuthClient] = [:]
  /// Their requests, by their ids.
  var authorizations: [String: OAuthAuthorization] = [:]
  /// What users have approved, oldest first.
  var consents: [OAuthConsent] = []

  var secret: [UInt8]
  /// The generator of ids and of the tokens of sessions.
  var generator: SeededGenerator
  /// The generator of one-time codes and auth codes, so that ids do not depend on how many are sent.
  var codes: SeededGenerator
  private var limitedRequests = 0
  private var retryAfter: Duration?

  init(
    seed: UInt64, secret: String, lifetime: Int64, settings: AuthSettings, database: InMemoryDatabase
  ) {
    self.settings = settings
    self.database = database
    self.lifetime = lifetime
    // So that identifiers differ from those of a database with the same seed.
    generator = SeededGenerator(seed: seed ^ 0x5A17_0A07_5E55_1055)
    codes = SeededGenerator(seed: seed ^ 0x0C0D_E50F_0A07_0E75)
    // The first draw was once the secret. It is skipped, so that ids remain those of existing recordings.
    _ = generator.nextUUIDString()
    self.secret = Array(secret.utf8)
  }

  mutating func nextID() -> UUID {
    generator.nextUUID()
  }

  mutating func limitRequests(_ count: Int, retryAfter delay: Duration?) {
    limitedRequests = max(0, count)
    retryAfter = delay
  }

  /// - Throws: 429 while requests are limited.
  mutating func countRequest() throws(AuthAPIError) {
    guard limitedRequests > 0 else { return }
    limitedRequests -= 1
    throw .rateLimit(retryAfter: retryAfter)
  }
}
