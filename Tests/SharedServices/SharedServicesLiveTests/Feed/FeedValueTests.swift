import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import SharedServices

/// The domain's JSON compared with that of the toolkit, which was written independently.
@Suite(.stallLimit()) struct FeedValueTests {
  private static let documents = [
    #"{"b":[1.0,-0,2e3,1E-5,1e999,true,false,null],"a":{"":"\"\\\/\b\f\n\r\tä😀\u0000"},"b":"last"}"#,
    #" [ "\u00e4" , "\ud83d\ude00" , {} , [] , "" , 0 ] "#, "\"\u{1F600}\"", "-12.50e+7", "null",
  ]

  private static func agree(_ bytes: [UInt8]) -> Bool {
    FeedValue(json: bytes)?.compactText == (try? JSONValue(parsing: Data(bytes)))?.compactText
  }

  @Test(arguments: documents) func keepsOrderDigitsAndText(_ document: String) throws {
    #expect(FeedValue(json: document.utf8) != nil)
    #expect(Self.agree(Array(document.utf8)))
  }

  @Test(arguments: [
    "", " ", "01", "1.", ".5", "-", "+1", "1e", "nul", "tru", "[1,]", "[1 2]", "{\"a\":1,}", "{a:1}",
    "{\"a\"}", "[",
    "\"", "\"\u{1}\"", #""\x""#, #""\ud800""#, #""\udc00\ud800""#, #""\u00g0""#, #""\u12"#, "1 2",
    "\u{FEFF}1",
  ])
  func refusesWhatIsNotJSON(_ text: String) {
    #expect(FeedValue(json: text.utf8) == nil)
    #expect(Self.agree(Array(text.utf8)))
  }

  @Test func refusesInvalidBytesAndDeepNesting() {
    for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
      #expect(FeedValue(json: bytes) == nil)
    }
    for depth in [511, 512, 513, 100_000] {
      #expect(Self.agree(Array(repeating: UInt8(ascii: "["), count: depth)))
      let nested = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect((FeedValue(json: nested.utf8) != nil) == (depth <= 512))
      #expect(Self.agree(Array(nested.utf8)))
    }
  }

  @Test func damagedDocumentsReadAsTheToolkitReadsThem() {
    var random = SeededGenerator(seed: 5)
    let pieces = Array("{}[]\",:\\u0123eE+-. \ntfn\u{E9}".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xF0, 0xFF]
    for _ in 0..<Effort.times(5_000) {
      var bytes = Array(Self.documents[Int.random(in: 0..<Self.documents.count, using: &random)].utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = pieces[Int.random(in: 0..<pieces.count, using: &random)]
        default: bytes.insert(pieces[Int.random(in: 0..<pieces.count, using: &random)], at: place)
        }
      }
      #expect(Self.agree(bytes), "\(String(decoding: bytes, as: UTF8.self)), seed 5")
    }
  }
}
