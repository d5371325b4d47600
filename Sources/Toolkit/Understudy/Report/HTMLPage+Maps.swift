import UnderstudyText

// MARK: - Maps of screens

extension HTMLPage {
  /// Writes the maps of a screen: first as a whole, if it has many cards, then step by step.
  mutating func maps(
    of screen: SweepReport.Screen, number: Int, of sweep: SweepReport, into markup: inout Markup
  ) {
    let story = DrawnMap(screen.story)
    guard !story.cards.isEmpty else { return }
    let overview = DrawnMap(screen.overview)
    // One that is not much smaller shows nothing that the steps do not.
    let hasOverview = story.cards.count > 6 && overview.cards.count * 2 <= story.cards.count
    let name = sweep.screens.count > 1 ? "Screen \(number)" : "The screen"
    let states = Set(screen.story.cards.flatMap { $0.states.map(\.state) }).count
    markup.element("section", ["class": "screen"]) { markup in
      hints(of: screen.story, into: &markup)
      if hasOverview {
        markup.element("h4") { markup in
          markup.write("\(name) as a whole")
          markup.element("small", "a card for each kind of state, whatever its contents")
        }
        legend(into: &markup)
        map(overview, "\(sweep.scenario) as a whole", into: &markup)
      }
      markup.element("h4") { markup in
        markup.write("\(name), step by step")
        markup.element(
          "small", "\(Words.count(states, "different state")) in \(Words.count(story.cards.count, "card"))")
      }
      markup.literal(
        """
        <p class="lead">Down the left: what users see when nothing goes wrong. To the right of each step: what they see when \
        something does.</p>
        """)
      if !hasOverview { legend(into: &markup) }
      map(story, "\(sweep.scenario), step by step", into: &markup)
    }
  }

  private func legend(into markup: inout Markup) {
    markup.literal(
      """
      <ul class="legend"><li class="path">without a fault</li><li class="fault">⚡︎ a fault, ✕ or another failure</li>\
      <li class="interruption">‖ an interruption</li><li class="answer">✓ an answer, ≈ an event, ↻ without faults</li>\
      <li class="bad">✗ a broken invariant</li><li>A number counts runs.</li></ul>
      """)
  }

  /// Writes pictures for three widths, of which one is shown, and the same as a table.
  private mutating func map(_ map: DrawnMap, _ title: String, into markup: inout Markup) {
    let rows = map.cards.map { _ in nextAnchor() }
    for (name, size) in zip(["narrow", "medium", "wide"], MapLayout.Size.all) {
      MapPicture(map: map, layout: MapLayout(map, size), rows: rows, title: title, name: name).draw(
        into: &markup)
    }
    markup.element("details", ["class": "timelines"]) { markup in
      markup.element("summary", "The same as a table, with every state")
      table(of: map, rows, into: &markup)
    }
  }

  // MARK: - Table

