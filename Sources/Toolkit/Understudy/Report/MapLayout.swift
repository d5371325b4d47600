/// The places of cards and arrows for one width: the path down the left, and what leaves it to the right of each step.
struct MapLayout {
  /// Widths of the parts of a picture, in pixels.
  struct Size {
    let width: Int
    /// The room for the lanes on the left.
    let left: Int
    let card: Int
    /// The room between the path and the first column beside it.
    let gap: Int
    let side: Int
    /// The number of columns beside the path.
    let columns: Int

    /// For telephones, for tablets and paper, and for wide windows.
    static let all = [
      Size(width: 336, left: 22, card: 136, gap: 36, side: 138, columns: 1),
      Size(width: 720, left: 54, card: 176, gap: 158, side: 146, columns: 2),
      Size(width: 1040, left: 66, card: 224, gap: 204, side: 214, columns: 2),
    ]
    var isNarrow: Bool { columns == 1 }
    var columnGap: Int { width - left - card - gap - 2 * side - 8 }
  }

  struct Rectangle {
    var x, y, width, height: Int
    var right: Int { x + width }
    var bottom: Int { y + height }
    var middle: Int { y + height / 2 }
  }

  /// A line of text.
  struct Line {
    let text: String
    let style: String
    let x, y: Int
  }

  /// A card with the lines below its heading, or a part of one.
  struct Box {
    let card: Int
    var frame: Rectangle
    let heading: String
    let lines: [(text: String, style: String)]
  }

  /// An arrow along corners, or a stub.
  struct Way {
    let arrow: Int?
    let points: [(x: Int, y: Int)]
    let style: String
    /// Whether it leads back, so that it is paler.
    var isBack = false
  }

  let size: Size
  private let map: DrawnMap
  private(set) var boxes: [Box] = []
  private(set) var ways: [Way] = []
  private(set) var labels: [Line] = []
  private(set) var height = 0
  /// The arrows that are named on their card with the number of a step, because a line could not be followed.
  private(set) var named: Set<Int> = []
  /// The rare arrows that only the table has.
  private(set) var untraced: Set<Int> = []
  private var lanes: [(isLeft: Bool, target: Int, slot: Int, span: ClosedRange<Int>)] = []

  init(_ map: DrawnMap, _ size: Size) {
    self.map = map
    self.size = size
    chooseArrows()
    placeCards()
    drawArrows()
    drawStubs()
    height += 12
  }

  private func isOnPath(_ card: Int) -> Bool { map.cards[card].isOnPath }

  private mutating func chooseArrows() {
    let steps = map.cards.count(where: \.isOnPath)
    func isFar(_ arrow: DrawnMap.Arrow) -> Bool {
      !isOnPath(arrow.from) && isOnPath(arrow.to) && map.cards[arrow.from].step != map.cards[arrow.to].step
    }
    let areFarNamed = map.arrows.count(where: isFar) > 3
    for (number, arrow) in map.arrows.enumerated() {
      let (from, to) = (map.cards[arrow.from], map.cards[arrow.to])
      if isFar(arrow) {
        if areFarNamed { named.insert(number) }
      } else if from.isOnPath, to.isOnPath {
        if steps > 5, abs(from.step - to.step) > 1, !arrow.isOnPath, !arrow.isBroken { named.insert(number) }
      } else if !to.isOnPath, from.step != to.step {
        // Only the overview has such arrows between steps.
        if from.isOnPath || arrow.isBroken { continue }
        untraced.insert(number)
      } else if !from.isOnPath, !arrow.isBroken, map.cards.count > 12 {
        if arrow.runs * 10 < from.runs ?? arrow.runs { untraced.insert(number) }
      }
    }
  }

  // MARK: - Cards

