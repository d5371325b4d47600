public import Foundation
public import SharedServices
public import Understudy

/// The shared services of one device, in memory.
///
/// ```swift
/// let services = InMemorySharedServices(seed: 7)
/// let id = try services.addUser(email: "pat@example.com", password: "secret1")
/// _ = try await services.auth.signIn(email: "pat@example.com", password: "secret1")
/// ```
///
/// The rules are those of the protocols, in plain Swift: no HTTP, no SQL. `SupabaseBackend` in `SharedServicesBackends`
/// is the backend of the live services.
public struct InMemorySharedServices: Sendable {
  /// The user of ``signedIn(seed:time:replyWriter:)`` and ``preview``.
  public static let sampleUserID: UUID = UUID(uuid: (0xA, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))

  /// The state that devices share, with what only a test does to it.
  package let backend: InMemoryBackend
  /// Signing in and out on the device, initially signed out.
  public let auth: InMemoryAuthService
  /// The children of the user who is signed in with ``auth``.
  public let children: InMemoryChildrenService
  /// The conversations of the user who is signed in with ``auth``.
  public let conversations: InMemoryConversationService
  /// The changes of the children of the user who is signed in with ``auth``.
  public let realtime: InMemoryRealtimeService

  private let replyWriter: ReplyWriter

  /// Creates services without accounts.
  ///
  /// - Parameters:
  ///   - seed: The seed of identifiers.
  ///   - time: The clock for dates and for the expiry of tokens.
  ///   - tokenLifetime: How long an access token is valid.
  ///   - replyWriter: The writer of the guide's answers.
  public init(
    seed: UInt64 = 0, time: Time = .system, tokenLifetime: Duration = .seconds(3600),
    replyWriter: ReplyWriter = .standard
  ) {
    self.init(InMemoryBackend(seed: seed, time: time, tokenLifetime: tokenLifetime), replyWriter)
  }

  private init(_ backend: InMemoryBackend, _ replyWriter: ReplyWriter) {
    (self.backend, self.replyWriter) = (backend, replyWriter)
    auth = InMemoryAuthService(backend)
    children = InMemoryChildrenService(auth)
    conversations = InMemoryConversationService(auth, writer: replyWriter)
    realtime = InMemoryRealtimeService(auth)
  }

  /// Returns the services of another device, which is signed out.
  package func onAnotherDevice(replyWriter: ReplyWriter? = nil) -> InMemorySharedServices {
    InMemorySharedServices(backend, replyWriter ?? self.replyWriter)
  }

  /// Creates an account and returns its id.
  ///
  /// - Parameters:
  ///   - id: The id; `nil` generates one.
  ///   - email: The address.
  ///   - password: The password.
  /// - Throws: `.network(.conflict)` if the id or the address has an account.
  @discardableResult
  public func addUser(id: UUID? = nil, email: String, password: String) throws(AppError) -> UUID {
    try backend.addUser(id: id, email: email, password: password)
  }

  /// Creates services where `pat@example.com`, whose id is ``sampleUserID``, is signed in.
  public static func signedIn(
    seed: UInt64 = 0, time: Time = .system, replyWriter: ReplyWriter = .standard
  ) -> InMemorySharedServices {
    let services = InMemorySharedServices(seed: seed, time: time, replyWriter: replyWriter)
    do {
      try services.addUser(id: sampleUserID, email: "pat@example.com", password: "password")
      try services.auth.signInNow(email: "pat@example.com", password: "password")
    } catch {
      preconditionFailure("New services accept their first user: \(error)")
    }
    return services
  }
}

// MARK: - Previews

extension InMemorySharedServices {
  /// Creates services for previews: a user is signed in, with children and a conversation about the first of them.
  ///
  /// ```swift
  /// #Preview {
  ///   RootView().environment(AuthViewModel(service: InMemorySharedServices.preview.auth))
  /// }
  /// ```
  ///
  /// The children and the conversation are ``sampleChildren`` and ``sampleConversation``.
  public static var preview: InMemorySharedServices {
    let services = signedIn()
    do {
      try services.backend.storeSamples(of: sampleUserID)
    } catch {
      preconditionFailure("New services accept the samples: \(error)")
    }
    return services
  }

  /// The children of the sample user, newest first.
  public var sampleChildren: [Child] {
    backend.children.filter { $0.userID == Self.sampleUserID }
  }

  /// The first conversation of the sample user.
  public var sampleConversation: Conversation? {
    backend.conversations.first { $0.conversation.userID == Self.sampleUserID }?.conversation
  }
}
