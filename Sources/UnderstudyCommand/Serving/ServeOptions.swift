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
    var reader = OptionReader(words, of: "\(tool) serve")
    var source: String?
    while let option = reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--fault": options.rules.append(try rule(try reader.value()))
      case "--port": options.port = try reader.number(upTo: 65_535)
      case "--seed": options.seed = try reader.number()
      case "--recording", "--contract", "--schema":
        let path = try reader.value()
        if let source { throw CommandError("One thing is served at a time, not \(source) and \(option).") }
        source = option
        options.backend =
          switch option {
          case "--recording": try .recording(path, time: time)
          case "--contract": try .contract(path, time: time)
          default: try .schema(path, time: time)
          }
      default: throw reader.unknownOption
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
}