  private mutating func placeCards() {
    var y = 8
    let steps = Dictionary(grouping: map.cards.indices, by: { map.cards[$0].step }).sorted { $0.key < $1.key }
    for (place, step) in steps.enumerated() {
      let path = step.value.first(where: isOnPath)
      var (bottom, next) = (y, y)
      if let path {
        let frame = Rectangle(x: size.left, y: y, width: size.card, height: 0)
        let box = box(path, frame)
        boxes.append(box)
        bottom = box.frame.bottom
        let isFollowed =
          place + 1 < steps.count
          && steps[place + 1].value.contains { to in
            isOnPath(to) && map.arrows.contains { $0.from == path && $0.to == to }
          }
        let stub = map.cards[path].violations.contains(where: \.isLasting) ? 26 : 0
        next = bottom + (isFollowed ? 46 : 28) + (size.isNarrow ? 0 : stub)
      }
      var columns = [y, y]
      for (card, depth) in depths(of: step.value.filter { !isOnPath($0) }) {
        let column = min(depth, size.columns) - 1
        let x = size.left + size.card + size.gap + column * (size.side + size.columnGap)
        let box = box(card, Rectangle(x: x, y: columns[column], width: size.side, height: 0))
        boxes.append(box)
        columns[column] = box.frame.bottom + 22
        bottom = max(bottom, box.frame.bottom)
      }
      height = max(height, bottom)
      y = max(next, bottom + 26)
    }
  }

  /// The cards beside a step, with the number of arrows from the path to each.
  private func depths(of cards: [Int]) -> [(card: Int, depth: Int)] {
    var depths: [Int: Int] = [:]
    var depth = 1
    while depths.count < cards.count {
      let rest = cards.filter { depths[$0] == nil }
      let reached = rest.filter { card in
        map.arrows.contains { $0.to == card && (isOnPath($0.from) || depths[$0.from] != nil) }
      }
      for card in reached.isEmpty ? rest : reached { depths[card] = depth }
      depth += 1
    }
    return cards.map { ($0, depths[$0] ?? 1) }.sorted { ($0.depth, $0.card) < ($1.depth, $1.card) }
  }

  private func box(_ number: Int, _ frame: Rectangle) -> Box {
    let card = map.cards[number]
    let room = frame.width - 24
    var lines = TextMeasure.wrap(card.body, room, 12, atMost: size.isNarrow ? 3 : 2).map {
      (text: $0, style: "b")
    }
    func add(_ text: String, _ style: String, atMost most: Int = 2) {
      lines += TextMeasure.wrap(text, room, 11, atMost: most).map { ($0, style) }
    }
    add(card.note, "f")
    let steps = named.map { map.arrows[$0] }.filter { $0.from == number }
      .sorted { ($1.runs, $0.to) < ($0.runs, $1.to) }.map { map.cards[$0.to].step + 1 }
    if !steps.isEmpty {
      let list = steps.prefix(5).map(String.init).joined(separator: ", ") + (steps.count > 5 ? "…" : "")
      add("→ \(list)", "f")
    }
    if !card.isOnPath, card.ends > 0, card.ends == card.runs { add("ends here", "f") }
    if size.isNarrow, !card.isOnPath,
      let arrow = map.arrows.filter({ $0.to == number }).max(by: { $0.runs < $1.runs }),
      let label = arrow.labels.first
    {
      add("\(label.sign) \(label.words)", label.style)
    }
    if let violation = card.violations.first {
      let more = card.violations.count > 1 ? " +\(card.violations.count - 1)" : ""
      add("✗ \(violation.invariant)\(more)", "bad", atMost: 1)
      if size.isNarrow || !violation.isLasting { add("under \(violation.first.schedule)", "bad", atMost: 4) }
    }
    var frame = frame
    frame.height = max(40, 30 + lines.reduce(0) { $0 + ($1.style == "b" ? 16 : 15) })
    let heading = card.isOnPath ? "\(card.step + 1)  \(card.heading)" : card.heading
    return Box(
      card: number, frame: frame,
      heading: TextMeasure.wrap(heading, room - 30, 13, atMost: 1).first ?? "", lines: lines)
  }

  // MARK: - Arrows

