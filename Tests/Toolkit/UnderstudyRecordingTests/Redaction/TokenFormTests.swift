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

  /// A token of a form, with characters of its alphabet.
  private static func token(_ form: TokenForm, seed: UInt64) -> String {
    var generator = SeededGenerator(seed: seed)
    let alphabet = (UInt8.min...UInt8.max).filter { form.alphabet.contains($0) && $0 != UInt8(ascii: ".") }
    let count = min(form.length.upperBound, max(form.length.lowerBound, 24))
    var body: [UInt8] = []
    repeat {
      body = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0x30 }
    } while !body.withUnsafeBufferPointer(TokenForm.isRandom) && form.isCommon
    return String(decoding: form.prefix + body, as: UTF8.self)
  }

  @Test(arguments: 0..<TokenForm.all.count) func everyFormIsFound(_ index: Int) {
    let form = TokenForm.all[index]
    let token = Self.token(form, seed: UInt64(index))
    for text in [
      token, "a \(token) b", "\"\(token)\"", "x=\(token)&y", "é\(token)\n", #"{"a":"b\n\#(token)"}"#,
    ] {
      #expect(finds(text).contains { $0.hasPrefix(token) }, "\(text)")
    }
    // A longer word is another one. After a dot, another token may begin.
    if form.prefix.contains(UInt8(ascii: ".")) { return }
    #expect(finds("z\(token)").isEmpty, "\(token)")
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
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "fc-1234", "SKATEBOARDS", "key-value-store-of-the-application", "rnd_generator_with_a_seed",
    "https://hooks.slack.com/services/", "0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f", "eyJhbGciOiJIUzI1NiJ9",
    "/assets/app-0a1b2c3d4e5f60718293.js", "hf_transfer_is_enabled",
  ]) func wordsAreNot(_ text: String) {
    #expect(finds(text) == [], "\(text)")
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
