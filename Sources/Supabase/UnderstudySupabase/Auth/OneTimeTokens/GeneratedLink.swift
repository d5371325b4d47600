import Foundation
import Understudy
import UnderstudyHTTP

/// A link that the backend sends itself (`adminGenerateLink`).
struct GeneratedLink {
  /// The `type` of a request.
  enum Kind: String {
    case signup, invite, recovery
    case magicLink = "magiclink"
    case emailChangeCurrent = "email_change_current"
    case emailChangeNew = "email_change_new"
  }

  /// What the backend asks for (`GenerateLinkParams`).
  struct Request {
    var kind: Kind
    let email: String
    let newEmail: String
    let password: String?
    let data: [JSONValue.Member]
    let target: LinkTarget
  }

  let user: AuthUser
  /// The kind, which is `signup` for a magic link to a new user.
  let kind: Kind
  /// The message, which is not sent.
  let message: AuthMessage
}

extension AuthServer {
  /// Makes a link without sending it.
  ///
  /// - Throws: `user_not_found`; `email_exists`.
  func generateLink(_ request: GeneratedLink.Request) throws(AuthAPIError) -> GeneratedLink {
    try perform { (state, now) throws(AuthAPIError) in
      try state.generateLink(request, at: now)
    }
  }
}

extension AuthState {
  fileprivate mutating func generateLink(
    _ request: GeneratedLink.Request, at now: Date
  ) throws(AuthAPIError) -> GeneratedLink {
    let mail = MailRequest(target: request.target)
    let contact = Contact.email(request.email)
    var kind = request.kind
    let known = account(with: contact)
    if known == nil, kind == .magicLink { kind = .signup }
    var account: Account
    let message: AuthMessage
    switch kind {
    case .signup:
      if known == nil, request.kind == .signup, request.password == nil {
        throw .validationFailed("Signup requires a valid password")
      }
      account = try accountToInvite(
        request.email, password: request.password, data: request.data, at: now)
      account.user.userMetadata = account.user.userMetadata.merging(request.data)
      message = self.message(.signup, as: .confirmation, to: contact, of: &account, mail, at: now)
    case .invite:
      account = try accountToInvite(request.email, password: nil, data: request.data, at: now)
      message = self.message(.invite, as: .confirmation, to: contact, of: &account, mail, at: now)
      account.user.sentAt.invitation = now
    case .magicLink, .recovery:
      account = try found(known)
      message = self.message(
        kind == .recovery ? .recovery : .magicLink, as: .recovery, to: contact, of: &account, mail, at: now)
    case .emailChangeCurrent, .emailChangeNew:
      account = try found(known)
      let new = Contact.email(request.newEmail)
      if isTaken(new, byOtherThan: account.user.id) { throw .emailExists }
      account.user.newEmail = request.newEmail
      account.hasConfirmedOneAddress = false
      let isNew = kind == .emailChangeNew
      message = self.message(
        .emailChange, as: isNew ? .emailChangeNew : .emailChangeCurrent, to: isNew ? new : contact,
        of: &account, mail, at: now)
    }
    try store(account, at: now)
    return GeneratedLink(user: accounts[account.user.id]?.user ?? account.user, kind: kind, message: message)
  }

  private func found(_ account: Account?) throws(AuthAPIError) -> Account {
    guard let account else {
      throw AuthAPIError(status: 404, code: "user_not_found", message: "User with this email not found")
    }
    return account
  }
}
