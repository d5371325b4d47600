import Understudy
import UnderstudyHTTP

/// How a backend is served, as `serve` and `replay` are told.
struct ServeOptions: Sendable {
  var rules: [FaultPlan<AnyHandler>.Rule] = []
  var port: UInt16 = 0
  var seed: UInt64 = 1

  /// Takes an option with its value.
  ///
  /// - Returns: Whether it is one of these.
  mutating func take(_ option: String, from reader: inout OptionReader) throws(CommandError) -> Bool {
    switch option {
    case "--fault": rules.append(try Self.rule(try reader.value()))
    case "--port": port = try reader.number(upTo: 65_535)
    case "--seed": seed = try reader.number()
    default: return false
    }
    return true
  }

  private static func rule(_ text: String) throws(CommandError) -> FaultPlan<AnyHandler>.Rule {
    do {
      return try FaultPlan.Rule(parsing: text)
    } catch {
      throw CommandError("--fault \"\(text)\": \(error.description)")
    }
  }

  /// The options in words, for the help of a command.
  static let usage = """
      --fault <rule>      What goes wrong on the socket; can be given several times, the first that applies wins.
                          [METHOD] [/path] [call=2|calls=2-4|calls=3-|every=10|probability=0.1] <fault>
      --port <n>          Where it listens; any port that is free unless said otherwise.
      --seed <n>          What the probabilities of rules come from, a whole number from 0; 1 unless said otherwise.
      --help              This text.

    Faults:
    \(faultNames)

    Exit status: 0 when it is stopped, 2 when the arguments or a file cannot be understood, the port is taken
    or nobody takes what it writes.
    """

  /// The names of the catalogue, as many to a line as fit.
  private static var faultNames: String {
    var lines = [""]
    for name in Fault.typedNames {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = "  " + name
      } else if last.count + name.count > 100 {
        lines.append("  " + name)
      } else {
        lines[lines.count - 1] = last + ", " + name
      }
    }
    return lines.joined(separator: "\n")
  }
}
