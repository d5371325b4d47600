package import Foundation

/// A reader of the arguments of a command, one option at a time; `--option value` and `--option=value` are equal.
///
/// ```swift
/// var reader = OptionReader(words, of: "understudy serve")
/// while let option = try reader.next() {
///   switch option {
///   case "--help", "-h": return nil
///   case "--port": port = try reader.number(upTo: 65_535)
///   default: throw reader.unknownOption
///   }
/// }
/// ```
package struct OptionReader {
  private let command: String
  private var rest: ArraySlice<String>
  /// The current option without its value, or the current operand.
  private var word = ""
  /// The options that occurred.
  private var seen: Set<String> = []
  /// The value after a `=`, if it was not read yet.
  private var attached: String?

  /// Creates a reader of the arguments of a command, such as `understudy serve`.
  package init(_ words: [String], of command: String) {
    self.command = command
    rest = words[...]
  }

  /// Returns the name of the next option, or the next operand.
  ///
  /// - Parameter repeatable: The options that may be repeated (default: all, and the last one counts).
  /// - Throws: `CommandError` if the current option has an unexpected value, or is repeated.
  package mutating func next(repeatable: Set<String>? = nil) throws(CommandError) -> String? {
    try demandNoValue()
    guard let word = rest.popFirst() else { return nil }
    self.word = word
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if word.hasPrefix("-"), parts.count > 1 {
      self.word = parts[0]
      attached = parts[1]
    }
    // Arguments after an option for the help are ignored.
    if ["--help", "-h"].contains(self.word) { try demandNoValue() }
    if let repeatable, word.hasPrefix("-"), !repeatable.contains(self.word), !seen.insert(self.word).inserted
    {
      throw CommandError("\(self.word) is repeated. See \(command) --help.")
    }
    return self.word
  }

  private func demandNoValue() throws(CommandError) {
    guard let attached else { return }
    throw CommandError("\(word) does not take a value, found \"\(attached)\". See \(command) --help.")
  }

  /// The error for an unknown option or an unexpected operand.
  package var unknownOption: CommandError {
    guard word.hasPrefix("-") else {
      return CommandError("Unexpected argument \"\(word)\". See \(command) --help.")
    }
    return CommandError(unknownOption: word, nearest: nil, of: command)
  }

  /// Returns the value of the current option.
  package mutating func value() throws(CommandError) -> String {
    let value = attached ?? rest.popFirst()
    attached = nil
    guard let value, !value.isEmpty else {
      throw CommandError("\(word) requires a value. See \(command) --help.")
    }
    return value
  }

  /// Returns an operand that may occur only once.
  ///
  /// - Parameters:
  ///   - word: The result of ``next()``.
  ///   - earlier: The previous operand, if any.
  package func operand(_ word: String, after earlier: String? = nil) throws(CommandError) -> String {
    // A dash alone is standard input, as for other commands.
    guard earlier == nil, word == "-" || !word.hasPrefix("-") else { throw unknownOption }
    return word
  }

  /// Returns the value of the current option, which must be one of the known values.
  ///
  /// - Parameter kind: The kind of the values, such as `format`.
  package mutating func value(among known: [String], _ kind: String) throws(CommandError) -> String {
    let value = try value()
    guard known.contains(value) else {
      throw CommandError("Unknown \(kind) \"\(value)\". Valid values: \(known.joined(separator: ", ")).")
    }
    return value
  }

  /// Returns the value of the current option, which must be a whole number from 0.
  package mutating func number<Number: FixedWidthInteger>(
    upTo limit: Number? = nil
  ) throws(CommandError) -> Number {
    let value = try value()
    guard let number = Number(value), number >= 0, number <= limit ?? .max else {
      let range = "a whole number from 0" + (limit.map { " to \($0)" } ?? "")
      throw CommandError("\(word) requires \(range), found \"\(value)\".")
    }
    return number
  }

  /// Returns the value of the current option, which must be the URL of a service.
  package mutating func address() throws(CommandError) -> URL {
    let written = try value()
    guard let url = URL(string: written), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host()?.isEmpty == false
    else {
      throw CommandError("\(word) requires an http or https URL, found \"\(written)\".")
    }
    guard url.user() == nil, url.password() == nil else {
      throw CommandError("\(word) requires a URL without user and password, because URLs are printed.")
    }
    return url
  }
}
