import Foundation
import Understudy
import UnderstudyHTTP

/// The request for a mail: where its link leads, and the exchange that the link continues, if any.
struct MailRequest {
  let target: LinkTarget
  var challenge: CodeChallenge?
}

/// Sending one-time codes, which are kept as messages.
extension AuthState {
  /// Returns a message with a new code for a contact of an account, which replaces the last one of its kind.
  ///
  /// The caller stores the account.
  ///
  /// - Parameter request: `nil` for a message without a link.
  mutating func message(
    _ kind: AuthMessage.Kind, as token: OneTimeToken.Kind, to contact: Contact, of account: inout Account,
    _ request: MailRequest?, at now: Date
  ) -> AuthMessage {
    // A code has six to ten digits (`otp_length`).
    let length = max(6, min(10, settings.codeLength))
    let digits = String(codes.next() % (0..<length).reduce(UInt64(1)) { power, _ in power * 10 })
    let code = String(repeating: "0", count: length - digits.count) + digits
    let new = OneTimeToken(
      hash: OneTimeToken.hash(of: code, to: contact.text), isExchanged: request?.challenge != nil)
    account.tokens[token] = new
    account.user[sending: token] = now
    return AuthMessage(
      recipient: contact.text, kind: kind, code: code, tokenHash: new.hash,
      link: request.flatMap {
        URL(string: $0.target.link(tokenHash: new.hash, type: kind.rawValue))
      }, sentAt: now)
  }

  private mutating func send(
    _ kind: AuthMessage.Kind, as token: OneTimeToken.Kind, to contact: Contact, of account: inout Account,
    _ request: MailRequest?, at now: Date
  ) {
    messages.append(message(kind, as: token, to: contact, of: &account, request, at: now))
    if messages.count > 1000 { messages.removeFirst() }
  }

  /// - Throws: `over_email_send_rate_limit` or `over_sms_send_rate_limit` shortly after the last message of a kind
  ///   (`validateSentWithinFrequencyLimit`).
  private func checkInterval(
    since last: Date?, of kind: String, at now: Date
  ) throws(AuthAPIError) {
    guard let last else { return }
    let interval = kind == "sms" ? settings.textMessageInterval : settings.messageInterval
    let left = last.addingTimeInterval(interval / .seconds(1)).timeIntervalSince(now)
    guard left > 0 else { return }
    throw AuthAPIError(
      status: 429, code: "over_\(kind)_send_rate_limit",
      message: "For security purposes, you can only request this after \(Int64(min(left, 1e15))) seconds.")
  }

  /// Sends the mail or the text message that confirms a new account (`sendConfirmation`, `sendPhoneConfirmation`).
  mutating func sendConfirmation(
    to contact: Contact, of account: inout Account, _ request: MailRequest, at now: Date
  ) throws(AuthAPIError) {
    switch contact {
    case .email:
      try checkInterval(since: account.user.sentAt.confirmation, of: "email", at: now)
      beginExchange(of: account.user.id, method: "email/signup", request.challenge, at: now)
      send(.signup, as: .confirmation, to: contact, of: &account, request, at: now)
    case .phone:
      try checkInterval(since: account.user.sentAt.confirmation, of: "sms", at: now)
      send(.sms, as: .confirmation, to: contact, of: &account, nil, at: now)
    }
  }

  /// Sends a link for a sign-in without a password (`sendMagicLink`, `sendPasswordRecovery`).
  ///
  /// - Parameter kind: `magicLink` or `recovery`.
  mutating func sendLink(
    _ kind: AuthMessage.Kind, to account: inout Account, _ request: MailRequest, at now: Date
  ) throws(AuthAPIError) {
    try checkInterval(since: account.user.sentAt.recovery, of: "email", at: now)
    beginExchange(of: account.user.id, method: kind.rawValue, request.challenge, at: now)
    send(kind, as: .recovery, to: .email(account.user.email), of: &account, request, at: now)
  }

  /// Sends an invitation (`sendInvite`).
  mutating func sendInvitation(to account: inout Account, _ request: MailRequest, at now: Date) {
    send(.invite, as: .confirmation, to: .email(account.user.email), of: &account, request, at: now)
    account.user.sentAt.invitation = now
  }

  /// Sends a code for a change that requires a recent sign-in (`sendReauthenticationOtp`).
  mutating func sendReauthentication(to account: inout Account, at now: Date) throws(AuthAPIError) {
    guard let contact = account.contacts.first else {
      throw .validationFailed("Reauthentication requires the user to have an email or a phone number")
    }
    let isEmail = contact.email != nil
    guard (isEmail ? account.user.emailConfirmedAt : account.user.phoneConfirmedAt) != nil else {
      throw AuthAPIError(
        status: 422, code: "\(contact.provider)_not_confirmed",
        message: "Please verify your \(contact.provider) first.")
    }
    try checkInterval(
      since: account.user.sentAt.reauthentication, of: isEmail ? "email" : "sms", at: now)
    send(.reauthentication, as: .reauthentication, to: contact, of: &account, nil, at: now)
  }

