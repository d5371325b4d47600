public import Foundation
import Understudy

/// A mail or a text message with a one-time code, which an ``AuthServer`` keeps in place of sending it.
public struct AuthMessage: Sendable, Hashable {
  /// What the code is for; except for `reauthentication`, it is also the `type` with which a client verifies it.
  public enum Kind: String, Sendable, Hashable {
    /// The address of a new account.
    case signup
    /// A sign-in without a password.
    case magicLink = "magiclink"
    /// A forgotten password.
    case recovery
    /// The address of an account that the backend created.
    case invite
    /// Another address; both the new and the present one receive a mail.
    case emailChange = "email_change"
    /// The phone number of a new account, or a sign-in with it.
    case sms
    /// Another phone number.
    case phoneChange = "phone_change"
    /// A change that requires a recent sign-in (`nonce`).
    case reauthentication
  }

  /// The address or the phone number.
  public let recipient: String
  /// What the code is for.
  public let kind: Kind
  /// The code of six digits, which is valid once, and until the next one of its kind is sent.
  public let code: String
  /// The hash with which a client verifies in place of the code (`token_hash`).
  public let tokenHash: String
  /// The link that verifies; `nil` in a text message and for a reauthentication.
  public let link: URL?
  /// When it was sent.
  public let sentAt: Date
}

extension AuthServer {
  /// The mails and text messages, oldest first, of which the last thousand are kept.
  public var messages: [AuthMessage] {
    state.withLock { $0.messages }
  }

  /// Returns the last mail to an address, or the last text message to a phone number.
  public func lastMessage(to recipient: String) -> AuthMessage? {
    let recipient = recipient.lowercased()
    return state.withLock { state in state.messages.last { $0.recipient == recipient } }
  }
}
