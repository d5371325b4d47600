public import Observation
public import SharedServices

/// The reader who is signed in to the forum, whose account is not the one of the app's session.
///
/// Each sign-in has a service of its own, so that what is stored for one reader is not shown to another. A screen shows
/// nothing of a reader from the moment another one, or no reader, is signed in.
@MainActor
@Observable
public final class ForumAccount {
  /// One reader's sign-in.
  package final class SignIn: Sendable {
    package let readerID: Int
    package let service: any ThreadsService

    init(readerID: Int, service: any ThreadsService) {
      self.readerID = readerID
      self.service = service
    }
  }

  /// The id that the forum assigned to the reader; `nil` if no reader is signed in.
  public var readerID: Int? { current?.readerID }

  /// Whether the forum has ended the last reader's session; a sign-in or a sign-out resets it.
  public private(set) var hasExpired: Bool = false

  package private(set) var current: SignIn? { didSet { changeCount += 1 } }

  /// The number of times that a reader was signed in or out, or lost the session: what is said to a guest is about the
  /// last time.
  package private(set) var changeCount = 0

  /// Whether the reader stays, because no sign-in follows the end of the session.
  private let isFixed: Bool

  /// Creates an account without a reader.
  public init() {
    isFixed = false
  }

  /// Creates an account of one reader, who stays signed in for as long as the screen exists.
  package init(of service: any ThreadsService) {
    isFixed = true
    current = SignIn(readerID: 0, service: service)
  }

  /// Signs a reader in, in place of the current one.
  ///
  /// - Parameters:
  ///   - readerID: The id that the forum assigned.
  ///   - service: The reader's service, over a store that no other reader uses.
  public func signIn(_ readerID: Int, service: any ThreadsService) {
    current = SignIn(readerID: readerID, service: service)
    hasExpired = false
  }

  /// Signs the reader out.
  public func signOut() {
    current = nil
    hasExpired = false
  }

  /// Ends a sign-in whose session the forum has ended; one that has been replaced stays so.
  ///
  /// - Returns: Whether the sign-in has ended.
  package func expire(_ signIn: SignIn) -> Bool {
    if isFixed { return false }
    if current === signIn { (current, hasExpired) = (nil, true) }
    return true
  }
}