  /// Sends a mail to the new address, and one to the present address, both of which have to be confirmed
  /// (`sendEmailChange`); without `double_confirm_changes` only one to the new address.
  mutating func sendEmailChange(
    to address: String, of account: inout Account, _ request: MailRequest, at now: Date
  ) throws(AuthAPIError) {
    try checkInterval(since: account.user.sentAt.emailChange, of: "email", at: now)
    beginExchange(of: account.user.id, method: "email_change", request.challenge, at: now)
    account.user.newEmail = address
    account.hasConfirmedOneAddress = false
    send(.emailChange, as: .emailChangeNew, to: .email(address), of: &account, request, at: now)
    guard settings.confirmsBothAddresses, !account.user.email.isEmpty else { return }
    send(
      .emailChange, as: .emailChangeCurrent, to: .email(account.user.email), of: &account, request, at: now)
  }

  /// Sends a text message to another phone number.
  mutating func sendPhoneChange(
    to number: String, of account: inout Account, at now: Date
  ) throws(AuthAPIError) {
    try checkInterval(since: account.user.sentAt.phoneChange, of: "sms", at: now)
    account.user.newPhone = number
    send(.phoneChange, as: .phoneChange, to: .phone(number), of: &account, nil, at: now)
  }
}

extension AuthServer {
  /// Sends a mail to the user with an address, if there is one (`Recover`).
  func recover(_ address: String, _ request: MailRequest) throws(AuthAPIError) {
    try perform { (state, now) throws(AuthAPIError) in
      guard var account = state.account(with: .email(address)) else { return }
      try state.sendLink(.recovery, to: &account, request, at: now)
      try state.store(account, at: now)
    }
  }

  /// Sends a sign-in without a password, and creates the account if it is missing (`Otp`, `MagicLink`, `SmsOtp`).
  ///
  /// A user who is not confirmed receives the mail that confirms.
  ///
  /// - Throws: `otp_disabled` for an unknown contact that may not sign up.
  func sendCode(
    to contact: Contact, data: [JSONValue.Member], createsUser: Bool, _ request: MailRequest
  ) throws(AuthAPIError) {
    try perform { (state, now) throws(AuthAPIError) in
      let isNew = state.account(with: contact) == nil
      if isNew, !createsUser { throw .codesDisabled }
      if isNew, !state.settings.allowsSignUps { throw .signUpsDisabled }
      var account = try state.accountToSignUp(with: contact, password: nil, data: data, at: now)
      let isEmail = contact.email != nil
      if isEmail, account.user.emailConfirmedAt == nil, !state.settings.confirmsEmail {
        account.confirmEmail(at: now)
      }
      if isNew, !isEmail, !state.settings.confirmsPhone { account.confirmPhone(at: now) }
      if isEmail, account.user.emailConfirmedAt != nil {
        try state.sendLink(.magicLink, to: &account, request, at: now)
      } else {
        try state.sendConfirmation(to: contact, of: &account, request, at: now)
      }
      try state.store(account, at: now)
    }
  }

  /// Sends the last message of a type again, if one is due (`Resend`).
  func resend(_ kind: AuthMessage.Kind, to contact: Contact, _ request: MailRequest) throws(AuthAPIError) {
    try perform { (state, now) throws(AuthAPIError) in
      guard var account = state.account(with: contact) else { return }
      let user = account.user
      switch kind {
      case .signup where user.emailConfirmedAt == nil, .sms where user.phoneConfirmedAt == nil:
        try state.sendConfirmation(to: contact, of: &account, request, at: now)
      case .emailChange where !user.newEmail.isEmpty:
        try state.sendEmailChange(to: user.newEmail, of: &account, request, at: now)
      case .phoneChange where !user.newPhone.isEmpty:
        try state.sendPhoneChange(to: user.newPhone, of: &account, at: now)
      default: return
      }
      try state.store(account, at: now)
    }
  }

  /// Sends a code to the user of a token (`Reauthenticate`).
  func reauthenticate(_ accessToken: String) throws(AuthAPIError) {
    try perform { (state, now) throws(AuthAPIError) in
      var account = try state.session(of: accessToken, at: now).account
      try state.sendReauthentication(to: &account, at: now)
      try state.store(account, at: now)
    }
  }

  /// Invites a user, whose account is created if it is missing (`Invite`).
  ///
  /// - Throws: `email_exists` for a confirmed user.
  func invite(
    _ address: String, data: [JSONValue.Member], _ request: MailRequest
  ) throws(AuthAPIError) -> AuthUser {
    try perform { (state, now) throws(AuthAPIError) in
      var account = try state.accountToInvite(address, password: nil, data: data, at: now)
      state.sendInvitation(to: &account, request, at: now)
      try state.store(account, at: now)
      return account.user
    }
  }
}