  private mutating func drawArrows() {
    var frames: [Int: Rectangle] = [:]
    for box in boxes { frames[box.card] = box.frame }
    let drawn = map.arrows.indices.filter { !named.contains($0) && !untraced.contains($0) }
    var labelled: Set<Int> = []
    for number in drawn.sorted(by: { length($0, frames) < length($1, frames) }) {
      let arrow = map.arrows[number]
      guard let from = frames[arrow.from], let to = frames[arrow.to] else { continue }
      switch (isOnPath(arrow.from), isOnPath(arrow.to)) {
      case (true, true): drawOnPath(number, from, to)
      case (true, false):
        let (start, end) = (from.y + 15, to.y + 15)
        let turn = from.right + 16
        ways.append(
          Way(
            arrow: number, points: [(from.right, start), (turn, start), (turn, end), (to.x, end)],
            style: arrow.style))
        let isFirst = labelled.insert(arrow.to).inserted
        if !size.isNarrow, isFirst, to.x == size.left + size.card + size.gap {
          label(arrow, turn + 8, end - 6, room: size.gap - 56, atMost: 1)
        }
      case (false, true): drawBack(number, from, to)
      case (false, false): drawBeside(number, from, to)
      }
    }
  }

  private func length(_ arrow: Int, _ frames: [Int: Rectangle]) -> Int {
    guard let from = frames[map.arrows[arrow].from], let to = frames[map.arrows[arrow].to] else { return 0 }
    return abs(from.y - to.y)
  }

  private mutating func drawOnPath(_ number: Int, _ from: Rectangle, _ to: Rectangle) {
    let arrow = map.arrows[number]
    let isNext = map.cards[arrow.to].step == map.cards[arrow.from].step + 1
    if isNext {
      let x = from.x + 34
      ways.append(Way(arrow: number, points: [(x, from.bottom), (x, to.y)], style: arrow.style))
      let room = size.card + (size.isNarrow ? 10 : size.gap - 60) - 46
      return label(arrow, x + 12, to.y - (arrow.labels.count > 1 ? 27 : 18), room: room, atMost: 2)
    }
    let isUp = to.y < from.y
    let (start, end) = (from.middle + (isUp ? -4 : 10), to.middle + (isUp ? 10 : -4))
    let lane = lane(to: arrow.to, isLeft: true, start, end)
    let x = size.left - (size.isNarrow ? 8 + 7 * min(lane, 1) : 16 + 11 * min(lane, 3))
    ways.append(
      Way(
        arrow: number, points: [(from.x, start), (x, start), (x, end), (to.x, end)], style: arrow.style,
        isBack: true))
  }

  private mutating func drawBack(_ number: Int, _ from: Rectangle, _ to: Rectangle) {
    let arrow = map.arrows[number]
    let end = to.bottom - (map.cards[arrow.to].violations.isEmpty ? 9 : 24)
    let isFirstColumn = from.x == size.left + size.card + size.gap
    let start = isFirstColumn ? from.bottom - 9 : from.bottom + 9
    let lane = lane(to: arrow.to, isLeft: false, start, end)
    let x = size.left + size.card + size.gap - (size.isNarrow ? 9 + 7 * min(lane, 1) : 14 + 7 * min(lane, 3))
    let points = isFirstColumn ? [(from.x, start)] : [(from.x + 24, from.bottom), (from.x + 24, start)]
    ways.append(
      Way(
        arrow: number, points: points + [(x, start), (x, end), (to.right, end)], style: arrow.style,
        isBack: true))
  }

  private mutating func drawBeside(_ number: Int, _ from: Rectangle, _ to: Rectangle) {
    let arrow = map.arrows[number]
    if from.x == to.x {
      let isDown = to.y > from.y
      if abs(isDown ? to.y - from.bottom : from.y - to.bottom) < 26 {
        let x = from.right - (isDown ? 34 : 18)
        let points = isDown ? [(x, from.bottom), (x, to.y)] : [(x, from.y), (x, to.bottom)]
        ways.append(Way(arrow: number, points: points, style: arrow.style, isBack: !isDown))
      } else {
        let x = min(from.right + 12, size.width - 3)
        let points = [
          (from.right, from.middle), (x, from.middle), (x, to.middle + 6), (to.right, to.middle + 6),
        ]
        ways.append(Way(arrow: number, points: points, style: arrow.style, isBack: true))
      }
    } else {
      let isForward = to.x > from.x
      let (start, end) = isForward ? (from.y + 15, to.y + 15) : (from.bottom - 9, to.bottom - 9)
      let (left, right) = isForward ? (from.right, to.x) : (from.x, to.right)
      let turn = isForward ? left + 16 : left - 16
      ways.append(
        Way(
          arrow: number, points: [(left, start), (turn, start), (turn, end), (right, end)],
          style: arrow.style,
          isBack: !isForward))
      if isForward, start == end, right - left > 70 {
        label(arrow, left + 8, end - 6, room: right - left - 20, atMost: 1)
      }
    }
  }

