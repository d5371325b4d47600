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
  /// How wide a timeline should be: it is seen as a whole then, how it ends too.
  private static let room = 1020
  /// How many characters of a state are shown.
  private static let characters = 3...56

  func draw(into markup: inout Markup) {
    guard !states.isEmpty else { return }
    let limit = Self.characters.last { Self.width(of: states, upTo: $0) <= Self.room }
    let labels = states.map { Self.label($0, upTo: limit ?? Self.characters.lowerBound) }
    let widths = labels.map(Self.width)
    let width = Self.width(of: labels, upTo: .max)
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

  private static func width(of states: [String], upTo limit: Int) -> Int {
    states.reduce(-gap) { $0 + width(of: label($1, upTo: limit)) + gap }
  }

  /// In a font that nobody knows here, in which a character is rather narrower than this.
  private static func width(of label: String) -> Int { max(label.count, 3) * 73 / 10 + 14 }

  private static func label(_ state: String, upTo limit: Int) -> String {
    let line = state.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > limit ? line.prefix(limit - 1) + "…" : line
  }
}
