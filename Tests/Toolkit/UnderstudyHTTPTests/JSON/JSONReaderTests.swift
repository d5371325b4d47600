import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

/// Positions at which reading in blocks of sixteen and sixty-four bytes could fail.
@Suite(.stallLimit()) struct JSONReaderTests {
  /// The value of a document, or the position at which it is invalid.
  private enum Outcome: Equatable, CustomStringConvertible {
    case value(JSONValue)
    case refused(Int)

    var description: String {
      switch self {
      case .value(let value): value.compactText
      case .refused(let offset): "refused at \(offset)"
      }
    }
  }

  private func read(_ bytes: [UInt8]) -> Outcome {
    do { return .value(try JSONValue(parsing: Data(bytes))) } catch { return .refused(error.offset) }
  }

  /// The end of a pass without values, or the position at which it fails.
  private func pass(_ bytes: [UInt8]) -> Outcome {
    bytes.withUnsafeBytes { bytes in
      do throws(JSONValue.ParsingError) {
        let reader = JSONReader(bytes)
        let end = reader.endOfSpace(from: try reader.endOfValue(from: reader.endOfSpace(from: 0), depth: 0))
        return end == bytes.count ? .value(.null) : .refused(end)
      } catch { return .refused(error.offset) }
    }
  }

  /// Pieces of a string, and the text of each; `nil` for an invalid one, whose first byte is reported.
  private static let pieces: [(bytes: [UInt8], text: String?)] = [
    (Array(#"\""#.utf8), "\""), (Array(#"\\"#.utf8), "\\"), (Array(#"\/"#.utf8), "/"),
    (Array(#"\n"#.utf8), "\n"),
    (Array(#"\u00E9"#.utf8), "é"), (Array(#"\ud83d\uDE00"#.utf8), "😀"), (Array(#"\u0000"#.utf8), "\0"),
    ([0x7F], "\u{7F}"), (Array("é".utf8), "é"), (Array("日".utf8), "日"), (Array("😀".utf8), "😀"),
    ([0xC2, 0x80], "\u{80}"), ([0xDF, 0xBF], "\u{7FF}"), ([0xE0, 0xA0, 0x80], "\u{800}"),
    ([0xED, 0x9F, 0xBF], "\u{D7FF}"), ([0xEE, 0x80, 0x80], "\u{E000}"), ([0xEF, 0xBF, 0xBF], "\u{FFFF}"),
    ([0xF0, 0x90, 0x80, 0x80], "\u{10000}"), ([0xF4, 0x8F, 0xBF, 0xBF], "\u{10FFFF}"),
    // Control characters, and invalid escapes.
    ([0x00], nil), ([0x0A], nil), ([0x1F], nil), (Array(#"\x"#.utf8), nil), (Array(#"\U0041"#.utf8), nil),
    (Array(#"\u00g0"#.utf8), nil), (Array(#"\u+123"#.utf8), nil), (Array(#"\ud800"#.utf8), nil),
    (Array(#"\udc00"#.utf8), nil), (Array(#"\ud800\u0041"#.utf8), nil), (Array(#"\ud800\n"#.utf8), nil),
    ([0x5C, 0xC3, 0xA9], nil),
    // Invalid UTF-8: lone and missing continuations, overlong forms, surrogates, beyond U+10FFFF.
    ([0x80], nil), ([0xBF], nil), ([0xC3], nil), ([0xC3, 0xC3, 0xA9], nil), ([0xE6, 0x97], nil),
    ([0xF0, 0x9F, 0x98], nil), ([0xC0, 0x80], nil), ([0xC1, 0xBF], nil), ([0xE0, 0x9F, 0xBF], nil),
    ([0xF0, 0x8F, 0xBF, 0xBF], nil), ([0xED, 0xA0, 0x80], nil), ([0xED, 0xBF, 0xBF], nil),
    ([0xE6, 0x28, 0xA5], nil), ([0xF0, 0x28, 0x98, 0x80], nil), ([0xF0, 0x9F, 0x28, 0x80], nil),
    ([0xF0, 0x9F, 0x98, 0x28], nil), ([0xF4, 0x90, 0x80, 0x80], nil), ([0xF5, 0x80, 0x80, 0x80], nil),
    ([0xFE], nil), ([0xFF], nil),
  ]

  /// Every length up to beyond a block; by default those next to the ends of a block and of its quarters.
  private static let lengths = Effort.some(of: 0...70) { ($0 + 2) % 16 < 4 }

  /// In a string of every length up to beyond a block of sixty-four, with much and with nothing behind it, as the last
  /// bytes of a document are read one by one.
  @Test(arguments: pieces.indices, [0, 100])
  func pieceAtEveryPlace(_ number: Int, _ space: Int) {
    let (piece, text) = Self.pieces[number]
    for before in Self.lengths {
      for after in [0, 1, 15, 16, 70] {
        let (head, tail) = (String(repeating: "a", count: before), String(repeating: "b", count: after))
        let bytes =
          Array("\"\(head)".utf8) + piece + Array("\(tail)\"".utf8) + Array(repeating: 0x20, count: space)
        let expected: Outcome = text.map { .value(.string(head + $0 + tail)) } ?? .refused(before + 1)
        #expect(read(bytes) == expected, "\(piece) behind \(before) bytes and before \(after)")
        let passed = pass(bytes)
        #expect(text == nil ? passed == expected : passed == .value(.null), "\(piece) behind \(before) bytes")
      }
    }
  }

  @Test func everyLengthWithoutAnythingSpecial() {
    for length in 0...200 {
      let text = String(repeating: "x", count: length)
      let string = Array("\"\(text)\"".utf8)
      #expect(read(string) == .value(.string(text)))
      #expect(read(string.dropLast()) == .refused(length + 1), "the quote is missing at the end")
      #expect(pass(string.dropLast()) == .refused(length + 1))
    }
  }

  /// A run of characters of each length, truncated at each of its bytes.
  @Test(arguments: ["é", "日", "😀"]) func runsOfCharactersAreCheckedToTheirEnd(_ character: String) {
    for count in 1...40 {
      let run = Array(String(repeating: character, count: count).utf8)
      #expect(read([0x22] + run + [0x22]) == .value(.string(String(repeating: character, count: count))))
      for cut in 1..<character.utf8.count {
        let broken = [0x22] + run.dropLast(cut) + [0x22] + Array(repeating: 0x20, count: 80)
        #expect(pass(broken) == .refused(1 + run.count - character.utf8.count), "\(count), cut by \(cut)")
      }
    }
  }

  @Test func spaceOfEveryLength() {
    for count in 0...80 {
      for space in [" ", "\n", "\t", "\r", "\n   "] {
        let gap = String(repeating: space, count: count)
        let expected = JSONValue.object([.init("a", .array([.number("1"), .null]))])
        #expect(
          read(Array("\(gap){\(gap)\"a\"\(gap):\(gap)[1\(gap),\(gap)null\(gap)]\(gap)}\(gap)".utf8))
            == .value(expected))
        #expect(read(Array("[\(gap)\u{C}1]".utf8)) == .refused(1 + gap.utf8.count), "form feeds are invalid")
        #expect(read(Array("[\(gap)\u{A0}]".utf8)) == .refused(1 + gap.utf8.count))
      }
    }
  }

  @Test(
    arguments: [
      ("-0", nil), ("0", nil), ("1e999", nil), ("-1E-999", nil), ("0.10", nil), ("1E+05", nil), ("01", 1),
      ("-", 1),
      ("-a", 1), ("1.", 2), ("1.e1", 2), ("1e", 2), ("1e+", 3), (".5", 0), ("+1", 0), ("0x1", 1), ("1_0", 1),
      ("NaN", 0), ("Infinity", 0), ("-Infinity", 1), ("tru", 0), ("truex", 4), ("nul", 0), ("null0", 4),
      ("fals", 0),
    ] as [(String, Int?)])
  func numbersAndWords(_ text: String, _ place: Int?) {
    let bytes = Array(text.utf8)
    #expect(read(bytes) == (place.map { .refused($0) } ?? .value(.number(text))))
    #expect(pass(bytes) == (place.map { .refused($0) } ?? .value(.null)))
  }

  @Test func aNumberOfAnyLengthKeepsItsDigits() {
    let digits = String(repeating: "1234567890", count: 10_000)
    #expect(read(Array(digits.utf8)) == .value(.number(digits)))
  }

  @Test func depthIsBounded() {
    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
      func nested(_ depth: Int) -> [UInt8] {
        Array((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
      }
      #expect(pass(nested(511)) == .value(.null))
      guard case .value = read(nested(511)) else {
        Issue.record("511 levels are refused")
        continue
      }
      let place = 512 * open.utf8.count
      #expect(read(nested(512)) == .refused(place))
      #expect(pass(nested(512)) == .refused(place))
      #expect(pass(Array(repeating: UInt8(ascii: "["), count: 1_000_000)) == .refused(512))
    }
  }

  /// Every change of one byte of a small document: both readers agree, and Foundation's on whether it is JSON.
  @Test func everyChangeOfOneByte() {
    let document = Array(#"{"a\n":[-1.5e+3,"é\ud83d\ude00",true,{}],"b":null }"#.utf8)
    // By default the bytes that mean something in JSON, and every tenth of the others.
    let meaningful = Set(#"{}[]",:\-+.eE0189tfnu "#.utf8)
    let tried = Effort.some(of: UInt8.min ... .max) { $0 % 10 == 0 || meaningful.contains($0) }
    for place in document.indices {
      for byte in tried {
        var bytes = document
        bytes[place] = byte
        let (value, passed) = (read(bytes), pass(bytes))
        if case .value = value {
          #expect(passed == .value(.null), "\(byte) at \(place)")
        } else {
          #expect(passed == value, "\(byte) at \(place)")
        }
        let foundation = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        if case .value = value { #expect(foundation != nil, "\(byte) at \(place): \(value)") }
        // Foundation on Linux takes a comma behind the last member.
        let hasLastComma = bytes.suffix(2) == Array(",}".utf8)
        if foundation != nil, !hasLastComma {
          #expect(passed == .value(.null), "\(byte) at \(place): \(value)")
        }
      }
    }
  }

  @Test func everyPlaceToCut() {
    let document = Array(#"{"a\n":[-1.5e+3,"é\ud83d\ude00",true,{}],"b":null}"#.utf8)
    for length in 0..<document.count {
      let value = read(Array(document.prefix(length)))
      #expect(pass(Array(document.prefix(length))) == value)
      guard case .refused(let offset) = value else {
        Issue.record("cut after \(length) it is read")
        continue
      }
      #expect(offset <= length)
    }
  }

  @Test func childrenAreFoundBesideTextThatLooksLikeJSON() throws {
    let bytes = Array(#"{"x": "{\"a\": [", "\u0061\n" : [[], {"b": 1} ,2], "x":{}}"#.utf8)
    let places = try bytes.withUnsafeBytes { bytes in
      let reader = JSONReader(bytes)
      let members = try reader.children(of: 0)
      let elements = try reader.children(of: members[1].value)
      #expect(members.map(\.step) == [.member("x"), .member("a\n"), .member("x")])
      #expect(elements.map(\.step) == [.element(0), .element(1), .element(2)])
      for member in [members[0], members[2]] { #expect(try reader.children(of: member.value).isEmpty) }
      return (members + elements).map { String(decoding: bytes[$0.value...].prefix(2), as: UTF8.self) }
    }
    #expect(places == [#""{"#, "[[", "{}", "[]", #"{""#, "2]"])
  }
}
