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

  /// What parsers of HTML 4 take for another body, or lose.
  @Test(arguments: [
    "<html><head><div id=d>x</div><script>s</script></head><body class='a b' data-forum=26><p>end",
    "<div id=d>x</div><BODY class='a b'\ndata-forum=26><p>end", "x<body/class='a b' data-forum='26'><p>end",
    "<body class='a b'><div><body class=c data-forum=26></div><p>end",
    "<head><title>t</title><body class='a b'>x</body></html><body data-forum=26><p>end",
    "<head><noscript><img></noscript><body class='a b' data-forum=26><p>end",
    "<!-- <body class=c> --><script>'<body class=c>'</script><body class='a b' data-forum=26><p>end",
  ])
  func thereIsOneBodyWithTheAttributesOfEveryBodyTag(_ html: String) throws {
    let document = try HTMLDocument(windows1252: Data(html.utf8))
    let bodies = document.elements.filter { $0.isElement("body") }
    #expect(bodies.count == 1)
    let body = try #require(bodies.first)
    #expect(body["class"] == "a b" && body["data-forum"] == "26")
    #expect(body.all("p").map(\.text) == ["end"])
    #expect(body.text != "" && !body.text.contains("t") && !body.text.contains("s"))
  }

  /// The tags of the frame end nothing that is open, such as a table.
  @Test(arguments: ["</body>", "</html>", "</head>", "<body>", "<html>", "<head>"])
  func tagsOfTheFrameEndNoTable(_ tag: String) throws {
    let body = try Self.body(
      "<body><table id=t><tr><td>1\(tag)</td></tr>\(tag)<tr><td>2</td></tr></table><p>3")
    #expect(body.first("table")?.all("td").map(\.text) == ["1", "2"])
    #expect(body.children.map { $0.name ?? "" } == ["table", "p"])
  }

  /// A parser of HTML 4 finds the next row in what is open.
  @Test(arguments: ["<a>", "<div><b>", "<form><select><option>", "<ul><li>", "<span><i><u>"])
  func cellsAndRowsEndWhateverIsOpenInThem(_ open: String) throws {
    let html = "<table><tbody><tr><td>1\(open)a<td>2\(open)b<tr><td>3\(open)c<tbody><tr><td>4</table><p>5"
    let table = try #require(try Self.body("<body>" + html).first("table"))
    #expect(table.all("td").map(\.text) == ["1a", "2b", "3c", "4"])
    #expect(table.all("tr").map { $0.children.count } == [2, 1, 1])
    #expect(table.children.map { $0.children.count } == [2, 1])
    // A table in a cell ends nothing around it.
    let nested = try Self.body("<table><tr><td>1<table><tr><td>2</table>3<td>4</table>")
    #expect(nested.first("tr")?.children.map(\.text) == ["123", "4"])
  }

  /// libxml2 receives these tags under other names.
  @Test func tagsOfTheFrameStayInAttributes() throws {
    let title = "<body class=\"x\"></body> <html></html><head/> <bodys body-start <body-x"
    let html = title.replacing("\"", with: "&quot;")
    #expect(try Self.body("<body><p title=\"\(html)\">x").first("p")?["title"] == title)
    #expect(try Self.body("<body><p title='<BODY>'>x").first("p")?["title"] == "<BODY>")
    #expect(try Self.body("<body-x><bodys><body-start>x").children.map { $0.name ?? "" } == ["body-x"])
  }

  @Test(arguments: [
    ("<body></html>", true), ("</HTML >", true), ("<body></html", false), ("<body><!-- </html> -->", false),
    ("<body><!-- </html>", false), ("<script></html></script>", false), ("<p title='</html>", false),
    ("<p title='</html>'>", false), ("<html>", false), ("</html>later", true),
  ])
  func aPageIsWholeWithItsLastTag(_ html: String, _ isWhole: Bool) throws {
    #expect(try HTMLDocument(windows1252: Data(html.utf8)).isWhole == isWhole)
  }

  @Test func spacesAreKeptWhereTheyMatter() throws {
    let body = try Self.body("<body>\n <p>\t a  b&nbsp; <b> c</b>\r\nd\re&nbsp;\n</p>")
    #expect(body.first("p")?.verbatimText == "a  b\u{A0}  c\nd\ne\u{A0}")
    #expect(body.first("p")?.text == "a b\u{A0} c d e\u{A0}")
  }

  @Test(arguments: [
    ("a <b>b</b>  c<br>d", "a b c"), ("<p></p><div> <p>a</p>b</div>", "a"), ("<br><br>a", "a"), ("", ""),
    ("a<div>b</div>", "a"), ("<div>a</div>b", "a"), ("<p>a<br>b</p>", "a"),
  ])
  func theFirstParagraphEndsWithItsLineOrItsBlock(_ html: String, _ text: String) throws {
    #expect(try Self.body("<body>" + html).firstParagraph == text)
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
