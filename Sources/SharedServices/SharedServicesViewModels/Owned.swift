import SharedServices

/// The content of a screen, which belongs to a user: for another user it is empty.
///
/// The content is compared with the signed-in user each time it is read, so it disappears at the moment at which
/// the user is signed out, without a task that removes it.
@MainActor
struct Owned<Content> {
  private var owner: AuthViewModel.Owner
  private var stored: Content
  private let empty: Content
  private let auth: AuthViewModel

  /// - Parameters:
  ///   - content: The content for the current user.
  ///   - empty: The content for any other user.
  init(_ content: Content, empty: Content, auth: AuthViewModel) {
    owner = auth.owner
    stored = content
    self.empty = empty
    self.auth = auth
  }

  /// The content of the current user.
  var content: Content {
    get { auth.isCurrent(owner) ? stored : empty }
    set {
      owner = auth.owner
      stored = newValue
    }
  }

  /// Changes the content of a user, who may have been signed out and sees it after signing in again.
  mutating func update(of user: AuthViewModel.Owner, _ change: (inout Content) -> Void) {
    // The content is that of the same user, too, if it was stored before the user was known.
    guard owner == user || auth.isCurrent(owner) && auth.isCurrent(user) else { return }
    owner = user
    change(&stored)
  }
}
