import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyTesting

@testable import UnderstudyCommand

@Suite(.stallLimit()) struct JSONLinesTests {
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

  /// Random documents, whose writer records the line of each value.
  @Test func findsEveryValueOfADocument() {
    let seed: UInt64 = 7
    for number in 0..<200 {
      var writer = Writer(seed: seed &+ UInt64(number))
      writer.write(at: [])
      let found = JSONLines.lines(of: writer.places.map(\.path), in: Data(writer.text.utf8))
      #expect(found == writer.places.map(\.line), "document \(number), seed \(seed)")
    }
  }

  private struct Writer {
    private(set) var text = ""
    private(set) var places: [(path: [JSONValue.Step], line: Int)] = []
    private var line = 1
    private var generator: SeededGenerator

    init(seed: UInt64) {
      generator = SeededGenerator(seed: seed)
    }

    mutating func write(at path: [JSONValue.Step]) {
      breakLine()
      places.append((path, line))
      let isDeep = path.count >= 5
      switch Int.random(in: 0..<(isDeep ? 4 : 6), using: &generator) {
      case 0: text += "null"
      case 1: text += "-0.5E+7"
      case 2: text += #""\"{[,\\\n""#
      case 3: text += "true"
      case 4:
        text += "["
        for index in 0..<Int.random(in: 0..<4, using: &generator) {
          if index > 0 { text += "," }
          write(at: path + [.element(index)])
        }
        breakLine()
        text += "]"
      default:
        text += "{"
        for index in 0..<Int.random(in: 0..<4, using: &generator) {
          if index > 0 { text += "," }
          breakLine()
          text += #""\#(index)\"\\":"#
          write(at: path + [.member("\(index)\"\\")])
        }
        breakLine()
        text += "}"
      }
    }

    private mutating func breakLine() {
      guard Bool.random(using: &generator) else { return }
      text += "\n "
      line += 1
    }
  }
}
