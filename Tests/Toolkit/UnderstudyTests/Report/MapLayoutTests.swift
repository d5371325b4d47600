import Testing
import UnderstudyTesting
@testable import Understudy

@Suite(.stallLimit()) struct MapLayoutTests {
  /// A map of many runs through states at random.
  private func map(seed: UInt64, states: Int, isOverview: Bool = false) -> ScreenMap {
    var generator = SeededGenerator(seed: seed)
    let all = (0..<states).map { number in
      ShownState(text: ["loading: \(number)", "Number \(number) has failed.", "\(number) items"][number % 3])
    }
    let plain = ScreenRecord(
      steps: all.prefix(7).map { ScreenRecord.Step(state: $0, cause: ScreenMap.Cause(.answer, "todos.list")) }
    )
    var builder = ScreenMapBuilder(along: plain, isOverview: isOverview)
    builder.add(plain, of: [], number: 0, isCounted: true, violations: [])
    for number in 1...60 {
      let steps = (1...Int.random(in: 2...9, using: &generator)).map { _ in
        ScreenRecord.Step(
          state: all.randomElement(using: &generator) ?? all[0],
          cause: ScreenMap.Cause(
            .fault, "todos.list", [Fault.timeout, .conflict, .offline].randomElement(using: &generator)))
      }
      builder.add(
        ScreenRecord(steps: plain.steps.prefix(1) + steps), of: [.at("todos.list", call: 1, .timeout)],
        number: number,
        isCounted: true, violations: number == 9 ? [("loading.ends", 99)] : [])
    }
    return builder.result
  }

  @Test(arguments: 0..<6 as Range<UInt64>, MapLayout.Size.all.indices)
  func cardsDoNotOverlapAndEveryArrowIsSomewhere(_ seed: UInt64, _ size: Int) {
    for map in [
      map(seed: seed, states: 30), map(seed: seed, states: 8), map(seed: seed, states: 30, isOverview: true),
    ] {
      let drawn = DrawnMap(map)
      let layout = MapLayout(drawn, MapLayout.Size.all[size])
      #expect(Set(layout.boxes.map(\.card)) == Set(drawn.cards.indices))
      for (place, box) in layout.boxes.enumerated() {
        let frame = box.frame
        #expect(
          frame.x >= 0 && frame.y >= 0 && frame.right <= layout.size.width && frame.bottom <= layout.height)
        for other in layout.boxes[(place + 1)...].map(\.frame) {
          #expect(
            frame.right < other.x || other.right < frame.x || frame.bottom < other.y || other.bottom < frame.y
          )
        }
      }
      let lines = Set(layout.ways.compactMap(\.arrow))
      #expect(lines.union(layout.named).union(layout.untraced) == Set(drawn.arrows.indices))
      #expect(lines.isDisjoint(with: layout.named.union(layout.untraced)))
      for (number, arrow) in drawn.arrows.enumerated() where arrow.isBroken {
        #expect(lines.contains(number))
      }
      for way in layout.ways {
        #expect(way.points.allSatisfy { 0...layout.size.width ~= $0.x && 0...layout.height ~= $0.y })
      }
    }
  }

  @Test func atMostFiveCardsAreBesideAStep() {
    let map = map(seed: 1, states: 30)
    let drawn = DrawnMap(map)
    for (_, cards) in Dictionary(grouping: drawn.cards.filter { !$0.isOnPath }, by: \.step) {
      #expect(cards.count <= DrawnMap.mostAtStep)
    }
    #expect(drawn.cards.flatMap(\.states).count == map.cards.flatMap(\.states).count)
  }

  /// A hang is a missing arrow.
  @Test(arguments: MapLayout.Size.all.indices) func aStuckRunHasAStub(_ size: Int) throws {
    let drawn = DrawnMap(map(seed: 2, states: 8))
    let layout = MapLayout(drawn, MapLayout.Size.all[size])
    let stubs = layout.ways.filter { $0.arrow == nil }
    #expect(stubs.map(\.style) == ["bad"])
    let broken = try #require(layout.boxes.first { !drawn.cards[$0.card].violations.isEmpty })
    #expect(stubs.first?.points.first?.x == broken.frame.right)
    #expect(broken.lines.contains { $0.text == "✗ loading.ends" })
  }

  @Test func neighboursOfOneKindAreOneStep() {
    let texts = ["[]", "loading: []", "loading: [Milk]", "[Milk]", "loading: []"]
    let plain = ScreenRecord(steps: texts.map { ScreenRecord.Step(state: ShownState(text: $0), cause: nil) })
    func cards(isOverview: Bool) -> [ScreenMap.Card] {
      var builder = ScreenMapBuilder(along: plain, isOverview: isOverview)
      builder.add(plain, of: [], number: 0, isCounted: true, violations: [])
      return builder.result.cards
    }
    #expect(
      cards(isOverview: false).map { $0.states.map(\.state.text) } == [
        ["[]"], ["loading: []", "loading: [Milk]"], ["[Milk]"],
      ])
    #expect(cards(isOverview: true).map(\.kind) == ["", "loading"])
  }

  @Test func textIsWrappedToItsRoom() {
    let lines = TextMeasure.wrap(
      "You are offline. Connect to the internet, and try again.", 120, 12, atMost: 2)
    #expect(lines.count == 2 && lines[1].hasSuffix("…"))
    #expect(lines.allSatisfy { TextMeasure.width($0, 12) <= 120 })
    let long = TextMeasure.wrap(String(repeating: "x", count: 500), 120, 12, atMost: 2)
    #expect(long.count == 1 && long[0].hasSuffix("…") && TextMeasure.width(long[0], 12) <= 120)
    #expect(TextMeasure.wrap("", 120, 12, atMost: 2) == [])
  }
}
