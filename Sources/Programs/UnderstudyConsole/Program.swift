import Foundation
import UnderstudyText

/// A command of a program.
package struct Command {
  let name: String
  let abstract: String
  /// Whether the program has the command.
  let isOffered: Bool
  let run: ([String], Console) async throws(CommandError) -> Int32

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - abstract: What it does, in one sentence.
  ///   - run: A function that runs it with the arguments after its name, and returns the exit status. With `--help`
  ///     it writes the options.
  package init(
    name: String, abstract: String, isOffered: Bool = true,
    run: @escaping ([String], Console) async throws(CommandError) -> Int32
  ) {
    self.name = name
    self.abstract = abstract
    self.isOffered = isOffered
    self.run = run
  }
}

/// A program with several commands.
package struct Program {
  private let name: String
  private let commands: [Command]

  /// Creates a program with those of the commands that are offered.
  package init(_ name: String, _ commands: Command...) {
    self.name = name
    self.commands = commands.filter(\.isOffered)
  }

  /// Runs the command in the arguments of the process, then exits.
  package func main() async -> Never {
    let console = Console.standard
    do throws(CommandError) {
      exit(await run(try Self.arguments, console: console))
    } catch {
      console.writeError("\(name): \(error.description)")
      exit(2)
    }
  }

  /// The arguments of the process after its name.
  private static var arguments: [String] {
    get throws(CommandError) {
      let words = (1..<max(1, Int(CommandLine.argc))).compactMap { CommandLine.unsafeArgv[$0] }
      return try arguments(words.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
    }
  }

  /// Returns arguments as text.
  ///
  /// - Throws: `CommandError` if one is not UTF-8: `CommandLine.arguments` changes such an argument, which would then be
  ///   another file or another secret.
  package static func arguments(_ words: [[UInt8]]) throws(CommandError) -> [String] {
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    for (number, (word, text)) in zip(words, texts).enumerated() where Array(text.utf8) != word {
      throw CommandError("Argument \(number + 1) is not UTF-8: \"\(text)\".")
    }
    return texts
  }

  /// Runs one command.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the name of the program.
  ///   - console: The output.
  /// - Returns: The exit status: 2 if the arguments or a file are invalid, and one line of the output has the reason;
  ///   otherwise that of the command.
  package func run(_ arguments: [String], console: Console) async -> Int32 {
    do throws(CommandError) {
      guard let word = arguments.first, !["help", "--help", "-h"].contains(word) else {
        try console.write(usage)
        return 0
      }
      guard let command = commands.first(where: { $0.name == word }) else {
        let names = commands.map(\.name)
        let hint = names.misspelt(as: word).map { "Did you mean \($0)? " } ?? ""
        throw CommandError(
          "Unknown command \"\(word)\". \(hint)Valid values: \(names.joined(separator: ", ")). See \(name) --help."
        )
      }
      do throws(CommandError) {
        return try await command.run(Array(arguments.dropFirst()), console)
      } catch {
        guard let option = error.unknownOption else { throw error }
        let options = await help(of: command).options.map(\.name)
        throw CommandError(
          unknownOption: option, nearest: options.misspelt(as: option), of: "\(name) \(command.name)")
      }
    } catch {
      console.writeError("\(name): \(error.description)")
      return 2
    }
  }

  /// The commands with their options.
  package var help: [CommandHelp] {
    get async {
      var result: [CommandHelp] = []
      for command in commands { result.append(await help(of: command)) }
      return result
    }
  }

  private func help(of command: Command) async -> CommandHelp {
    let (texts, continuation) = AsyncStream.makeStream(of: String.self)
    let console = Console(write: { lines in continuation.yield(lines + "\n") }, writeError: { _ in })
    _ = try? await command.run(["--help"], console)
    continuation.finish()
    return CommandHelp(
      name: command.name, abstract: command.abstract, text: await texts.reduce(into: "") { $0 += $1 })
  }

  private var usage: String {
    var table = TextTable(.left, .left)
    for command in commands { table.append("  " + command.name, command.abstract) }
    return """
      usage: \(name) <command> [<option> …]

      Commands:
      \(table.lines().joined(separator: "\n"))

      Show the options of a command: \(name) <command> --help

      Exit status: 0 on success, 1 if a check failed, 2 if the arguments or a file are invalid.
      """
  }
}
