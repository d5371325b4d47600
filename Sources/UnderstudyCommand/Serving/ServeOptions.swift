import UnderstudyDoubles
import UnderstudyTransport

/// What `serve` was asked to do.
struct ServeOptions: Sendable {
  var backend: ServedBackend?
  var rules: [FaultPlan<AnyHandler>.Rule] = []
  var port: UInt16 = 0
  var seed: UInt64 = 1

  /// Reads the options.
  ///
  /// - Parameter time: What the pauses of recordings and streams run on.
  /// - Returns: `nil` when help is asked for.
  static func parse(_ words: [String], _ tool: String, time: Time) throws(CommandError) -> ServeOptions? {
    var options = ServeOptions()
    var words = words[...]
    var source: String?
    while let word = words.popFirst() {
      // Both `--option value` and `--option=value` are understood.
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = parts.first ?? ""
      if option == "--help" || option == "-h" { return nil }
      guard ["--recording", "--contract", "--schema", "--fault", "--port", "--seed"].contains(option) else {
        throw CommandError("\"\(word)\" is not an option of serve. See \(tool) serve --help.")
      }
      guard let value = parts.count > 1 ? parts[1] : words.popFirst(), !value.isEmpty else {
        throw CommandError("\(option) needs a value. See \(tool) serve --help.")
      }
      switch option {
      case "--fault": options.rules.append(try rule(value))
      case "--port": options.port = try number(value, option, upTo: "65535")
      case "--seed": options.seed = try number(value, option, upTo: nil)
      default:
        if let source { throw CommandError("One thing is served at a time, not \(source) and \(option).") }
        source = option
        options.backend =
          switch option {
          case "--recording": try .recording(value, time: time)
          case "--contract": try .contract(value, time: time)
          default: try .schema(value, time: time)
          }
      }
    }
    return options
  }

  private static func rule(_ text: String) throws(CommandError) -> FaultPlan<AnyHandler>.Rule {
    do {
      return try FaultPlan.Rule(parsing: text)
    } catch {
      throw CommandError("--fault \"\(text)\": \(error.description)")
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ text: String, _ option: String, upTo limit: String?
  ) throws(CommandError) -> Number {
    guard let number = Number(text) else {
      let range = "a whole number from 0" + (limit.map { " to \($0)" } ?? "")
      throw CommandError("\(option) takes \(range), and \"\(text)\" is not one.")
    }
    return number
  }
}
