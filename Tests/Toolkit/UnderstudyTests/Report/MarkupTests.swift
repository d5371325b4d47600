import Testing
import UnderstudyTesting

@testable import Understudy

@Suite(.stallLimit()) struct MarkupTests {
  @Test func foreignTextIsEscaped() {
    var markup = Markup()
    markup.element("p", ["title": "\"><script>\n&", "lang": nil], "</p>&\"'\u{0}\u{1B}[2J\u{202E}\n\u{FFFE}")
    #expect(
      markup.text == """
        <p title="&quot;&gt;&lt;script&gt;&#10;&amp;">&lt;/p&gt;&amp;"'\\u{0}\\u{1b}[2J\\u{202e}
        \\u{fffe}</p>
        """)
  }
}
