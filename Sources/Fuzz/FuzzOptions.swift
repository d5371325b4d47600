/// What the command line says.
struct FuzzOptions {
  /// The command line cannot be understood.
  struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
      self.description = description
    }
  }

  /// What all inputs follow from.
  var seed: UInt64
  /// How many inputs each parser gets; `nil` is its own number.
  private(set) var chosenCount: Int?
  /// How many inputs there are this time.
  var count = 0
  /// The number of the first of them.
  var first = 0
  /// Whose turn it is.
  var subject = ""
  /// One input to try, in place of those that are made.
  var input: [UInt8]?
  /// Whether this is one of the processes that do the work.
  var isWorker = false

  init(_ arguments: [String]) throws {
    var random = SystemRandomNumberGenerator()
    seed = UInt64.random(in: 0..<1_000_000_000, using: &random)
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--worker" {
        isWorker = true
        continue
      }
      guard let value = rest.popFirst() else { throw Mistake("\(name) wants a value. \(Self.usage)") }
      switch name {
      case "--seed": seed = try Self.number(value, name)
      case "--count":
        count = try Self.number(value, name)
        chosenCount = count
      case "--first": first = try Self.number(value, name)
      case "--parser": subject = value
      case "--input": input = try Self.bytes(value)
      default: throw Mistake("There is no option \(name). \(Self.usage)")
      }
    }
  }

  /// What hands the same to another process.
  var arguments: [String] {
    ["--worker", "--seed", "\(seed)", "--first", "\(first)", "--count", "\(count)", "--parser", subject]
  }

  private static let usage =
    "Use: fuzz [--seed N] [--count N] [--parser websocket|request|response|archive], or with --parser and --input HEX."

  private static func number<Number: FixedWidthInteger>(_ text: String, _ name: String) throws -> Number {
    guard let number = Number(text), number >= 0 else {
      throw Mistake("\(name) wants a number that is not negative, and \"\(text)\" is none. \(usage)")
    }
    return number
  }

  private static func bytes(_ hexadecimal: String) throws -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    guard digits.count == hexadecimal.count, digits.count % 2 == 0 else {
      throw Mistake("--input wants an even number of hexadecimal digits. \(usage)")
    }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }
}
