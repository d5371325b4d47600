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
    "db-password", "userpassword", "X-Vault-Token", "stripe.api_key", "confirmPassword", "SESSION_ID",
    "csrfmiddlewaretoken", "passwordResetToken", "reset_token", "tokens", "accessTokens", "pinCode",
    "sessionKey",
    "userCredentials", "pswd", "newPasswordConfirmation", "password2", "token_2", "tokenValue",
    "API_KEY_PROD",
    "passwordUtente", "senhaAtual", "nueva_contraseña", "mot de passe", "Benutzerpasswort",
    "zugangsschlüssel",
    "ключ_доступа", "НовыйПароль", "密码", "api密钥", "パスワード確認", "비밀번호", "كلمة_المرور", "סיסמה", "गुप्त_कुंजी",
    "mật_khẩu", "kataSandi", "tajny_klucz",
  ])
  func aNameIsReadByItsHeadNoun(_ name: String) throws {
    #expect(redacted(#"{"\#(name)":"x7abc9Qk","x":1}"#) == #"{"\#(name)":"redacted-1","x":1}"#)
    let encoded = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    #expect(
      redacted("https://a.example/?x=1&\(encoded)=x7abc9Qk&y=2")
        == "https://a.example/?x=1&\(encoded)=redacted-1&y=2")
  }

  /// Labels, positions and rules have names of secrets, too.
  @Test(arguments: [
    "passwordless", "forgotPassword", "nextPageToken", "max_tokens", "password_hint", "secretary", "keyboard",
    "monkey", "turnkey", "author", "zip_code", "statusCode", "has_password", "show-password", "description",
    "token_type", "tokenId", "passwordPolicy", "public_key", "primaryKey", "cache_key", "compass",
    "inputValue",
    "searchString", "fileHash", "desenhar", "autoclave", "foreign_key", "code", "key", "enclave",
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
      .init("my_token", .string("one1x7")), .init("id", .string("two")), .init("user_id", .string("three")),
    ])
    let expected: JSONValue = .object([
      .init("my_token", .string("one1x7")), .init("id", .string("redacted-1")),
      .init("user_id", .string("three")),
    ])
    #expect(HTTPArchive(log: log).redacted(by: redaction).log.fixtures == expected)
  }

  @Test(
    arguments: [
      // Objects and arrays keep their type, and a client decodes them still.
      (
        #"{"token":{"kind":"jwt","n":[1,true,null,"b1c2d3"],"o":{"p":"q7\"r8"}},"a":"b"}"#,
        #"{"token":{"kind":"jwt","n":[1,true,null,"redacted-1"],"o":{"p":"redacted-2"}},"a":"b"}"#
      ),
      (
        #"{"j":"{\"secrets\":[\"b\",\"b1c2d3\",70],\"c\":\"d\"}"}"#,
        #"{"j":"{\"secrets\":[\"b\",\"redacted-1\",70],\"c\":\"d\"}"}"#
      ),
      (#"{"secret":{"a":"b1c2d3"#, #"{"secret":{"a":"redacted-1"#),
      // An object that describes a field.
      (#"{"password":{"type":"string","minLength":8}}"#, nil), (#"{"password":{"label":"Password"}}"#, nil),
      // Escapes in names.
      (#"{"pass\u0077ord":"abc"}"#, #"{"pass\u0077ord":"redacted-1"}"#),
      (#"{"\u0070assword":"abc"}"#, #"{"\u0070assword":"redacted-1"}"#),
      ("?user%5Bpassword%5D=abc&x=1", "?user%5Bpassword%5D=redacted-1&x=1"),
      ("?%74oken=abc12x", "?%74oken=redacted-1"), ("?toke%6E=abc12x", "?toke%6E=redacted-1"),
      (
        "?next=https%3A%2F%2Fa%2F%3Ftoken%3Dabc12x%26x%3D1&y=2",
        "?next=https%3A%2F%2Fa%2F%3Ftoken%3Dredacted-1%26x%3D1&y=2"
      ),
      (#"{"u":"a?token\u003dabc12x\u0026x"}"#, #"{"u":"a?token\u003dredacted-1\u0026x"}"#),
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
      ("<apiToken><![CDATA[a1x2<b3]]></apiToken>", "<apiToken><![CDATA[redacted-1]]></apiToken>"),
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
      // Names and values apart.
      (#"{"name":"password","value":"abc"}"#, #"{"name":"password","value":"redacted-1"}"#),
      (
        #"[{"value":"abc","type":"x","key":"DB_PASSWORD"}]"#,
        #"[{"value":"redacted-1","type":"x","key":"DB_PASSWORD"}]"#
      ),
      (
        #"{"op":"replace","path":"/password","from":"abc","value":"def"}"#,
        #"{"op":"replace","path":"/password","from":"redacted-1","value":"redacted-2"}"#
      ),
      (
        #"{"data":"H4sIAAAAAAACA6tWSkxOTi0uji/Jz07NU7JSSjRMMs5RqgUAdj9yxhgAAAA="}"#, #"{"data":"redacted-1"}"#
      ),
      (#"{"name":"city","value":"abc1234"}"#, nil), (#"{"name":"password","label":"Password"}"#, nil),
      ("<key>password</key>\n<string>abc</string>", "<key>password</key>\n<string>redacted-1</string>"),
      ("<key>password</key><true/><key>lifetime</key><integer>3600</integer>", nil),
      (
        "<member><name>apiKey</name><value><string>abc</string></value></member>",
        "<member><name>apiKey</name><value><string>redacted-1</string></value></member>"
      ),
      (#"<add key="ApiKey" value="abc"/>"#, #"<add key="ApiKey" value="redacted-1"/>"#),
      (#"<add value="abc" key="ApiKey"/>"#, #"<add value="redacted-1" key="ApiKey"/>"#),
      (#"<entry key="db.password">abc</entry>"#, #"<entry key="db.password">redacted-1</entry>"#),
      (#"<th id="password">Password</th>"#, nil), ("<td>password</td><td>abc</td>", nil),
      ("- name: API_KEY\n  value: abc\n", "- name: API_KEY\n  value: redacted-1\n"),
      (
        #"[["Accept","text/html"],["Authorization","Token a1b2c3d4e5f6"]]"#,
        #"[["Accept","text/html"],["Authorization","Token redacted-1"]]"#
      ),
      (#"["password","token","otp"]"#, nil),
      // TOML, HCL and properties.
      ("[db]\npassword = \"open sesame 7\"\n", "[db]\npassword = \"redacted-1\"\n"),
      ("\"api_key\" = \"open sesame 7\"\n", "\"api_key\" = \"redacted-1\"\n"),
      ("db.password=sun;shine,7\n", "db.password=redacted-1\n"),
      ("\\u5bc6\\u7801=sunshine7\n", "\\u5bc6\\u7801=redacted-1\n"),
      ("password = getpass.getpass()\napi_key = os.environ['API_KEY']\n", nil),
      // A key in JSON (RFC 7517 §4).
      (
        #"{"d":"AAAAAAAAAAAAAAAAB7","kty":"EC","x":"AAAAAAAAAAAAAAAAB8"}"#,
        #"{"d":"redacted-1","kty":"EC","x":"AAAAAAAAAAAAAAAAB8"}"#
      ),
      // Messages in a body.
      (
        "GET / HTTP/1.1\r\nAuthorization: Basic dXNlcjpvcGVuIHNlc2FtZQ==\r\nCookie: sid=a1b2; lang=en\r\n\r\n",
        "GET / HTTP/1.1\r\nAuthorization: Basic redacted-1\r\nCookie: sid=redacted-3; lang=en\r\n\r\n"
      ),
      (#"{"headers":{"Cookie":"sid=a1b2; lang=en"}}"#, #"{"headers":{"Cookie":"sid=redacted-1; lang=en"}}"#),
      ("sent Basic dXNlcjpvcGVuIHNlc2FtZQ== to it", "sent Basic redacted-1 to it"),
      ("Basic instructions for it", nil),
      ("passcode:a1b2c3d4\nlogin:ada\n\n", "passcode:redacted-1\nlogin:ada\n\n"),
      // Links.
      ("https://a.example/reset/a1b2c3d4e5f6g7h8", "https://a.example/reset/redacted-1"),
      (
        #"{"u":"https:\/\/a.example\/account\/verify-email\/a1b2c3d4e5"}"#,
        #"{"u":"https:\/\/a.example\/account\/verify-email\/redacted-1"}"#
      ),
      ("https://a.example/reset/MQ/a1b2c3d4e5f6g7h8/", "https://a.example/reset/MQ/redacted-1/"),
      ("https://a.example/reset/settings", nil), ("https://a.example/invites/new-member/12", nil),
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
