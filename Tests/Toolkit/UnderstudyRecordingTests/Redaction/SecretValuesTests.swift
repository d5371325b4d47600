import Foundation
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyRecording

/// What is not a secret though it has the name of one, and what is not a copy of one.
@Suite(.stallLimit()) struct SecretValuesTests {
  /// An archive of exchanges with these paths, request header fields and responses.
  private func archive(
    _ exchanges: [(path: String, cookie: String?, setCookie: String?, body: String)],
    at origin: String = "https://api.example"
  ) -> HTTPArchive {
    HTTPArchive(
      log: .init(
        entries: exchanges.map { exchange in
          var request = HTTP.Request(.get, URL(string: origin + exchange.path) ?? URL(filePath: "/"))
          request.fields["Cookie"] = exchange.cookie
          var fields: HTTP.Fields = [:]
          fields["Set-Cookie"] = exchange.setCookie
          return .init(
            startedDateTime: Date(timeIntervalSince1970: 0), request: .init(request),
            response: .init(
              status: 200, fields: fields,
              content: .init(Data(exchange.body.utf8), mimeType: "application/json")),
            timings: .init(wait: 0, receive: 0))
        }))
  }

  @Test(arguments: [
    #"{"token":"USDC"}"#, #"{"session_id":42}"#, #"{"secrets":0}"#, #"{"authorization":"pending"}"#,
    #"{"password":"Password must have 8 characters"}"#, #"{"password":"Mot de passe"}"#,
    #"{"password":false}"#,
    #"{"password":["can't be blank","is too short (minimum is 8 characters)"]}"#, #"{"token":"read_only"}"#,
    #"{"tokens":{"input":15,"output":88,"limit":150000}}"#, #"{"token":"2026-01-01T12:00:00Z"}"#,
    #"{"password":"${PASSWORD}","token":"{{token}}","secret":"<your secret>","api_key":"[FILTERED]"}"#,
    #"{"password":"••••••••","secret":"********","token":"xxxxxxxx"}"#, #"{"token":"color.primary.500"}"#,
    #"{"signature":"func next() async -> Token?"}"#, #"{"credential":{"type":"public-key"}}"#,
    #"{"token":"https://a.example/oauth/token"}"#,
    #"{"secrets":[{"name":"GH_TOKEN","created_at":"2026-01-01"}]}"#,
    #"{"密码":"密码不能为空"}"#, #"{"csrfToken":"+\\"}"#,
    #"{"token":{"symbol":"WETH","decimals":18,"address":"0xC02aaA39b223"}}"#,
    #"{"signature":"none","sig":"v1"}"#, #"{"signature":"transfer(address,uint256)"}"#,
    #"{"signature":"6/8"}"#,
    #"{"secret":"projects/shop/secrets/stripe/versions/latest"}"#, #"{"password":"^(?=.*[A-Z]).{10,}$"}"#,
    "https://a.example/?password=false&signature=none&token=DAI",
    "Authorization: Bearer <token>\n", "Authorization: Bearer [REDACTED]\n",
  ])
  func aValueThatIsNoSecretStays(_ body: String) {
    let archive = archive([("/", nil, nil, body)])
    #expect(archive.redacted(by: .standard).entries.first?.response.content.text == body)
  }

  /// Names beside words, in commands, tables, messages and other texts.
  @Test(arguments: [
    #"{"error":"Invalid code 123456"}"#, "Your postal code is 94107", "94107 is your postal code",
    #"{"text":"Please enter the verification code we sent to 0049170 in 2 minutes"}"#,
    #"{"text":"Your verification code expires in 10 minutes, at 1030 hours"}"#,
    "<dt>Password</dt><dd>Last changed 2026-01-01</dd>", "<tr><th>Token</th><td>required</td></tr>",
    "name,token,price\nTether,USDT,1.00\nCoin,USDC,0.99\n", "id,password_policy\n1,strong2026\n",
    "Dear user, your token is attached\nPlease read it, user42, today\n",
    "usage: tool --token <token> --password <password>", "docker login --password-stdin registry.example",
    "curl -u username:password https://api.example", "GRANT ALL TO app IDENTIFIED BY '<password>'",
    "SELECT password FROM users WHERE id = 1", #"{"field":"token","changes":{"old":"USDC","new":"DAI"}}"#,
    #"{"id":"projects/x/secrets/db","value":"enabled"}"#, #"{"sign":"Leo","call_sign":"DLH4AB12"}"#,
    #"["useToSign","cloudkms.cryptoKeyVersions.useToVerify"]"#, #"["token"]=> NULL"#,
    #"{"grants":["jwt-bearer"],"enableRichAuthorizationRequests":false}"#,
    "https://a.example/?key=uploads/2026/photo-1234.jpg&code=DE-BY", "[Pre-shared keys]: #pre-shared-keys",
    "password: !vault |\n", "document.cookie=h.cookieEnabled?\"1\":\"0\"",
    #"{"dicaSenha":"Letras e números","公钥":"MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJB"}"#,
    #"{"passwortGeaendertAm":"2024-06-07T09:12:44+02:00","sid":"SMcdbaa4ba1baaaebdc9b10d0c153d4b85"}"#,
  ])
  func aWordBesideANameStays(_ body: String) {
    let archive = archive([("/", nil, nil, body)])
    #expect(archive.redacted(by: .standard).entries.first?.response.content.text == body)
  }

  /// Texts of other formats than those of messages.
  @Test(arguments: [
    (#"{"field":"password","changes":{"old":"Harbor-2026!","new":"x"}}"#, "Harbor-2026!"),
    (#"{"value":"OymAAiTdR9Up14PehPjPB9at","id":"https://v.example/secrets/Db/4387"}"#, "OymAAiTdR9Up14"),
    ("user: kari\npassord: fjelltur-ogkakao\n", "fjelltur"), ("passphrase: >-\n  Comet-2026!\n", "Comet"),
    ("كلمة المرور: Comet-2026!\n", "Comet"), ("<pre>DB_PASSWORD=Maple-2003!\nA=1</pre>", "Maple"),
    ("<tr><th>APP_KEY</th><td class=\"v\">9f86d081884c7d659a2f</td></tr>", "9f86d081"),
    ("curl -u deploy:Comet-2005! https://api.example", "Comet"),
    ("curl --user 'deploy:Violet-2006!' https://api.example", "Violet"),
    ("docker login --username ci --password Walnut-2007!", "Walnut"),
    ("machine git.example\n  login bob\n  password Maple-2013!\n", "Maple"),
    ("CREATE USER app IDENTIFIED BY 'Comet-2025!'", "Comet"),
    ("PASS oauth:hQtBDVqIW3msAcel\r\n", "hQtBDVqIW"),
    ("//npm.example/:_authToken=I7fLAz7vT0sxJmPU3UdX\n", "I7fLAz7v"),
    ("id,email,password\n1,a@b.example,Turtle-2012!\n", "Turtle"),
    (#"array(1) { ["password"]=> string(12) "Walnut-2017!" }"#, "Walnut"),
    (#"{:user=>"bob", :password=>"Sommer-2020!"}"#, "Sommer"), ("const password = `Harbor-2031!`;", "Harbor"),
    ("$config['db_password'] = 'heuboden99!';", "heuboden"),
    ("&quot;password&quot;:&quot;Comet-2031!&quot;", "Comet"),
    ("&lt;password&gt;Sommer-2030!&lt;/password&gt;", "Sommer"),
    (#"{\u0022password\u0022:\u0022Turtle-2032!\u0022}"#, "Turtle"),
    (#"{"body":"Your verification code is 403817. Thank you"}"#, "403817"),
    (#"{"text":"G-403819 is your code."}"#, "403819"),
    ("Votre code de confirmation est : 403821", "403821"),
    ("Your one-time password is <b>403822</b>", "403822"),
    ("Ihr Einmalpasswort lautet 96193883", "96193883"),
    ("mongodb:\\/\\/u:JA7pCgZ7cEKl@c.example", "JA7pCgZ7"),
    ("https://f.example/api?code=qOAf1lLQSAJaiXnkU8Is2g8nprvD", "qOAf1lLQ"),
    ("https://m.example/?q=Berlin&key=DGAkJiG8XnBE3NnYJoQ9WmXe", "DGAkJiG8"),
    ("https%253A%252F%252Fa%252Fcb%253Ftoken%253DsUn9wpW375DVEJhPPACRem", "sUn9wpW375"),
    ("$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW", "cIPz0gi"),
    ("https://app.example/?ticket=ST-66147-ABugjMgeP7cGq0pbqfi1-cas01", "ABugjMge"),
  ])
  func aSecretInAnotherFormatIsReplaced(_ body: String, _ part: String) {
    let text = archive([("/", nil, nil, body)]).redacted(by: .standard).entries.first?.response.content.text
    #expect(text?.contains("redacted-") == true && text?.contains(part) == false, "\(text ?? "")")
  }

  /// What a person or a machine would choose.
  @Test(arguments: [
    (#"{"password":"hunter"}"#, "hunter"), (#"{"password":"correct horse battery staple"}"#, "staple"),
    (#"{"password":"{brace:3249}"}"#, "brace"), (#"{"pin":"4711"}"#, "4711"), (#"{"pin":4711}"#, "4711"),
    (#"{"api_key":"letmein"}"#, "letmein"), (#"{"token":"a1b2c3d4"}"#, "a1b2"),
    (#"{"session_id":"9f86d081884c7d65"}"#, "9f86"), (#"{"token":"kJhGfDsApOiUyTrE"}"#, "kJhG"),
    (#"{"authorization":"Bearer a1b2c3d4"}"#, "a1b2"), (#"{"password":"Password1"}"#, "Password1"),
    (#"{"current_password":"altes Passwort 1"}"#, "Passwort 1"),
    (#"{"user":"p","pass":"Briefmarke.Zack"}"#, "Zack"),
    (#"{"codeDeVerification":"283946"}"#, "283946"), (#"{"parolaChiave":"Ombrellone.77"}"#, "77"),
    (#"{"license_key":"AB12-CD34-EF56-GH78"}"#, "CD34"),
  ])
  func aValueThatMayBeASecretIsReplaced(_ body: String, _ part: String) {
    let text = archive([("/", nil, nil, body)]).redacted(by: .standard).entries.first?.response.content.text
    #expect(text?.contains(part) == false)
  }

  /// A cookie says little by itself: its words, dates, hosts and identifiers are those of everything else, too.
  @Test(arguments: [
    "tz=Europe/Berlin", "origin=api.shop.example", "cart=item-1042", "seen=2026-01-01", "lang=en-GB",
    "theme=dark",
    "uid=1042", "path=/shop/tea", "device=2b1f8c1e-5a4d-4c3b-9e8f-0123456789ab", "v=1.12.3",
    "_ga=GA1.2.1286268803.1660000000",
  ])
  func theWordsOfACookieStayElsewhere(_ cookie: String) throws {
    let value = String(cookie.drop { $0 != "=" }.dropFirst())
    let encoded = try #require(value.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed))
    let original = archive([
      ("/sign-in", nil, cookie + "; Path=/", #"{"value":"\#(value)"}"#),
      ("/things/\(encoded)?q=\(encoded)", cookie, nil, #"["\#(value)","https://\#(value).example/x"]"#),
    ])
    let redacted = original.redacted(by: .standard)
    for (one, other) in zip(original.entries, redacted.entries) {
      #expect(other.request.url == one.request.url)
      #expect(other.response.content.text == one.response.content.text)
    }
  }

  /// No client could request a placeholder in place of a host.
  @Test func noSecretIsReplacedInAHost() {
    let secret = "a1b2c3d4e5f6a7b8"
    let original = archive(
      [("/a?token=\(secret)", nil, nil, #"{"u":"https://\#(secret).example:80/\#(secret)"}"#)],
      at: "https://\(secret).example")
    let redacted = original.redacted(by: .standard).entries.first
    #expect(redacted?.request.url == "https://\(secret).example/a?token=redacted-1")
    #expect(redacted?.response.content.text == #"{"u":"https://\#(secret).example:80/redacted-1"}"#)
  }

  /// Two requests that differ only in a word remain two.
  @Test func requestsThatDifferInAWordStayTwo() async throws {
    let redacted = archive([
      ("/price?token=USDC", nil, nil, "1"), ("/price?token=DAI", nil, nil, "2"),
    ]).redacted(by: .standard)
    let replay = ReplayingTransport(redacted)
    for (coin, price) in [("DAI", "2"), ("USDC", "1")] {
      let text = try await replay.text(for: .get("/price?token=\(coin)"))
      #expect(text == price)
    }
    await #expect(throws: TransportError.self) {
      try await replay.text(for: .get("/price?token=WETH"))
    }
  }

  /// A client that sends a stand-in for the recorded key is answered.
  @Test(arguments: ["test", "a1b2c3d4e5", "x"]) func aStandInForASecretIsAnswered(_ key: String) async throws
  {
    let replay = ReplayingTransport(
      archive([("/a?api_key=8f14e45fceea167a", nil, nil, "1")]).redacted(by: .standard))
    #expect(try await replay.text(for: .get("/a?api_key=\(key)")) == "1")
  }
}
