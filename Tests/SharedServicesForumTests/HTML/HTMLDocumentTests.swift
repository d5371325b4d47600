import Foundation
import Testing
import UnderstudyTesting

@testable import SharedServicesForum

@Suite(.stallLimit()) struct HTMLDocumentTests {
  private static func body(_ html: [UInt8]) throws -> HTMLElement {
    try #require(try HTMLDocument(windows1252: Data(html)).elements.first { $0.isElement("body") })
  }

  private static func body(_ html: String) throws -> HTMLElement { try body(Array(html.utf8)) }

  /// A meta tag that is believed makes two characters of each of these, or none.
  @Test(arguments: ["", "utf-8", "iso-8859-1", "utf-16", "nonsense", "shift_jis"])
  func bytesAreWindows1252WhateverThePageSays(_ charset: String) throws {
    let meta =
      #"<html><head><meta http-equiv="Content-Type" content="text/html; charset=\#(charset)">"#
      + #"<meta charset="\#(charset)"></head><body><p title="x"#
    let html =
      Array(meta.utf8) + [0x80, 0xE9] + Array("\">".utf8) + [0x93, 0x80, 0x94, 0x85, 0xC3, 0xA9, 0x99]
    let body = try Self.body(html)
    #expect(body.text == "“€”…Ã©™")
    #expect(body.first("p")?["title"] == "x€é")
  }

  @Test(arguments: [
    ("&amp;lt; &lt;b&gt; &quot;&#39;&apos;", "&lt; <b> \"''"), ("&#8364;&#x20AC;&euro;", "€€€"),
    ("&eacute;&nbsp;&mdash;", "é\u{A0}—"), ("&#29579;&#128103;", "王👧"),
    // Browsers read these as the bytes of windows-1252.
    ("&#147;a&#148; &#x80;", "“a” €"), ("&nosuch; & &", "&nosuch; & &"),
  ])
  func decodesEntities(_ html: String, _ text: String) throws {
    #expect(try Self.body("<body><p title=\"\(html.replacing("\"", with: ""))\">\(html)").text == text)
  }

  @Test func textIsWhatIsShown() throws {
    let html = """
      <body><p>one  <b>two<i> thr</i></b>ee\r\n\t&nbsp;<!-- no --><script>no()</script><style>no</style>
      four</p></body>
      """
    #expect(try Self.body(html).text == "one two three \u{A0} four")
  }

  /// libxml2 would stop at the first, and the page would be shorter than it is.
  @Test(arguments: Array(0...0x1F) + [0x7F, 0x81, 0x8D, 0x8F, 0x90, 0x9D] as [UInt8])
  func noByteEndsThePage(_ byte: UInt8) throws {
    let body = try Self.body(Array("<body><p>a".utf8) + [byte] + Array("b</p><p>end</p>".utf8))
    #expect(body.all("p").last?.text == "end")
  }

  @Test func elementsKnowWhatIsInside() throws {
    let body = try Self.body("<body><ul><li class='a  b'>1<ul><li>2</ul><li class=b>3</ul><p>4")
    let list = try #require(body.first("ul"))
    #expect(list.children.map(\.text) == ["12", "3"])
    #expect(list.all("li").map(\.text) == ["12", "2", "3"])
    #expect(list.all("li", class: "b").map(\.text) == ["12", "3"])
    #expect(list.all("li", class: "a  b").isEmpty)
    #expect(body.children.map { $0.name ?? "" } == ["ul", "p"])
  }

  @Test(arguments: ["", " ", "\n", "<", "<!", "<!--", "</", "&", "<html", "\u{0}", "<?php", "<![CDATA["])
  func nothingIsNoPage(_ html: String) {
    let document = try? HTMLDocument(windows1252: Data(html.utf8))
    #expect(document?.elements.contains { $0.isElement("table") } != true)
  }

  /// libxml2 gives up at some depth, and does not say so: the rest of the page would be missing.
  @Test func aPageThatIsTooDeepIsRefused() throws {
    let deep = "<body>" + String(repeating: "<div>", count: 5000) + "<p>end"
    #expect(throws: HTMLParsingError.self) { try HTMLDocument(windows1252: Data(deep.utf8)) }
    let allowed = "<body>" + String(repeating: "<div>", count: 200) + "<p>end"
    #expect(try Self.body(allowed).first("p")?.text == "end")
  }

  @Test func aPageOfTooManyElementsIsRefused() {
    let long = "<body>" + String(repeating: "<br>", count: 200_001)
    #expect(throws: HTMLParsingError.self) { try HTMLDocument(windows1252: Data(long.utf8)) }
  }
}
