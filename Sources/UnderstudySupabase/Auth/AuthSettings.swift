/// The settings of an auth server, named after the section `[auth]` of `supabase/config.toml`.
///
/// The defaults are those of a new project of `supabase start`.
public struct AuthSettings: Sendable, Hashable {
  /// Whether a new address has to be confirmed with a mail before its user can sign in (`enable_confirmations`).
  public var confirmsEmail: Bool = false
  /// Whether a user can sign in without an address (`enable_anonymous_sign_ins`).
  public var allowsAnonymousSignIns: Bool = false
  /// Whether users can sign up with a phone number, which a text message confirms (`[auth.sms]`).
  public var allowsPhones: Bool = false
  /// Whether a user can remove one of several identities (`enable_manual_linking`).
  public var allowsManualLinking: Bool = false
  /// Whether another password requires a code if the session is older than a day (`secure_password_change`).
  public var requiresReauthentication: Bool = false
  /// The time for which a one-time code and its link are valid (`otp_expiry`).
  public var codeLifetime: Duration = .seconds(3600)
  /// The time that has to pass between two messages of the same kind to a user (`max_frequency`).
  public var messageInterval: Duration = .seconds(1)
  /// Where a link leads whose request names no allowed redirection (`site_url`).
  public var siteURL: String = "http://127.0.0.1:3000"
  /// The patterns of further allowed redirections (`additional_redirect_urls`), such as `app.example://**`.
  ///
  /// `*` matches any characters except `.` and `/`, `**` any, and `?` one.
  public var redirectURLs: [String] = []

  /// Creates the settings of a new project.
  public init() {}
}
