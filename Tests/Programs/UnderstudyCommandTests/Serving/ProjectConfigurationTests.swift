import Foundation
import Testing
import UnderstudySupabase
@testable import UnderstudyCommand

/// The file `supabase/config.toml` of a project.
@Suite struct ProjectConfigurationTests {
  @Test func whatTheFileSetsIsRead() throws {
    let configuration = try ProjectConfiguration(
      """
      project_id = "x" # a comment
      [api]
      schemas = [
        "public", # the default
        'private',
      ]
      max_rows = 1_50
      [auth]
      jwt_expiry = 60
      site_url = "env(SITE)"
      enable_signup = false
      minimum_password_length = 4
      password_requirements = "letters_digits"
      [auth.email]
      otp_length = 8
      max_frequency = "1m30s"
      double_confirm_changes = false
      [auth.external.apple]
      enabled = true
      client_id = "c"
      [auth.external.google]
      enabled = false
      [auth.oauth_server]
      enabled = true
      [auth.mfa]
      totp = { enroll_enabled = true, verify_enabled = true }
      [[unknown]]
      date = 2026-01-03T12:00:00Z
      """, environment: ["SITE": "https://app.example"])
    #expect(configuration.api.schemas == ["public", "private"])
    #expect(configuration.api.maximumRows == 150 && configuration.tokenLifetime == 60)
    let auth = configuration.auth
    #expect(auth.siteURL == "https://app.example" && !auth.allowsSignUps)
    // The CLI refuses a shorter minimum.
    #expect(auth.minimumPasswordLength == 6 && auth.passwordCharacters.count == 2)
    #expect(auth.codeLength == 8 && !auth.confirmsBothAddresses && auth.messageInterval == .seconds(90))
    #expect(auth.providers == ["apple": AuthSettings.Provider(clientID: "c")])
    #expect(auth.oauthServer == AuthSettings.OAuthServer(authorizationPath: "/oauth/consent"))
    #expect(auth.secondFactors.enrollsAuthenticators && auth.secondFactors.verifiesAuthenticators)
  }

  @Test func anEmptyFileHasTheDefaultsOfTheCLI() throws {
    let configuration = try ProjectConfiguration("")
    var expected = ProjectConfiguration()
    expected.auth.confirmsPhone = false
    #expect(configuration == expected)
  }

  @Test func whatIsNotSupportedIsNamed() throws {
    let configuration = try ProjectConfiguration(
      """
      [auth]
      signing_keys_path = "./keys.json"
      [auth.captcha]
      enabled = false
      [auth.hook.send_email]
      enabled = true
      [auth.mfa.phone]
      enroll_enabled = true
      [auth.sessions]
      timebox = "24h"
      """)
    #expect(
      configuration.unsupported
        == ["auth.signing_keys_path", "auth.mfa.phone", "auth.hook.send_email", "auth.sessions.timebox"])
  }

  @Test(arguments: [
    ("a = 1\na = 2", 2, "a is defined twice"), ("[a", 1, "expected \"]\""), ("a\n", 1, "expected \"=\""),
    ("a = \"b", 1, "a string has no end"), ("\na = [1 2]", 2, "expected \",\" or \"]\""),
    ("a = 1 b = 2", 1, "expected the end of the line"), ("a = \"\\q\"", 1, "invalid escape \"\\q\""),
    ("a =", 1, "expected a value"), ("= 1", 1, "expected a key"),
    ("a = {b = 1, b = 2}", 1, "b is defined twice"),
  ])
  func whatIsInvalidIsReportedWithItsLine(text: String, line: Int, problem: String) {
    #expect(throws: TOMLReader.Failure(line: line, problem: problem)) { try TOMLReader.read(text) }
  }

  @Test func stringsHaveFourForms() throws {
    let read = try TOMLReader.read(
      #"""
      a = "\tq\"\u00e9"
      b = 'c:\d'
      c = """
      one \
          two"""
      "d e".f = '''
      x'y'''
      """#)
    #expect(read["a"] == .string("\tq\"é") && read["b"] == .string(#"c:\d"#))
    #expect(read["c"] == .string("one two"))
    #expect(read["d e"] == .table(["f": .string("x'y")]))
  }
}
