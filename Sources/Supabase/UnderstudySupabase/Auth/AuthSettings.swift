/// The settings of an auth server, named after the section `[auth]` of `supabase/config.toml`.
///
/// The defaults are those of a new project of `supabase start`.
public struct AuthSettings: Sendable, Hashable {
  /// Whether new users can sign up (`enable_signup`).
  public var allowsSignUps: Bool = true
  /// Whether users have addresses (`[auth.email] enable_signup`).
  public var allowsEmails: Bool = true
  /// Whether a new address has to be confirmed with a mail before its user can sign in (`enable_confirmations`).
  public var confirmsEmail: Bool = false
  /// Whether another address has to be confirmed at the present one too (`double_confirm_changes`).
  public var confirmsBothAddresses: Bool = true
  /// Whether a user can sign in without an address (`enable_anonymous_sign_ins`).
  public var allowsAnonymousSignIns: Bool = false
  /// Whether users can sign up with a phone number (`[auth.sms] enable_signup`).
  public var allowsPhones: Bool = false
  /// Whether a text message has to confirm a new phone number (`[auth.sms] enable_confirmations`).
  public var confirmsPhone: Bool = true
  /// Whether a user can add identities and remove one of several (`enable_manual_linking`).
  public var allowsManualLinking: Bool = false
  /// Whether another password requires a code if the session is older than a day (`secure_password_change`).
  public var requiresReauthentication: Bool = false
  /// The length of the shortest password (`minimum_password_length`).
  public var minimumPasswordLength: Int = 6
  /// The characters of which a password has to contain at least one of each set (`password_requirements`).
  public var passwordCharacters: [String] = []
  /// The time for which a one-time code and its link are valid (`otp_expiry`).
  public var codeLifetime: Duration = .seconds(3600)
  /// The number of digits of a one-time code (`otp_length`).
  public var codeLength: Int = 6
  /// The time that has to pass between two mails of the same kind to a user (`[auth.email] max_frequency`).
  public var messageInterval: Duration = .seconds(1)
  /// The time that has to pass between two text messages of the same kind to a user (`[auth.sms] max_frequency`).
  public var textMessageInterval: Duration = .seconds(5)
  /// The time for which a used refresh token can be used again (`refresh_token_reuse_interval`).
  public var refreshTokenReuseInterval: Duration = .seconds(10)
  /// Where a link leads whose request names no allowed redirection (`site_url`).
  public var siteURL: String = "http://127.0.0.1:3000"
  /// The patterns of further allowed redirections (`additional_redirect_urls`), such as `app.example://**`.
  ///
  /// `*` matches any characters except `.` and `/`, `**` any, and `?` one.
  public var redirectURLs: [String] = []
  /// The providers of OAuth whose pages the project redirects to, by their names (`[auth.external.<name>]`).
  public var providers: [String: Provider] = [:]
  /// The second factors (`[auth.mfa]`).
  public var secondFactors: SecondFactors = SecondFactors()

  /// What the project allows as a provider of OAuth itself (`[auth.oauth_server]`); `nil` unless it is one.
  public var oauthServer: OAuthServer?

  /// What the project allows as a provider of OAuth.
  public struct OAuthServer: Sendable, Hashable {
    /// The path of the page below ``siteURL`` on which users approve (`authorization_url_path`).
    public var authorizationPath: String
    /// Whether clients can register themselves (`allow_dynamic_registration`).
    public var allowsRegistration: Bool

    /// Creates the settings.
    public init(authorizationPath: String, allowsRegistration: Bool = false) {
      self.authorizationPath = authorizationPath
      self.allowsRegistration = allowsRegistration
    }
  }

  /// A provider of OAuth.
  public struct Provider: Sendable, Hashable {
    /// The id of the project at the provider (`client_id`).
    public var clientID: String
    /// Where the provider redirects to (`redirect_uri`); empty for `/auth/v1/callback` of the project.
    public var redirectURL: String
    /// The address of a provider that the project's owner hosts (`url`); empty for the usual one.
    public var address: String

    /// Creates a provider.
    public init(clientID: String, redirectURL: String = "", address: String = "") {
      self.clientID = clientID
      self.redirectURL = redirectURL
      self.address = address
    }
  }

  /// What the project allows of second factors.
  public struct SecondFactors: Sendable, Hashable {
    /// The number of factors that a user can have (`max_enrolled_factors`).
    public var limit: Int = 10
    /// Whether a user can add an authenticator app (`[auth.mfa.totp] enroll_enabled`).
    public var enrollsAuthenticators: Bool = false
    /// Whether a code of an authenticator app is accepted (`[auth.mfa.totp] verify_enabled`).
    public var verifiesAuthenticators: Bool = false

    /// Creates the settings of a new project.
    public init() {}
  }

  /// Creates the settings of a new project.
  public init() {}
}
