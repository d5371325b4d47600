import Foundation
import Testing
import UnderstudyHTTP
import UnderstudyTesting

@Suite(.stallLimit()) struct JSONValueTests {
  private func parse(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Data(text.utf8))
  }

  @Test func reads() throws {
    #expect(
      try parse(#" {"a" : [1, -0.50e+3, true, false, null], "a": "\u00e9\ud83d\ude00\n\/"} "#)
        == .object([
          .init("a", .array([.number("1"), .number("-0.50e+3"), .boolean(true), .boolean(false), .null])),
          .init("a", .string("é😀\n/")),
        ]))
    #expect(try parse(#"{"a":1,"a":2}"#)["a"] == .number("2"), "the last of two members counts")
    #expect(try parse(#""x""#).stringValue == "x")
  }

  @Test func writes() throws {
    let value = try parse(#" {"a":[], "b":{"c":-0.50e+3,"d":"\u0001\"\n\/é"},"e":[{"f":null},true]}"#)
    #expect(value.compactText == #"{"a":[],"b":{"c":-0.50e+3,"d":"\u0001\"\n/é"},"e":[{"f":null},true]}"#)
    var bytes: [UInt8] = []
    value.write(into: &bytes, hasSpaces: true)
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == #"{"a": [], "b": {"c": -0.50e+3, "d": "\u0001\"\n/é"}, "e": [{"f": null}, true]}"#)
  }

  @Test func indents() throws {
    let value = try parse(#"{"a":[],"b":{"c":1,"d":"{,"},"e":[{"f":null},true]}"#)
    func lines(joinsFewScalars: Bool) -> [String] {
      var bytes: [UInt8] = []
      value.writeIndented(into: &bytes, joinsFewScalars: joinsFewScalars)
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    #expect(
      lines(joinsFewScalars: true) == [
        "{", #"  "a": [],"#, #"  "b": { "c": 1, "d": "{," },"#, #"  "e": ["#, #"    { "f": null },"#,
        "    true",
        "  ]", "}",
      ])
    #expect(
      lines(joinsFewScalars: false) == [
        "{", #"  "a": [],"#, #"  "b": {"#, #"    "c": 1,"#, #"    "d": "{,""#, "  },", #"  "e": ["#, "    {",
        #"      "f": null"#, "    },", "    true", "  ]", "}",
      ])
  }

  /// Each breaks one rule of RFC 8259.
  @Test(arguments: [
    "", " ", "{", "}", "[1,]", "[1 2]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "01", "1.", ".5",
    "+1",
    "-", "1e", "tru", "nul", "NaN", #"""#, #""\x""#, #""\u12""#, #""\u+123""#, #""\ud800""#,
    #""\ud800\u0041""#,
    #""\udc00""#, "\"\n\"", "[1] 2", "'a'", "\u{FEFF}1",
  ])
  func refuses(_ text: String) {
    #expect(throws: JSONValue.ParsingError.self) { try parse(text) }
  }

  @Test func invalidUTF8IsRejected() {
    for bytes: [UInt8] in [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] {
      #expect(throws: JSONValue.ParsingError.self) { try JSONValue(parsing: Data(bytes)) }
    }
  }
}
