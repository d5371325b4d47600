extension Duration {
  /// Creates a duration from text: `200ms`, `1.5s`, `2min`.
  package init?(typed text: Substring) {
    let number = text.prefix { $0.isNumber || $0 == "." }
    guard let amount = Double(number), amount.isFinite, amount < 1_000_000_000 else { return nil }
    switch text.dropFirst(number.count) {
    case "ms": self = .seconds(amount / 1000)
    case "s": self = .seconds(amount)
    case "min": self = .seconds(amount * 60)
    default: return nil
    }
  }

  /// The duration as text, to the microsecond.
  package var typed: String {
    let (seconds, attoseconds) = components
    if attoseconds == 0 { return "\(seconds)s" }
    let milliseconds = self / .milliseconds(1)
    return milliseconds == milliseconds.rounded()
      ? "\(Int64(milliseconds))ms" : "\((milliseconds * 1000).rounded() / 1000)ms"
  }

  /// The duration as a Swift expression, in the largest unit of which it is a whole number.
  package var swift: String {
    let (seconds, attoseconds) = components
    if attoseconds == 0 { return ".seconds(\(seconds))" }
    for (unit, size) in [
      ("milliseconds", 1_000), ("microseconds", 1_000_000), ("nanoseconds", 1_000_000_000),
    ] as [(String, Int64)] where attoseconds.isMultiple(of: 1_000_000_000_000_000_000 / size) {
      let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: size)
      let (count, isMore) = whole.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / size))
      if !isTooLarge, !isMore { return ".\(unit)(\(count))" }
    }
    return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
  }
}

extension String {
  /// The text as a Swift literal.
  package var swiftLiteral: String {
    // Each run of a sweep spells its schedule, and the properties of a scalar take most of the time.
    let isPlain = utf8.allSatisfy {
      0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    if isPlain { return "\"\(self)\"" }
    var literal = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }
}
