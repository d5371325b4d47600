import UnderstudyConsole

/// The options of `fuzz`.
struct FuzzOptions {
  /// The seed of all inputs.
  var seed: UInt64
  /// The number of inputs of each parser; `nil` for its own number.
  private(set) var chosenCount: Int?
  /// The number of inputs of this run.
  var count = 0
  /// The number of the first input.
  var first = 0
  /// The name of the parser; empty for all.
  var subject = ""
  /// A single input to test instead of generated ones.
  var input: [UInt8]?
  /// Whether this process is a worker of another one.
  var isWorker = false

  /// Parses the arguments; `nil` if they request help.
  init?(_ arguments: [String]) throws(CommandError) {
    var random = SystemRandomNumberGenerator()
    seed = UInt64.random(in: 0..<1_000_000_000, using: &random)
    var reader = OptionReader(arguments, of: "fuzz")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--worker": isWorker = true
      case "--seed": seed = try reader.number()
      case "--count":
        count = try reader.number()
        chosenCount = count
      case "--first": first = try reader.number()
      case "--parser": subject = try reader.value(among: Fuzz.subjects.map(\.name), "parser")
      case "--input": input = try Self.bytes(try reader.value())
      default: throw reader.unknownOption
      }
    }
    if input != nil, subject.isEmpty { throw CommandError("--input requires --parser. See fuzz --help.") }
  }

  /// The arguments of a worker with these options.
  var arguments: [String] {
    ["--worker", "--seed", "\(seed)", "--first", "\(first)", "--count", "\(count)", "--parser", subject]
  }

  private static func bytes(_ hexadecimal: String) throws(CommandError) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    guard digits.count == hexadecimal.count, digits.count % 2 == 0 else {
      throw CommandError("--input requires an even number of hexadecimal digits.")
    }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  static let usage = """
    usage: fuzz [--seed <n>] [--count <n>] [--parser <name>]
           fuzz --parser <name> --input <hex>
           fuzz drops [--messages <n>] [--pairs <n>] [--seed <n>]

    Try the parsers with generated inputs, many of them invalid. fuzz drops interrupts the connection of a chat instead.

      --seed <n>        The seed of all inputs, a whole number from 0 (default: random).
      --count <n>       The number of inputs of each parser.
      --parser <name>   Try only this parser: \(Fuzz.subjects.map(\.name).joined(separator: ", ")).
      --input <hex>     Try only this input, in hexadecimal digits.
      --help            Show this help.

    Exit status: 0 if no input failed, 1 if one failed, 2 if the arguments are invalid.
    """
}