  private func table(of map: DrawnMap, _ rows: [String], into markup: inout Markup) {
    markup.element(
      "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": "Table of states"]
    ) { markup in
      markup.element("table", ["class": "states"]) { markup in
        markup.literal(
          """
          <thead><tr><th scope="col">State</th><th scope="col">Reached from</th><th scope="col">Leads to</th>\
          <th scope="col">Runs</th></tr></thead>
          """)
        markup.element("tbody") { markup in
          for number in map.cards.indices { row(of: number, of: map, rows, into: &markup) }
        }
      }
    }
  }

  private func row(of number: Int, of map: DrawnMap, _ rows: [String], into markup: inout Markup) {
    let card = map.cards[number]
    let (before, after) = (map.arrows.filter { $0.to == number }, map.arrows.filter { $0.from == number })
    markup.element("tr", ["id": rows[number]]) { markup in
      markup.element("th", ["scope": "row"]) { markup in
        markup.element("strong", card.name)
        if !card.isOnPath {
          markup.element("small", "only when something goes wrong, after \(card.step + 1)")
        }
        states(of: card, into: &markup)
        for violation in card.violations {
          markup.element(
            "p", ["class": "broken"], "✗ \(violation.invariant) under \(violation.first.schedule)")
        }
      }
      markup.element("td") { markup in
        if before.isEmpty { markup.write("the beginning of a run") }
        markup.element("ul") { markup in
          for arrow in before.sorted(by: { $1.runs < $0.runs }) {
            link(to: arrow.from, of: map, rows, for: arrow, into: &markup, causes(of:into:))
          }
        }
      }
      markup.element("td") { markup in
        markup.element("ul") { markup in
          for arrow in after.sorted(by: { $1.runs < $0.runs }) {
            link(to: arrow.to, of: map, rows, for: arrow, into: &markup)
          }
          if card.ends > 0 { markup.element("li", "the end of \(Words.count(card.ends, "run"))") }
        }
      }
      markup.element("td", card.runs.map(Words.grouped) ?? "")
    }
  }

  /// Writes an arrow as a link to the row of the card at one of its ends.
  private func link(
    to card: Int, of map: DrawnMap, _ rows: [String], for arrow: DrawnMap.Arrow, into markup: inout Markup,
    _ details: (DrawnMap.Arrow, inout Markup) -> Void = { _, _ in }
  ) {
    markup.element("li") { markup in
      markup.element("a", ["href": "#" + rows[card]], map.cards[card].name)
      let body = map.cards[card].body
      if !body.isEmpty { markup.element("small", " " + String(body.prefix(60))) }
      details(arrow, &markup)
      markup.element("small", Words.count(arrow.runs, "run"))
    }
  }

  private func causes(of arrow: DrawnMap.Arrow, into markup: inout Markup) {
    for label in CauseLabel.all(of: arrow.causes) {
      markup.element("span", ["class": "cause \(label.style)"], "\(label.sign) \(label.words)")
    }
    if let first = arrow.causes.map(\.first).min(), !first.schedule.entries.isEmpty {
      markup.element("small", "first under \(first.schedule)")
    }
  }

  private func states(of card: DrawnMap.Card, into markup: inout Markup) {
    let most = 40
    let states = card.states.sorted { ($1.times, $0.first) < ($0.times, $1.first) }
    func list(_ markup: inout Markup) {
      markup.element("ul") { markup in
        for state in states.prefix(most) {
          markup.element("li") { markup in
            markup.write(state.state.text)
            markup.element("small", " \(Words.grouped(state.times)) ×")
          }
        }
        if states.count > most { markup.element("li", "and \(states.count - most) more") }
      }
    }
    if states.count < 4 { return list(&markup) }
    markup.element("details") { markup in
      markup.element("summary", Words.count(states.count, "state"))
      list(&markup)
    }
  }

  // MARK: - What needs a look

  /// Writes what no invariant forbids, and what is still seldom right.
  private func hints(of map: ScreenMap, into markup: inout Markup) {
    var late: [String: (times: Int, first: ScreenMap.First)] = [:]
    for arrow in map.arrows {
      guard let to = arrow.to, map.cards[to].hasMessage, !map.cards[arrow.from].hasMessage else { continue }
      for cause in arrow.causes where cause.cause.kind == .answer {
        let known = late[cause.cause.name] ?? (0, cause.first)
        late[cause.cause.name] = (known.times + cause.times, min(known.first, cause.first))
      }
    }
    let hints = late.sorted { ($1.value.times, $0.key) < ($0.value.times, $1.key) }
    guard !hints.isEmpty else { return }
    markup.element("div", ["class": "hint"]) { markup in
      markup.literal("<strong>Worth a look, though no invariant forbids it</strong>")
      markup.element("ul") { markup in
        for (call, seen) in hints.prefix(4) {
          markup.element("li") { markup in
            markup.write(
              "A message appears when \(call) answers, and nothing has failed since the state before: ")
            markup.write("\(Words.count(seen.times, "time")), first under ")
            markup.element("code", "\(seen.first.schedule)")
          }
        }
      }
    }
  }

  // MARK: - Timelines

  /// Writes the states of one run in order, in colours by their meaning.
  func timeline(_ states: [String], of sweep: SweepReport, into markup: inout Markup) {
    guard !states.isEmpty else { return }
    let known = sweep.screens.flatMap { $0.story.cards.flatMap { $0.states.map(\.state) } }
    let roles = Dictionary(known.map { ($0.text, $0.role) }) { first, _ in first }
    markup.element("ol", ["class": "shown", "aria-label": "The states of the screen"]) { markup in
      for state in states {
        let role = roles[state] ?? ShownState(text: state).role
        markup.element("li", ["class": role.rawValue], state)
      }
    }
  }
}

/// A map as a picture.
struct MapPicture {
  let map: DrawnMap
  let layout: MapLayout
  /// The anchors of the rows of the table, to which cards link.
  let rows: [String]
  let title: String
  /// The name of the width.
  let name: String

  func draw(into markup: inout Markup) {
    let (width, height) = (layout.size.width, layout.height)
    let most = map.arrows.map(\.runs).max() ?? 1
    markup.element(
      "svg",
      [
        "class": "map \(name)", "viewBox": "0 0 \(width) \(height)", "width": "\(width)",
        "height": "\(height)",
        "role": "group", "aria-label": "Map of \(title)",
      ]
    ) { markup in
      markup.element("desc", description)
      // A screen reader reads the cards, and the arrows in the table.
      markup.element("g", ["aria-hidden": "true"]) { markup in
        // Important arrows are drawn above others.
        for style in ["answer", "action", "interruption", "fault", "path", "bad"] {
          for way in layout.ways where way.style == style { draw(way, mostRuns: most, into: &markup) }
        }
      }
      for box in layout.boxes { draw(box, into: &markup) }
      markup.element("g", ["aria-hidden": "true"]) { markup in
        for label in layout.labels { text(label.text, "l \(label.style)", label.x, label.y, into: &markup) }
      }
    }
  }

  private var description: String {
    let path = map.cards.filter(\.isOnPath).map(\.name).joined(separator: ", ")
    let broken = map.cards.flatMap(\.violations).map {
      "; \($0.invariant) is broken under \($0.first.schedule)"
    }
    return "Without a fault: \(path). Otherwise also \(Words.count(map.cards.count { !$0.isOnPath }, "card"))"
      + "\(broken.joined()). The table below has the same."
  }

