import Foundation
import Testing
import UnderstudyDoubles
import UnderstudyPrimitives
import UnderstudyTransport

@testable import UnderstudyCommand

@Suite struct JSONLinesTests {
  @Test func findsValuesBelowNamesThatAreEscapedAndBesideTextThatLooksLikeJSON() {
    let text = #"""
      {"x": "{\"a\": [",
       "a": [1, {"b":
         -1.5e3}, "],",
        [[
         null]]], "\u0061\n": {},
       "x": [
      true]}
      """#
    let paths: [[JSONValue.Step]] = [
      [], [.member("a"), .element(1), .member("b")], [.member("a"), .element(3), .element(0), .element(0)],
      [.member("a\n")], [.member("x"), .element(0)], [.member("nowhere")], [.member("a"), .element(2)],
    ]
    #expect(JSONLines.lines(of: paths, in: Data(text.utf8)) == [1, 3, 5, 5, 7, 1, 3])
  }

  /// Against the slow way, on documents that nobody wrote.
  @Test func agreesWithReadingTheDocumentForEachValue() throws {
    let seed: UInt64 = 7
    var generator = SeededGenerator(seed: seed)
    for number in 0..<200 {
      var paths: [[JSONValue.Step]] = []
      let document = Self.document(&generator, depth: 0, at: [], &paths)
      let text = Data(document.indentedLines.joined(separator: "\n").utf8)
      let expected = paths.map { path in
        text.prefix(JSONValue.offset(of: path, in: text)).count { $0 == UInt8(ascii: "\n") } + 1
      }
      #expect(JSONLines.lines(of: paths, in: text) == expected, "document \(number), seed \(seed)")
    }
  }

  private static func document(
    _ generator: inout SeededGenerator, depth: Int, at path: [JSONValue.Step],
    _ paths: inout [[JSONValue.Step]]
  ) -> JSONValue {
    paths.append(path)
    switch Int.random(in: 0..<(depth < 5 ? 6 : 4), using: &generator) {
    case 0: return .null
    case 1: return .number("-0.5E+7")
    case 2: return .string("\"{[,\\\n")
    case 3: return .boolean(true)
    case 4:
      return .array(
        (0..<Int.random(in: 0..<4, using: &generator)).map {
          document(&generator, depth: depth + 1, at: path + [.element($0)], &paths)
        })
    default:
      return .object(
        (0..<Int.random(in: 0..<4, using: &generator)).map { number in
          let name = "\(number)\"\\"
          return .init(name, document(&generator, depth: depth + 1, at: path + [.member(name)], &paths))
        })
    }
  }
}
