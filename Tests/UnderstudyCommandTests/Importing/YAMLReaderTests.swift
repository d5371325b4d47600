import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct YAMLReaderTests {
  private func value(_ yaml: String) throws -> JSONValue { try YAMLReader.value(of: Data(yaml.utf8)) }

  private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Data(text.utf8)) }

  /// A document, and the same in JSON.
  @Test(arguments: [
    ("", "null"),
    ("--- |\n  a\n   b\n\n  c\n", #""a\n b\n\nc\n""#),
    ("a: 1\nb:\n- x\n- y\nc:\n  d: ~\n", #"{"a":1,"b":["x","y"],"c":{"d":null}}"#),
    ("- - 1\n  - 2\n- a: 1\n  b:\n  - 3\n-\n- 4\n", #"[[1,2],{"a":1,"b":[3]},null,4]"#),
    ("a:\nb: ''\nc: \"\"\n", #"{"a":null,"b":"","c":""}"#),
    // Only the notation of JSON is a number, so that no text loses a character.
    (
      "[1, -2.5, 1.0e+3, 007, 1_000, .5, 1e5, 12:30:00, 0x1F, '1']",
      #"[1,-2.5,1.0e+3,"007","1_000",".5","1e5","12:30:00","0x1F","1"]"#
    ),
    ("[true, False, yes, null, ~, 'null']", #"[true,false,"yes",null,null,"null"]"#),
    // Folding of lines.
    ("a: one\n  two\n\n\n  three\nb: 'x\n\n  y  \n  z'\n", #"{"a":"one two\n\nthree","b":"x\ny z"}"#),
    (
      #"a: "x \#n  \  y\#n  z\ü""#.replacing(#"\ü"#, with: #"\xFC\u00e9\U0001F600\n"#),
      #"{"a":"x   y züé😀\n"}"#
    ),
    (#"a: "one\#n\#n  two""#, #"{"a":"one\ntwo"}"#),
    (#"a: "long \"# + "\n  " + #"\ text""#, #"{"a":"long  text"}"#),
    ("a: >\n  one\n  two\n\n  three\n    more\n  four\n", #"{"a":"one two\nthree\n  more\nfour\n"}"#),
    ("a: |-\n  x\nb: |+\n  y\n\nc: |2\n    z\n", #"{"a":"x","b":"y\n\n","c":"  z\n"}"#),
    ("a: 'x\u{2028}  y'\nb: |-\n  x\u{2028}  y\n", "{\"a\":\"x\u{2028}y\",\"b\":\"x\u{2028}y\"}"),
    // Indicators in texts.
    (
      "a: http://h:1/?q#f\nb: x # comment\n# comment\nc: '# none'\nd: -x\n",
      ##"{"a":"http://h:1/?q#f","b":"x","c":"# none","d":"-x"}"##
    ),
    (
      "'a: b': 1\n\"c\\n\": 2\n? long\n: 3\n",
      #"{"a: b":1,"c\n":2,"long":3}"#
    ),
    (
      "a: {b: [1, 'two', \"three\"], \"c\":4, d, ? e : 5}\n",
      #"{"a":{"b":[1,"two","three"],"c":4,"d":null,"e":5}}"#
    ),
    ("a:\n  [1,\n   2 # comment\n  ]\n", #"{"a":[1,2]}"#),
    (
      "a: &1 {b: 1}\nc: *1\nd: &x text\ne: [*x, *1]\n",
      #"{"a":{"b":1},"c":{"b":1},"d":"text","e":["text",{"b":1}]}"#
    ),
    (
      "a: !!str 12\nb: !ruby/symbol get\nc: :post\nd: !ruby/hash:Headers\n  x: 1\ne: !!python/unicode 'u'\n",
      #"{"a":"12","b":"get","c":":post","d":{"x":1},"e":"u"}"#
    ),
    ("a: !!binary |\n  aMOk\nb: !binary |-\n  /wA=\n", #"{"a":"hä","b":{"base64_string":"/wA="}}"#),
    ("%YAML 1.1\n---\na: 1\n...\n", #"{"a":1}"#),
  ])
  func readsWhatPsychAndPyYAMLWrite(_ yaml: String, _ same: String) throws {
    #expect(try value(yaml) == (try json(same)))
    // As checked out on Windows.
    let withReturns = yaml.replacing("\n", with: "\r\n")
    #expect(try value("\u{FEFF}" + withReturns) == (try json(same)))
  }

  @Test(arguments: [
    (
      "a: 1\nb: !ruby/object:Set\n  c: 1\n", 2,
      "The tag !ruby/object:Set is of an object that is not supported"
    ),
    ("a: !ruby/regexp /x/\n", 1, "The tag !ruby/regexp is not supported, or its value is invalid"),
    ("a: *none\n", 1, "The alias *none refers to no earlier value"),
    ("a: &x [*x]\n", 1, "The alias *x refers to no earlier value"),
    ("a: 1\n<<: {b: 1}\n", 2, "Merge keys are not supported"),
    ("a: 1\n--- \nb: 2\n", 2, "It has several documents"),
    ("a: 'x\n", 2, "A text in quotation marks is not closed"),
    ("a: [1, 2\n", 2, "A flow collection is not closed"),
    ("a: b: c\n", 1, "Unexpected \":\" in a text without quotation marks"),
    ("a:\n  b: 1\n   c: 2\n", 3, "Unexpected \":\" in a text without quotation marks"),
    ("a: 1\nb\n", 2, "Expected a key"),
    ("a: \"\\q\"\n", 1, "Unknown escape \\q"),
    ("a: \"\\ud83d\"\n", 1, "An escape is not a character of Unicode"),
    ("a:\n\tb: 1\n", 2, "A tab is used as indentation"),
    ("a: !!binary '?'\n", 1, "The tag !!binary is not supported, or its value is invalid"),
  ])
  func refusesTheRestWithItsLine(_ yaml: String, _ line: Int, _ message: String) {
    #expect(throws: YAMLError(message: message, line: line)) { try value(yaml) }
  }

  @Test func aliasesCannotFillTheMemory() {
    let lines = (1...30).map { "a\($0): &x\($0) [\(repeated("*x\($0 - 1)", 10))]" }
    #expect(throws: YAMLError(message: "Its aliases repeat too many values", line: 7)) {
      try value("a0: &x0 x\n" + lines.joined(separator: "\n"))
    }
  }

  private func repeated(_ word: String, _ count: Int) -> String {
    Array(repeating: word, count: count).joined(separator: ", ")
  }

  @Test(arguments: ["[", "- ", "{a: ", "? "])
  func deepInputIsRefused(_ level: String) {
    #expect(throws: YAMLError.self) { try value(String(repeating: level, count: 100_000)) }
  }

  /// Each beginning of a cassette, and the cassette without each of its bytes, is read or refused.
  @Test(arguments: ["vcr.yml", "vcrpy.yaml"])
  func damagedInputNeverTraps(_ name: String) throws {
    let whole = [UInt8](try Data(contentsOf: try importedFile(name)))
    for place in stride(from: 0, to: whole.count, by: 7) {
      _ = try? YAMLReader.value(of: Data(whole[..<place]))
      _ = try? YAMLReader.value(of: Data(whole[..<place] + whole[(place + 1)...]))
    }
  }
}

/// Returns a file of another tool, written by that tool.
func importedFile(_ name: String) throws -> URL {
  try #require(Bundle.module.resourceURL).appending(path: "Imported/\(name)")
}
