import Foundation
import RegexBuilder
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

  @Test func theMapOfAScreenHasAPictureForEachWidthAndATable() async {
    let html = await page("a")
    for name in ["narrow", "medium", "wide"] {
      #expect(
        html.matches(
          of: Regex {
            "<svg class=\"map "; name; "\""
          }
        ).count == 1)
    }
    #expect(html.contains("1  idle</text>"))
    #expect(html.contains(#"<tr id="i"#) && html.contains("<strong>1 idle</strong>"))
    #expect(html.contains("✗ a</text>"))
    #expect(html.contains("A message appears when a answers"))
  }

  /// Catches colours by chance, and states that are cut.
  @Test func theStatesOfAViolationAreCompleteAndHaveColoursByMeaning() {
    let states = ["idle", "loading: " + String(repeating: "x", count: 90), "failed: You are offline."]
    var report = UnderstudyReport.full("a")
    report.sweeps[0].violations = [
      .init(
        invariant: "a", message: "b", number: 1, schedule: [], others: [], otherNumbers: [], timeline: states)
    ]
    let html = report.html()
    for (state, role) in zip(states, ["content", "busy", "message"]) {
      #expect(html.contains("<li class=\"\(role)\">\(state)</li>"))
    }
    report.sweeps[0].violations = []
    #expect(!report.html().contains("class=\"shown\""), "A scenario without a screen has no states.")
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
      + ["ink", "soft", "path", "warn", "interruption"].flatMap { ink in
        ["card", "disturbed", "pathground"].map { (ink, $0) }
      }
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
