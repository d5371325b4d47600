import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

/// Secrets that are recognized by their names, in all formats.
@Suite(.stallLimit()) struct SecretNamesTests {
  /// The body without its secrets, which are also gone from a check.
  private func redacted(_ body: String) -> String? {
    let entry = HTTPArchive.Entry(
      startedDateTime: Date(timeIntervalSince1970: 0),
      request: .init(HTTP.Request(.get, URL(filePath: "/"))),
      response: .init(status: 200, fields: [:], content: .init(Data(body.utf8), mimeType: "text/plain")),
      timings: .init(wait: 0, receive: 0))
    let archive = HTTPArchive(log: .init(entries: [entry])).redacted(by: .standard)
    #expect(archive.secrets(by: .standard) == [], "\(body)")
    return archive.entries.first?.response.content.text
  }

  @Test(arguments: [
    "user[password]", "old_password", "aws_secret_access_key", "apiToken", "bearer", "otp", "APIToken",
    "db-password",
    "userpassword", "X-Vault-Token", "stripe.api_key", "confirmPassword", "SESSION_ID", "csrfmiddlewaretoken",
  ])
  func aNameIsJudgedByItsParts(_ name: String) {
    #expect(redacted(#"{"\#(name)":"abc","x":1}"#) == #"{"\#(name)":"redacted-1","x":1}"#)
    #expect(
      redacted("https://a.example/?x=1&\(name)=abc&y=2") == "https://a.example/?x=1&\(name)=redacted-1&y=2")
  }

  /// Labels, positions and rules have names of secrets, too.
  @Test(arguments: [
    "passwordless", "forgotPassword", "nextPageToken", "max_tokens", "tokens", "password_hint", "secretary",
    "keyboard",
    "monkey", "turnkey", "author", "zip_code", "statusCode", "has_password", "show-password", "description",
  ])
  func otherNamesAreNot(_ name: String) {
    #expect(redacted(#"{"\#(name)":"abc123xyz"}"#) == #"{"\#(name)":"abc123xyz"}"#)
    #expect(redacted("https://a.example/?\(name)=abc123xyz") == "https://a.example/?\(name)=abc123xyz")
  }

  /// A name that is removed from the rules does not come back as a part.
  @Test func aRemovedNameIsNoPartEither() {
    var redaction = Redaction.standard
    redaction.fieldNames.remove("token")
    redaction.fieldNames.insert("id")
    var log = HTTPArchive.Log()
    log.fixtures = .object([
      .init("my_token", .string("one")), .init("id", .string("two")), .init("user_id", .string("three")),
    ])
    let expected: JSONValue = .object([
      .init("my_token", .string("one")), .init("id", .string("redacted-1")),
      .init("user_id", .string("three")),
    ])
    #expect(HTTPArchive(log: log).redacted(by: redaction).log.fixtures == expected)
  }

  @Test(
    arguments: [
      // Objects and arrays keep their type, and a client decodes them still.
      (
        #"{"token":{"kind":"x1","n":[1,true,null,"b"],"o":{"p":"q\"r"}},"a":"b"}"#,
        #"{"token":{"kind":"redacted-1","n":[2000000002,true,null,"redacted-3"],"o":{"p":"redacted-4"}},"a":"b"}"#
      ),
      (
        #"{"j":"{\"secret\":{\"a\":[\"b\",7]},\"c\":\"d\"}"}"#,
        #"{"j":"{\"secret\":{\"a\":[\"redacted-1\",2000000002]},\"c\":\"d\"}"}"#
      ),
      (#"{"secret":{"a":"b"#, #"{"secret":{"a":"redacted-1"#),
      // An object that describes a field.
      (#"{"password":{"type":"string","minLength":8}}"#, nil), (#"{"password":{"label":"Password"}}"#, nil),
      // Escapes in names.
      (#"{"pass\u0077ord":"abc"}"#, #"{"pass\u0077ord":"redacted-1"}"#),
      (#"{"\u0070assword":"abc"}"#, #"{"\u0070assword":"redacted-1"}"#),
      ("?user%5Bpassword%5D=abc&x=1", "?user%5Bpassword%5D=redacted-1&x=1"),
      ("?%74oken=abc", "?%74oken=redacted-1"), ("?toke%6E=abc", "?toke%6E=redacted-1"),
      (
        "?next=https%3A%2F%2Fa%2F%3Ftoken%3Dabc%26x%3D1&y=2",
        "?next=https%3A%2F%2Fa%2F%3Ftoken%3Dredacted-1%26x%3D1&y=2"
      ),
      (#"{"u":"a?token\u003dabc\u0026x"}"#, #"{"u":"a?token\u003dredacted-1\u0026x"}"#),
      // OAuth (RFC 6749 §4.1).
      ("https://a.example/cb?code=SplxlOBeZQQY&state=x", "https://a.example/cb?code=redacted-1&state=x"),
      (
        #"{"grant_type":"authorization_code","code":"SplxlOBeZQQY"}"#,
        #"{"grant_type":"authorization_code","code":"redacted-1"}"#
      ),
      ("https://a.example/?code=SplxlOBeZQQY", nil), (#"{"code":"SplxlOBeZQQY"}"#, nil),
      (#"{"grant_type":"x","code":404}"#, nil),
      // XML.
      ("<a><password>abc</password></a>", "<a><password>redacted-1</password></a>"),
      ("<w:Password Type=\"t\"> a&amp;b </w:Password>", "<w:Password Type=\"t\"> redacted-1 </w:Password>"),
      ("<apiToken><![CDATA[a<b]]></apiToken>", "<apiToken><![CDATA[redacted-1]]></apiToken>"),
      ("<password><rule/></password>", nil), ("<p>password</p>", nil), ("<code>password</code>", nil),
      (#"<user name="a" password="s3cr3t-xyz"/>"#, #"<user name="a" password="redacted-1"/>"#),
      (#"{"x":"\u003cpassword\u003eabc"}"#, nil),
      // HTML.
      (
        #"<input type="password" name="p" value="abc">"#,
        #"<input type="password" name="p" value="redacted-1">"#
      ),
      (
        #"<input value='abc' name=csrf_token type=hidden>"#,
        #"<input value='redacted-1' name=csrf_token type=hidden>"#
      ),
      (#"<meta name="csrf-token" content="abc" />"#, #"<meta name="csrf-token" content="redacted-1" />"#),
      (#"<input type="text" name="q" value="abc">"#, nil), (#"<input type="password" name="password">"#, nil),
      (
        #"{"h":"<input type=\"password\" value=\"abc\">"}"#,
        #"{"h":"<input type=\"password\" value=\"redacted-1\">"}"#
      ),
      // An environment, a connection string, YAML.
      ("A=1\nDB_PASSWORD=open-sesame\nB=2", "A=1\nDB_PASSWORD=redacted-1\nB=2"),
      ("export API_KEY=\"abc def ghi\"\n", "export API_KEY=\"redacted-1\"\n"),
      (#"{"env":"A=1\nDB_PASSWORD=open-sesame\nB=2"}"#, #"{"env":"A=1\nDB_PASSWORD=redacted-1\nB=2"}"#),
      ("PASSWORD=$OTHER\nTOKEN=<your token>\n", nil),
      ("Server=db;User Id=app;Password=open-sesame;X=1", "Server=db;User Id=app;Password=redacted-1;X=1"),
      ("db:\n  password: a1b2c3d4e5\n", "db:\n  password: redacted-1\n"),
      ("The password: it must have letters.", nil), ("use --password=secret to sign in", nil),
      // GraphQL.
      (
        #"{"query":"mutation { signIn(name: \"a\", password: \"opensesame\") { id } }"}"#,
        #"{"query":"mutation { signIn(name: \"a\", password: \"redacted-1\") { id } }"}"#
      ),
      (#"const t = { password: "Password" }"#, nil),
      // URLs, and the text of a message.
      ("https://a1b2c3d4e5f60718293a4b5c6d7e8f90@sentry.example/1", "https://redacted-1@sentry.example/1"),
      ("expired: Bearer a1b2c3d4e5f6g7h8", "expired: Bearer redacted-1"), ("the bearer of the letter", nil),
    ] as [(String, String?)])
  func formats(_ body: String, _ expected: String?) {
    #expect(redacted(body) == expected ?? body)
  }
}
