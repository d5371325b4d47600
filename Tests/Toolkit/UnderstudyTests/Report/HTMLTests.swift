import Foundation
import Testing
import UnderstudyTesting
@testable import Understudy

@Suite(.stallLimit()) struct HTMLTests {
  private func page(_ text: String) async -> String {
    var report = UnderstudyReport.full(text)
    report.mutants = [await UnderstudyReport.mutants()]
    return report.html(tool: text)
  }

  /// Catches an unescaped name: the page of a hostile report has as many tags as that of a harmless one.
  @Test func namesAndTextsNeverBecomeMarkup() async {
    func tags(_ html: String) -> [String] {
      html.matches(of: /<[^>]*>/).map { String($0.output.prefix { $0 != " " }) }
    }
    let hostilePage = await page(hostile)
    #expect(await tags(hostilePage).count == tags(page(String(repeating: "x", count: hostile.count))).count)
    #expect(!hostilePage.contains("alert('x')</script>"))
    #expect(hostilePage.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
    #expect(!hostilePage.contains("\u{202E}"))
  }

  @Test func everyLinkHasATargetAndEveryAnchorIsUnique() async {
    let html = await page("a")
    let places = html.matches(of: /\sid="([^"]+)"/).map { String($0.1) }
    let links = html.matches(of: /\shref="#([^"]+)"/).map { String($0.1) }
    #expect(Set(places).count == places.count)
    #expect(!links.isEmpty && Set(links).isSubset(of: places))
  }

  @Test func thePageRequiresNoOtherFile() async {
    let html = await page("a")
    for word in ["http", "src=", "url(", "@import", "@font-face", "fetch("] { #expect(!html.contains(word)) }
    #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
  }

  @Test func failedClausesAreExpandedAndPassedOnesAreNot() {
    let failed = UnderstudyReport.sample(.failed([Violation("No.", fileID: "T/A.swift", line: 2)])).html(
      tool: "tool")
    #expect(failed.contains(#"<tr class="failed"><th scope="row"><details open="">"#))
    #expect(failed.contains(##"<td class="failed"><a href="#i1">failed</a></td>"##))
    #expect(failed.contains("<li>No. <code>T/A.swift:2</code></li>"))
    #expect(failed.contains("<code>Todos/Add.swift:7</code>"))
    #expect(
      failed.contains(
        "<code>swift run tool verify --service todos --clause todos.add.listed --seed 0</code>"))
    #expect(failed.contains("<code>UNDERSTUDY_CLAUSE=todos.add.listed UNDERSTUDY_SEED=0 swift test</code>"))
    #expect(failed.contains("1 failure."))
    let kept = UnderstudyReport.sample().html()
    #expect(kept.contains(#"<tr class="passed"><th scope="row"><details>"#))
    #expect(kept.contains("No failures."))
    #expect(!kept.contains("<h2>Failures</h2>"))
    #expect(!kept.contains("swift run"), "Only tests have the contract.")
  }

  @Test func equalTimelinesAreDrawnOnce() async {
    let html = await page("a")
    // One for the violation, and one for each of the two timelines of three runs.
    #expect(html.matches(of: /<svg\s/).count == 3)
    #expect(html.contains("2 different, of 3 runs"))
    #expect(html.contains(#"aria-label="idle, then loading, then a""#))
    #expect(html.contains("a call=1 conflict, a call=1 conflict"))
  }

  @Test func aLongStateIsTruncatedInThePictureAndCompleteInItsTitle() {
    let state = "“" + String(repeating: "x", count: 90) + "”"
    var markup = Markup()
    TimelinePicture([state], .init(of: [[state]])).draw(into: &markup)
    #expect(markup.text.contains("<title>\(state)</title>"))
    #expect(markup.text.contains(">“\(String(repeating: "x", count: 54))…</text>"))
  }

  /// The end of a long timeline is visible without scrolling.
  @Test func manyStatesAreTruncatedToFit() throws {
    let states = (0..<14).map { "streaming, with a long text behind it, \($0)" }
    var markup = Markup()
    TimelinePicture(states, .init(of: [states])).draw(into: &markup)
    let width = try #require(markup.text.firstMatch(of: /width="([0-9]+)"/)?.1)
    #expect(try #require(Int(width)) <= 1020)
    #expect(markup.text.contains(">stream"))
    #expect(markup.text.matches(of: /<title>/).count == 14)
    var nothing = Markup()
    TimelinePicture([], .init(of: [])).draw(into: &nothing)
    #expect(nothing.text.isEmpty, "A scenario without a screen has no picture.")
  }

  @Test func statesOfOneNameHaveOneColour() {
    let colours = TimelinePicture.Colours(of: [
      ["idle", "failed(“a”)"], ["idle", "failed(“b”)", "“c”", "“d”"],
    ])
    #expect(colours.name(of: "idle") == "k0")
    #expect(colours.name(of: "failed(“b”)") == "k1")
    #expect(colours.name(of: "“d”") == "k2")
  }

  /// An additional clause is described once, and not once for each implementation.
  @Test func aPageGrowsByEachClauseOnce() {
    func size(_ count: Int) -> Int {
      let clauses = (0..<count).map { number in
        ContractReport.Row(
          id: "todos.clause\(number)", statement: "It holds.", fileID: "T/A.swift", line: 1,
          outcomes: (0..<5).map { .init(implementation: "number-\($0)", outcome: .passed, seed: 0) })
      }
      return UnderstudyReport(contracts: [.init(name: "todos", clauses: clauses)]).html(tool: "tool").utf8
        .count
    }
    #expect((size(150) - size(50)) / 100 < 800)
    #expect(size(0) < 16_000)
  }

  /// WCAG 2.2, 1.4.3: text and ground differ by 4.5 to 1.
  @Test(arguments: [0, 1]) func textIsLegibleInLightAndDark(_ theme: Int) throws {
    let css = "\(Stylesheet.text)"
    var colours: [String: String] = [:]
    for match in css.matches(of: /--([a-z0-9]+):#([0-9a-f]{3,6})/) {
      let name = String(match.1)
      if theme == 1 || colours[name] == nil { colours[name] = String(match.2) }
    }
    let grounds = ["ground", "card", "badground"]
    let pairs =
      ["ink", "soft", "good", "bad", "link"].flatMap { ink in grounds.map { (ink, $0) } }
      + (0..<TimelinePicture.Colours.count).map { ("ink", "k\($0)") }
      + [("ink", "code"), ("card", "bad"), ("card", "warn"), ("ground", "ink")]
    for (ink, ground) in pairs {
      let contrast = try Self.contrast(#require(colours[ink]), #require(colours[ground]))
      #expect(contrast >= 4.5, "\(ink) on \(ground)")
    }
  }

  private static func contrast(_ one: String, _ other: String) throws -> Double {
    let (a, b) = (try luminance(one), try luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// The relative luminance of a colour in hexadecimal digits.
  private static func luminance(_ hex: String) throws -> Double {
    let digits = hex.count == 3 ? hex.map { "\($0)\($0)" }.joined() : hex
    let number = try #require(Int(digits, radix: 16))
    let parts = [16, 8, 0].map { shift -> Double in
      let part = Double(number >> shift & 0xFF) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}
