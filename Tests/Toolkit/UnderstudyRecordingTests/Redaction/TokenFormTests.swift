import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyRecording

/// Secrets that are recognized by their form.
@Suite(.stallLimit()) struct TokenFormTests {
  private let scanner = SecretScanner(.standard)

  private func finds(_ text: String) -> [String] { scanner.finds(in: Array(text.utf8)).map(\.secret) }

  /// A made-up token of a form.
  private static func token(_ form: TokenForm, seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed)
    let prefix = form.elements.prefix { $0.count == 1...1 }.count
    var token: [UInt8] = []
    repeat {
      token = form.elements.flatMap { element in
        let most = min(element.count.upperBound, element.count.lowerBound + 6)
        // A dot may end the token, and padding is only at its end.
        let characters = element.characters.all.filter { element.count == 1...1 || !".=".utf8.contains($0) }
        return (0..<Int.random(in: element.count.lowerBound...most, using: &generator)).map { _ in
          characters.randomElement(using: &generator) ?? element.characters.all[0]
        }
      }
    } while form.isCommon
      && !token.withUnsafeBufferPointer { TokenForm.isRandom(.init(rebasing: $0.dropFirst(prefix))) }
    return String(decoding: token, as: UTF8.self)
  }

  /// The tokens of one form in a text, without those of others.
  private static func tokens(of form: TokenForm, in text: String) -> [String] {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      Set(bytes.indices.compactMap { form.range(around: $0, in: bytes) })
        .map { String(decoding: bytes[$0], as: UTF8.self) }
    }
  }

  @Test(arguments: 0..<TokenForm.all.count) func everyFormIsFound(_ index: Int) {
    let form = TokenForm.all[index]
    #expect(!form.issuer.isEmpty && !form.source.isEmpty)
    for seed in 0..<4 {
      let token = Self.token(form, seed: UInt64(index * 4 + seed))
      for text in [
        token, "a \(token) b", "It is \(token).", #"{"a":"\#(token)"}"#, #"{"a":"b\n\#(token)"}"#,
        "é\(token)\n",
        "/?x=\(token.replacing("=", with: "%3D"))&y=1",
      ] {
        #expect(finds(text) == [token], "\(form.issuer): \(text)")
      }
      // A longer word is another one; a letter before a number is not.
      let begins = Self.tokens(of: form, in: "z\(token)")
      #expect(begins == (form.issuer == "Telegram" ? [token] : []), "\(form.issuer): z\(token)")
    }
  }

  /// The search tries a form at each of these, so that a form with too many makes it slow.
  @Test(arguments: TokenForm.all.indices) func everyFormHasARareWindow(_ index: Int) {
    let form = TokenForm.all[index]
    #expect(form.window.reduce(1) { $0 * $1.folded.count } <= 400, "\(form.issuer)")
  }

  @Test(arguments: TokenForm.all.indices) func aTokenOfAnotherLengthIsNot(_ index: Int) {
    let form = TokenForm.all[index]
    guard form.elements.allSatisfy({ $0.count.count == 1 }) else { return }
    let token = Self.token(form, seed: UInt64(index))
    #expect(Self.tokens(of: form, in: token) == [token])
    for other in [String(token.dropLast()), token + "a", token + "_a"] {
      #expect(Self.tokens(of: form, in: other) == [], "\(form.issuer): \(other)")
    }
  }

  @Test func escapesAreNotPartOfTheSecret() {
    let token = "fm2_" + String(repeating: "aB3+/", count: 20) + "=="
    #expect(finds(#"{"a":"\#(token.replacing("/", with: #"\/"#))"}"#) == [token])
    let query = token.replacing("/", with: "%2F").replacing("+", with: "%2b").replacing("=", with: "%3D")
    #expect(finds("?a=\(query)&b=1") == [token])
    #expect(finds("fm2_\(query.dropFirst(4)),\(token)") == [token, token])
  }

  /// The checksum shows that a text is a token, even if it looks like filling.
  @Test func aChecksumIsVerified() {
    let body = String(repeating: "a", count: 30)
    let checksum = Inflation.checksum(of: Array(body.utf8))
    let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    var (value, end) = (checksum, "")
    for _ in 0..<6 {
      end = "\(digits[Int(value % 62)])" + end
      value /= 62
    }
    let token = ["ghp", body + end].joined(separator: "_")
    #expect(finds(token) == [token])
    #expect(finds(["ghp", body + "000000"].joined(separator: "_")) == [])
  }

  @Test(arguments: [
    "sk-circle-fade-dot-large-spinner-2", "re_render_the_whole_component_tree",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxx", "fc-1234", "SKATEBOARDS", "key-value-store-of-the-application",
    "rnd_generator_with_a_seed", "https://hooks.slack.com/services/", "0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f",
    "eyJhbGciOiJIUzI1NiJ9", "/assets/app-0a1b2c3d4e5f60718293.js", "hf_transfer_is_enabled",
    "path/to/the/pattern.patch", "patternrecogniser.0a1b2c3d4e5f60718293", "test_thatAUserCanLogInTwice01x",
    "live_chat_window_of_the_support_team_here", "secret-santa-list", "md-button-toggle-group-01",
    "act.currentTargetOfTheEventListenerWithOptions", "ser.serializeTheWholeThing", "st.join(separator)",
    "pat.match(expression)", "prod:eu-west-1|blue", "dev:api|8080", "api-gateway-of-the-shop",
    "sdk-30-preview",
    "1/1234567890123456", "12345678:AA", "2026-01-01T12:00:00.000Z",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "as-a-service-for-everyone", "pa-rum-pum-pum-pum", "00D!important", "1000.50", "na1.example.com",
    "sig_verification_result", "MTIz.NDU2.Nzg5", "secret_management_of_the_application",
    "pk_index_of_the_table",
    "cal_year_month_day", "pi_approximation_secret_sauce", "EAAAAAAAAA", "SG.framework", "sl.up", "p.eyJ",
    "sq-card__title--large", "access_control_allow_origin", "token-bucket:refill", "A3-paper-landscape",
    "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567", "tr_dev_environment", "hawk.example.com", "t1.example.com",
  ]) func wordsAreNot(_ text: String) {
    #expect(finds(text) == [], "\(text)")
  }

  /// Pictures, digests and identifiers are random too.
  @Test func randomTextsAreNot() {
    var generator = SeededGenerator(seed: 41)
    let picture = Data((0..<90_000).map { $0 % 300 < 60 ? 0 : UInt8.random(in: 0...255, using: &generator) })
    #expect(finds("data:image/png;base64,\(picture.base64EncodedString())") == [])
    let digits = Array("0123456789abcdef")
    for length in [8, 24, 32, 40, 56, 64, 96, 128] {
      let digests = (0..<50).map { _ in
        String((0..<length).map { _ in digits.randomElement(using: &generator) ?? "0" })
      }
      #expect(finds(#"{"ids":["\#(digests.joined(separator: "\",\""))"]}"#) == [], "\(length)")
    }
    let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-")
    let ids = (0..<500).map { length in
      String((0..<(8 + length % 40)).map { _ in letters.randomElement(using: &generator) ?? "0" })
    }
    #expect(finds(#"{"ids":["\#(ids.joined(separator: "\",\""))"]}"#) == [])
  }

  @Test func webhooks() {
    let token = "Ab1" + String(repeating: "Cd2", count: 7)
    for text in [
      "https://hooks.slack.com/services/T0001/B0001/\(token)",
      "https://discord.com/api/webhooks/123456/\(token)",
    ] {
      #expect(finds("post to \(text), now") == [token])
    }
    let teams = "https://a.webhook.office.com/webhookb2/1@2/IncomingWebhook/\(token)/0a1b"
    #expect(finds(teams) == ["\(token)/0a1b"])
  }

  @Test func otherForms() {
    let bot = "123456789:" + "AA" + String(repeating: "x1Y", count: 11)
    #expect(finds("/bot\(bot)/getMe") == [bot])
    #expect(finds("the bot \(bot)") == [bot])
    let key = String(repeating: "0a1b2c3d", count: 4) + "-" + "us12"
    #expect(finds("apikey \(key).") == [key])
    #expect(finds("a-" + "us1 b") == [])
    for label in ["PRIVATE KEY", "PGP PRIVATE KEY BLOCK"] {
      let armor = "-----BEGIN \(label)-----\n\nMIGkAbc=\n-----END \(label)-----"
      #expect(finds("a\n\(armor)\nb") == [armor])
      #expect(finds("<match value=\"-----BEGIN \(label)-----\"/>") == [])
    }
  }

  @Test func base64OfJSON() {
    func encoded(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    let state = encoded(#"{"access_token":"abc-def","x":1}"#)
    let finds = scanner.finds(in: Array("?cursor=\(state)&x=1".utf8))
    #expect(finds.map(\.secret) == [state] && finds.first?.parts == ["abc-def"])
    #expect(self.finds("?cursor=" + encoded(#"{"id":17,"after":"abc-def"}"#)) == [])
  }
}

/// Bodies in encodings that hide their text.
@Suite(.stallLimit()) struct BodyCodingTests {
  private func redacted(_ body: [UInt8]) throws -> [UInt8] {
    let entry = HTTPArchive.Entry(
      startedDateTime: Date(timeIntervalSince1970: 0),
      request: .init(HTTP.Request(.get, URL(filePath: "/"))),
      response: .init(status: 200, fields: [:], content: .init(Data(body), mimeType: "")),
      timings: .init(wait: 0, receive: 0))
    let archive = HTTPArchive(log: .init(entries: [entry])).redacted(by: .standard)
    #expect(archive.secrets(by: .standard) == [])
    return [UInt8](try #require(archive.entries.first?.response.content.body))
  }

  @Test(arguments: [false, true], [false, true]) func utf16(_ isBigEndian: Bool, _ hasMark: Bool) throws {
    let coding = BodyCoding.utf16(isBigEndian: isBigEndian)
    let mark = hasMark ? "\u{FEFF}" : ""
    let body = coding.encoded(Array((mark + #"{"password":"abcé","x":"y"}"#).utf8))
    let expected = coding.encoded(Array((mark + #"{"password":"redacted-1","x":"y"}"#).utf8))
    #expect(try redacted(body) == expected)
  }

  /// Written by zlib with a fixed code, without compression, and with a code of its own.
  @Test(arguments: [
    "H4sIAAAAAAACA6tWKkgsLi7PL0pRslJKTEpOSU1Lz8jMylaqBQCAqgMPGgAAAA==",
    "H4sIAAAAAAAEAwEaAOX/eyJwYXNzd29yZCI6ImFiY2RlZmdoaWprIn2AqgMPGgAAAA==",
    """
    H4sIAAAAAAACA4XSOw6DQAxF0a0g1xTYwAywG76BIEECiYiE2HsSuR3b9X3V0TthgSqJ4YAKXmMfPd9TO0fNth5LNKwfuOLzv0BeyAPigdhT7lLO\
    OAs15xqOjmOweW6hVHAKlNLWSCwORMMDSQfBVBXBTCPBXDFBJ6OgF1WwsFlK8yWJwUKosxCpLJRqLJQpLJTLLOREFvImCxUmS6mxPOp9P9at+w3qpu36\
    4TZO9xmuL/d+5I+7AwAA
    """,
  ]) func gzip(_ file: String) throws {
    let body = [UInt8](try #require(Data(base64Encoded: file)))
    let text = String(decoding: try #require(BodyCoding.contents(ofGzip: body)), as: UTF8.self)
    let member = #"{"password":"abcdefghijk"}"#
    #expect(text.hasSuffix(member))
    let expected = text.dropLast(member.count) + #"{"password":"redacted-1"}"#
    #expect(BodyCoding.contents(ofGzip: try redacted(body)) == Array(expected.utf8))
  }

  /// Any input is decoded or refused.
  @Test func damagedFiles() throws {
    let text = Array(String(repeating: "a b c d e ", count: 50).utf8)
    let file = BodyCoding.gzip(text)
    #expect(BodyCoding.contents(ofGzip: file) == text)
    for seed in 0..<UInt64(Effort.times(300)) {
      var generator = SeededGenerator(seed: seed)
      var damaged = file
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        damaged[Int.random(in: 10..<60, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      let contents = BodyCoding.contents(
        ofGzip: Array(damaged.prefix(Int.random(in: 0...damaged.count, using: &generator))))
      #expect(contents == nil || contents == text, "seed \(seed)")
    }
  }
}
