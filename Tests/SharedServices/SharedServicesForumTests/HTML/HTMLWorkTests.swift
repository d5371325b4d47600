import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTesting

@testable import SharedServicesForum

/// libxml2 compares each attribute of a tag with all before it: pages that would take too long are refused.
@Suite(.stallLimit()) struct HTMLWorkTests {
  private static func document(_ html: String) throws(HTMLParsingError) -> HTMLDocument {
    try HTMLDocument(windows1252: Data(html.utf8))
  }

  /// How many attributes are compared with how many others.
  private static func comparisons(_ document: HTMLDocument) -> Int {
    document.nodes.reduce(0) { sum, node in
      guard case .element(_, let attributes) = node.content else { return sum }
      return sum + attributes.count * attributes.count / 2
    }
  }

  /// More than 64 kB of one pattern, each time with another number in the place of `#`.
  private static func repeated(_ pattern: String) -> String {
    let parts = pattern.split(separator: "#", omittingEmptySubsequences: false)
    return (0..<70_000 / max(1, pattern.utf8.count)).map { parts.joined(separator: "\($0)") }.joined()
  }

  /// Neither quoted text nor invalid attributes hide the length of a tag.
  @Test(
    arguments: Effort.some(
      of: [
        "a#", "a#=\"\"", "a#=\"<\"", "a#=\">\"", "a#='<'", "a#='>'", "a#=\"<p>\"", "a#='\"' b#=\"'\"",
        "a#=\"-->\"",
        "a#=\"</p>\"", "a#=\"<!--\"", "a#=\"<script>\"", "a#=&gt;", "a#=<", "a# \n/ =", "a#/",
      ], every: 8))
  func aTagWithTooMuchInItIsRefused(_ attribute: String) { expectRefusal(of: "<p ", attribute) }

  /// libxml2 does not report some tags.
  @Test(
    arguments: Effort.some(
      of: ["<p \"=\" ", "<td x='' ", "<body><body ", "<html><html ", "<head><head ", "<?", "</p "], every: 7))
  func aTagOfWhateverKindThatIsTooLongIsRefused(_ tag: String) { expectRefusal(of: tag, "a#=\"<\"") }

  private func expectRefusal(of tag: String, _ attribute: String) {
    #expect(throws: HTMLParsingError.unreadable("The page has a tag or a comment of more than 65536 bytes."))
    {
      try Self.document("<html>\(tag)\(Self.repeated(attribute + " "))>")
    }
  }

  /// Pieces of HTML in any order make tags, quotes and comments that end somewhere or nowhere.
  @Test func whateverIsReadCostsLittle() {
    let pieces = [
      "<p ", "<", ">", "\"", "'", "=", " ", "/", "a#", "b#=", "=\"<\"", "=\">\"", "='>'", "<!--", "-->",
      "<script>", "</script>", "<html ", "</p", "&quot;", "<?", "<!", "<style ", "<textarea>", "x", "\n",
    ]
    var random = SeededGenerator(seed: 1)
    let rounds = Effort.times(8)
    var read = 0
    for round in 0..<rounds {
      let pattern = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }.joined()
      guard let document = try? Self.document("<body><p " + Self.repeated(pattern)) else { continue }
      read += 1
      #expect(Self.comparisons(document) < 100_000, "round \(round): \(pattern.debugDescription)")
    }
    #expect(read > rounds / 5, "Only \(read) pages were read.")
  }

  @Test(Effort.needsAll) func manyTagsThatAreNearlyTooLongAreRefused() throws {
    let tag = "<p " + (0..<9_000).map { "a\($0)" }.joined(separator: " ") + ">"
    #expect(tag.utf8.count > 50_000)
    #expect(try Self.document(String(repeating: tag, count: 1)).elements.count { $0.isElement("p") } == 1)
    #expect(throws: HTMLParsingError.unreadable("The page has too many long tags or comments.")) {
      try Self.document(String(repeating: tag, count: 20))
    }
  }

  /// What is long and no tag of many attributes is read to its end.
  @Test(arguments: [
    ("<p>", "word ", 50_000, ""), ("<p>", "a < b & c", 20_000, ""),
    ("<script>", "if (a<b && c>d) e = \"<p \"\n", 10_000, "</script>"),
    ("<style>", "a > b { }\n", 20_000, "</style>"), ("<!--", "<p a=\">", 8_000, "-->"),
    ("<img src=\"data:", "A", 60_000, "\">"),
    ("", "<td class=\"a\" title='b > c'>&nbsp;</td>\n", 5_000, ""), ("", "<!-- \"a row -->\n", 10_000, ""),
  ])
  func aLongPageIsReadToItsEnd(_ head: String, _ piece: String, _ count: Int, _ end: String) throws {
    let html = head + String(repeating: piece, count: count) + end
    let document = try Self.document("<html><body>\(html)<p id=last>end</body></html>")
    #expect(document.elements.filter { $0.isElement("p") }.last?.text == "end")
  }

  @Test func readingEndsWithItsTask() async throws {
    let page = "<body>" + String(repeating: "<p>text</p>", count: 1_000)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try Self.document(page)
    }
    await #expect(throws: HTMLParsingError.cancelled) { try await task.value }
  }
}