  private func draw(_ box: MapLayout.Box, into markup: inout Markup) {
    let card = map.cards[box.card]
    let (x, y, width, height) = (box.frame.x, box.frame.y, box.frame.width, box.frame.height)
    let place = card.isOnPath ? "path" : "off"
    markup.element(
      "a",
      [
        "class": "\(place) \(card.role.rawValue)\(card.violations.isEmpty ? "" : " broken")",
        "href": "#" + rows[box.card],
        "aria-label":
          ([card.name, card.body] + (card.runs.map { [Words.count($0, "run")] } ?? [])
          + card.violations.map { "breaks \($0.invariant)" }).filter { !$0.isEmpty }.joined(separator: ", "),
      ]
    ) { markup in
      markup.element(
        "title",
        card.states.sorted { $1.times < $0.times }.prefix(12).map(\.state.text).joined(separator: "\n")
          + (card.states.count > 12 ? "\nand \(card.states.count - 12) more" : ""))
      func rectangle(_ name: String, _ x: Int, _ y: Int, _ width: Int, _ height: Int, _ radius: Int) {
        markup.emptyElement(
          "rect",
          [
            "class": name, "x": "\(x)", "y": "\(y)", "width": "\(width)", "height": "\(height)",
            "rx": "\(radius)",
          ])
      }
      if card.states.count > 1 { rectangle("stack", x + 4, y + 4, width, height, 9) }
      rectangle("face", x, y, width, height, 9)
      rectangle("bar", x, y + 9, 4, height - 18, 2)
      text(box.heading, "h", x + 14, y + 20, into: &markup)
      if let runs = card.runs { text("\(runs)", "c", x + width - 9, y + 20, into: &markup) }
      var below = y + 21
      for line in box.lines {
        below += line.style == "b" ? 16 : 15
        text(line.text, "\(line.style == "b" ? "b" : "f") \(line.style)", x + 14, below, into: &markup)
      }
    }
  }

  private func text(_ words: String, _ style: String, _ x: Int, _ y: Int, into markup: inout Markup) {
    markup.element("text", ["class": style, "x": "\(x)", "y": "\(y)"], words)
  }

  /// - Parameter most: The number of runs of the thickest arrow.
  private func draw(_ way: MapLayout.Way, mostRuns most: Int, into markup: inout Markup) {
    markup.element("g", ["class": way.style + (way.isBack ? " back" : "")]) { markup in
      let end = way.points[way.points.count - 1]
      let before = way.points[way.points.count - 2]
      let (dx, dy) = ((end.x - before.x).signum(), (end.y - before.y).signum())
      guard let number = way.arrow else {
        markup.emptyElement(
          "path", ["d": "\(path(way.points))M\(end.x) \(end.y - 6)v12", "stroke-width": "2.6"])
        return
      }
      let arrow = map.arrows[number]
      let causes = CauseLabel.all(of: arrow.causes).map { "\($0.sign) \($0.words)" }.joined(separator: "\n")
      markup.element("title", "\(causes)\n\(Words.count(arrow.runs, "run"))")
      var points = way.points
      // The line ends inside of the head.
      points[points.count - 1] = (end.x - 5 * dx, end.y - 5 * dy)
      let width = 1.3 + 3 * (Double(arrow.runs) / Double(max(most, 1))).squareRoot()
      markup.emptyElement("path", ["d": path(points), "stroke-width": "\((width * 10).rounded() / 10)"])
      let (bx, by) = (end.x - 9 * dx, end.y - 9 * dy)
      let corners = "\(end.x),\(end.y) \(bx + 5 * dy),\(by + 5 * dx) \(bx - 5 * dy),\(by - 5 * dx)"
      markup.emptyElement("polygon", ["points": corners])
    }
  }

  /// A path with round corners.
  private func path(_ all: [(x: Int, y: Int)]) -> String {
    let points = all.indices.filter { place in
      guard place > 0, place + 1 < all.count else { return true }
      let (before, next) = (all[place - 1], all[place + 1])
      return before.x != next.x && before.y != next.y
    }.map { all[$0] }
    var path = "M\(points[0].x) \(points[0].y)"
    for place in points.indices.dropFirst() {
      let point = points[place]
      guard place + 1 < points.count else { return path + "L\(point.x) \(point.y)" }
      let (before, next) = (points[place - 1], points[place + 1])
      func toward(_ other: (x: Int, y: Int)) -> (x: Int, y: Int) {
        let length = abs(other.x - point.x) + abs(other.y - point.y)
        let radius = min(7, length / 2)
        return (
          point.x + (other.x - point.x).signum() * radius, point.y + (other.y - point.y).signum() * radius
        )
      }
      let (from, to) = (toward(before), toward(next))
      path += "L\(from.x) \(from.y)Q\(point.x) \(point.y) \(to.x) \(to.y)"
    }
    return path
  }
}
