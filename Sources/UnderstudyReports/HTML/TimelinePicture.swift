/// The states of a timeline as a picture: a segment for each, in the colour of its kind, with as much text as fits.
struct TimelinePicture {
  /// Which kind of state has which of the colours of the style sheet.
  struct Colours {
    static let count = 8
    private let kinds: [String: Int]

    /// Colours for all states of several timelines, in the order in which their kinds are first shown.
    init(of timelines: [[String]]) {
      kinds = timelines.joined().reduce(into: [:]) { kinds, state in
        let kind = Self.kind(of: state)
        if kinds[kind] == nil { kinds[kind] = kinds.count }
      }
    }

    func name(of state: String) -> String { "k\((kinds[Self.kind(of: state)] ?? 0) % Self.count)" }

    /// A state's name, such as `failed` of `failed("No connection.")`; of one that begins with a sign, that sign.
    private static func kind(of state: String) -> String {
      let name = state.prefix { $0.isLetter || $0.isNumber }
      return name.isEmpty ? String(state.prefix(1)) : String(name)
    }
  }

  private let states: [String]
  private let colours: Colours

  init(_ states: [String], _ colours: Colours) {
    self.states = states
    self.colours = colours
  }

  private static let height = 26
  private static let gap = 3
  /// What a character is wide, in a font that nobody knows here: rather too much.
  private static let character = 7
  private static let characters = 5...56

  func draw(into markup: inout Markup) {
    let labels = states.map(Self.label)
    let widths = labels.map { max($0.count, Self.characters.lowerBound) * Self.character + 14 }
    let width = widths.reduce(0, +) + max(0, states.count - 1) * Self.gap
    let words = states.joined(separator: ", then ")
    markup.element("span", ["class": "picture"]) { markup in
      markup.element(
        "svg",
        [
          "role": "img", "aria-label": words, "width": "\(width)", "height": "\(Self.height)",
          "viewBox": "0 0 \(width) \(Self.height)",
        ]
      ) { markup in
        var x = 0
        for (state, (label, width)) in zip(states, zip(labels, widths)) {
          markup.element("g", ["class": colours.name(of: state)]) { markup in
            if label != state { markup.element("title", state) }
            markup.emptyElement(
              "rect", ["x": "\(x)", "width": "\(width)", "height": "\(Self.height)", "rx": "5"])
            markup.element("text", ["x": "\(x + 7)", "y": "17"], label)
          }
          x += width + Self.gap
        }
      }
    }
  }

  private static func label(_ state: String) -> String {
    let line = state.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > characters.upperBound ? line.prefix(characters.upperBound - 1) + "…" : line
  }
}
