package import Understudy

extension FaultPlan.Rule where Base: HTTPHandler {
  /// Creates a rule from text, such as a command-line argument.
  ///
  /// The text has three parts, separated by spaces. The first is the requests: a method, a path, both or neither. The
  /// second is which of them: `call=2`, `calls=2-4`, `calls=3-`, `every=10` or `probability=0.1` (default: all). The
  /// third is the fault, with its parameters after a colon.
  ///
  /// ```
  /// POST /rest/v1/children call=2 conflict
  /// POST /functions/v1/* drop-stream:3
  /// probability=0.1 connection-lost
  /// latency:200ms,2s
  /// ```
  ///
  /// - Throws: `UnderstudyError` if the text is invalid.
  package init(parsing text: String) throws(UnderstudyError) {
    var words = text.split(whereSeparator: \.isWhitespace)
    guard let written = words.popLast() else {
      throw UnderstudyError(
        .invalidText, "The rule has no fault. An example: \"POST /rest/v1/children conflict\".")
    }
    let fault = try Fault(typed: written)
    var method: HTTP.Method?
    if let first = words.first, first.allSatisfy({ $0.isLetter && $0.isUppercase }) {
      method = HTTP.Method(rawValue: String(words.removeFirst()))
    }
    var path: String?
    if let first = words.first, first.hasPrefix("/") { path = String(words.removeFirst()) }
    guard path != nil || method == nil else {
      throw UnderstudyError(
        .invalidText,
        "\"\(text)\" has a method without a path. Write a path after the method, such as /rest/v1/*.")
    }
    var operation = Intercepted<Base>.Operation.any
    if let path {
      operation = Intercepted.Operation(
        OperationCore.pattern(method: method?.rawValue, try PathPattern(parsing: path)))
    }
    guard words.count <= 1 else {
      throw UnderstudyError(
        .invalidText,
        "\"\(words[1])\" is not expected. A rule has the form [METHOD] [/path] [schedule] fault.")
    }
    let rule =
      try words.first.map { word throws(UnderstudyError) in
        try Self.rule(operation, scheduled: word, fault)
      } ?? .on(operation, fault)
    // A command reports the rules that never fired itself.
    self = rule.optional
  }

  private static func rule(
    _ operation: Intercepted<Base>.Operation, scheduled word: Substring, _ fault: Fault
  ) throws(UnderstudyError) -> Self {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? parts[1] : ""
    switch parts[0] {
    case "call":
      if let number = Int(value), number > 0 { return .on(operation, call: number, fault) }
    case "calls":
      let ends = value.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      if ends.count == 2, let first = Int(ends[0]), first > 0 {
        if ends[1].isEmpty { return .on(operation, calls: first..., fault) }
        if let last = Int(ends[1]), last >= first { return .on(operation, calls: first...last, fault) }
      }
    case "every":
      if let number = Int(value), number > 0 { return .on(operation, every: number, fault) }
    case "probability":
      if let probability = Double(value), 0...1 ~= probability {
        return .on(operation, probability: probability, fault)
      }
    default: break
    }
    throw UnderstudyError(
      .invalidText,
      """
      Invalid schedule "\(word)". Examples: call=2, calls=2-4, calls=3-, every=10, probability=0.1.
      """)
  }
}