  /// The lane of all arrows to a card, beside those that are in the way.
  private mutating func lane(to target: Int, isLeft: Bool, _ start: Int, _ end: Int) -> Int {
    let span = min(start, end)...max(start, end)
    if let known = lanes.firstIndex(where: { $0.isLeft == isLeft && $0.target == target }) {
      let old = lanes[known].span
      lanes[known].span = min(old.lowerBound, span.lowerBound)...max(old.upperBound, span.upperBound)
      return lanes[known].slot
    }
    let used = Set(lanes.filter { $0.isLeft == isLeft && $0.span.overlaps(span) }.map(\.slot))
    let slot = (0...used.count).first { !used.contains($0) } ?? 0
    lanes.append((isLeft, target, slot, span))
    return slot
  }

  private mutating func label(_ arrow: DrawnMap.Arrow, _ x: Int, _ y: Int, room: Int, atMost most: Int) {
    for (place, label) in arrow.labels.prefix(most).enumerated() {
      guard let text = TextMeasure.wrap("\(label.sign) \(label.words)", room, 11, atMost: 1).first else {
        continue
      }
      labels.append(Line(text: text, style: label.style, x: x, y: y + 14 * place))
    }
  }

  /// A hang is a missing arrow.
  private mutating func drawStubs() {
    for box in boxes {
      guard let violation = map.cards[box.card].violations.first(where: \.isLasting) else { continue }
      let (x, y) = (box.frame.right, box.frame.bottom - 9)
      let length = size.isNarrow ? 10 : 22
      ways.append(Way(arrow: nil, points: [(x, y), (x + length, y)], style: "bad"))
      if size.isNarrow { continue }
      let room = box.frame.x == size.left ? size.gap - 60 : size.columnGap - 40
      let words = "stays here under \(violation.first.schedule)"
      for (place, text) in TextMeasure.wrap(words, max(room, 90), 11, atMost: 3).enumerated() {
        labels.append(Line(text: text, style: "bad", x: x + length + 8, y: y + 4 + 14 * place))
        height = max(height, y + 8 + 14 * place)
      }
    }
  }
}

/// An estimate of the width of text, because the font is unknown.
enum TextMeasure {
  static func width(_ text: String, _ size: Double) -> Double {
    text.reduce(0) { width, character in
      let factor =
        switch character {
        case _ where "iljft.,:;'|!I ‖".contains(character): 0.34
        case _ where "mwMW@—…".contains(character): 0.9
        case _ where "<>=+~".contains(character): 0.84
        case _
        where !character.isASCII && !character.isLetter
          || character.unicodeScalars.contains { $0.value > 0x2E80 }:
          1.0
        case _ where character.isNumber: 0.64
        case _ where character.isUppercase: 0.68
        default: 0.605
        }
      return width + factor * size
    }
  }

  /// The lines of a text; the last one ends with `…` if it is not complete.
  static func wrap(_ text: String, _ room: Int, _ size: Double, atMost most: Int) -> [String] {
    var lines: [String] = []
    func fits(_ line: String) -> Bool { width(line, size) <= Double(room) }
    // More does not fit into any card.
    for word in text.prefix(400).split(whereSeparator: \.isWhitespace).map(String.init) {
      if let last = lines.last, fits("\(last) \(word)") {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(fits(word) ? word : shortened(word, fits))
      }
    }
    guard lines.count > most else { return lines }
    lines = Array(lines.prefix(most))
    if let last = lines.last { lines[most - 1] = fits("\(last)…") ? "\(last)…" : shortened(last, fits) }
    return lines
  }

  private static func shortened(_ text: String, _ fits: (String) -> Bool) -> String {
    var text = text
    while !text.isEmpty, !fits(text + "…") { text.removeLast() }
    return text + "…"
  }
}
