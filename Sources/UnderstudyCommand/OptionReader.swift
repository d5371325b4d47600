import Foundation

/// Reads the words of a command one option at a time; `--option value` and `--option=value` are the same.
///
/// ```swift
/// var reader = OptionReader(words, of: "understudy serve")
/// while let option = reader.next() {
///   switch option {
///   case "--help", "-h": return nil
///   case "--port": port = try reader.number(upTo: 65_535)
///   default: throw reader.unknownOption
///   }
/// }
/// ```
struct OptionReader {
  private let command: String
  private var rest: ArraySlice<String>
  /// The current word as it was written, and what it holds behind a `=`.
  private var word = ""
  private var attached: String?

  /// A reader of the words behind a command, such as `understudy serve`.
  init(_ words: [String], of command: String) {
    self.command = command
    rest = words[...]
  }

  /// The name of the next option, or a word that is none.
  mutating func next() -> String? {
    guard let word = rest.popFirst() else { return nil }
    self.word = word
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard word.hasPrefix("-"), parts.count > 1 else {
      attached = nil
      return word
    }
    attached = parts[1]
    return parts[0]
  }

  /// Whether an option stands behind the current one.
  func isFollowed(by option: String) -> Bool { rest.contains(option) }

  /// What to throw for a word that the command does not know.
  var unknownOption: CommandError {
    CommandError("\"\(word)\" is not an option of \(name). See \(command) --help.")
  }

  /// The value of the current option.
  mutating func value() throws(CommandError) -> String {
    guard let value = attached ?? rest.popFirst(), !value.isEmpty else {
      throw CommandError("\(word) needs a value. See \(command) --help.")
    }
    return value
  }

  /// A word that is no option but what the command is about, of which there is one.
  ///
  /// - Parameters:
  ///   - word: What ``next()`` gave.
  ///   - earlier: The word that was given before, if there was one.
  func operand(_ word: String, after earlier: String? = nil) throws(CommandError) -> String {
    guard earlier == nil, !word.hasPrefix("-") else { throw unknownOption }
    return word
  }

  /// The value of the current option, which is one of a few.
  ///
  /// - Parameter kind: What the values are, such as `format`.
  mutating func value(among known: [String], _ kind: String) throws(CommandError) -> String {
    let value = try value()
    guard known.contains(value) else {
      throw CommandError("\"\(value)\" is no \(kind) here. Choose from: \(known.joined(separator: ", ")).")
    }
    return value
  }

  /// The value of the current option, which is a whole number from 0.
  mutating func number<Number: FixedWidthInteger>(upTo limit: Number? = nil) throws(CommandError) -> Number {
    let option = name(of: word)
    let value = try value()
    guard let number = Number(value), number >= 0, number <= limit ?? .max else {
      let range = "a whole number from 0" + (limit.map { " to \($0)" } ?? "")
      throw CommandError("\(option) takes \(range), and \"\(value)\" is not one.")
    }
    return number
  }

  /// The value of the current option, which is where a service is.
  mutating func address() throws(CommandError) -> URL {
    let option = name(of: word)
    let written = try value()
    guard let url = URL(string: written), ["http", "https"].contains(url.scheme?.lowercased()),
      url.host()?.isEmpty == false
    else {
      throw CommandError("\(option) takes an http or https address, and \"\(written)\" is none.")
    }
    guard url.user() == nil, url.password() == nil else {
      throw CommandError("\(option) takes an address without a user and a password; they would be shown.")
    }
    return url
  }

  private func name(of word: String) -> String { String(word.prefix { $0 != "=" }) }

  /// The command without the name of its program.
  private var name: Substring { command.split(separator: " ").last ?? "" }
}
