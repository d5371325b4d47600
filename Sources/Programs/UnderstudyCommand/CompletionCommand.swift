import UnderstudyConsole

/// `completion`: writes the completion of a shell.
struct CompletionCommand {
  let tool: CommandLineTool

  private enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var name: String?
    var reader = OptionReader(words, of: "\(tool.name) completion")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      default: name = try reader.operand(option, after: name)
      }
    }
    let valid = Shell.allCases.map(\.rawValue)
    guard let name else {
      throw CommandError(
        "completion requires a shell: \(valid.joined(separator: ", ")). See \(tool.name) completion --help.")
    }
    guard let shell = Shell(rawValue: name) else {
      throw CommandError("Unknown shell \"\(name)\". Valid values: \(valid.joined(separator: ", ")).")
    }
    let commands = await tool.help
    switch shell {
    case .bash: try console.write(bash(commands))
    case .zsh: try console.write(zsh(commands))
    case .fish: try console.write(fish(commands))
    }
    return 0
  }

  /// The name of the shell function.
  private var function: String { "_" + tool.name.map { $0.isLetter || $0.isNumber ? $0 : "_" } }

  // MARK: - Shells

  private func bash(_ commands: [CommandHelp]) -> String {
    var lines = [
      "\(function)() {",
      "  local word words= current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
      "  COMPREPLY=()", "  if ((COMP_CWORD == 1)); then",
      "    words='\((commands.map(\.name) + ["--help"]).joined(separator: " "))'",
      "  else", "    case ${COMP_WORDS[1]}:$previous in",
    ]
    for command in commands {
      let values = Dictionary(grouping: command.options.filter { !$0.value.isEmpty }) {
        $0.choices.joined(separator: " ")
      }
      for (choices, options) in values.sorted(by: { $0.key < $1.key }) {
        let patterns = options.map { "\(command.name):\($0.name)" }.joined(separator: "|")
        lines.append("      \(patterns)) words='\(choices)' ;;")
      }
    }
    lines += ["      *)", "        case ${COMP_WORDS[1]} in"]
    for command in commands {
      let words = command.words + command.options.map(\.name)
      lines.append("          \(command.name)) words='\(words.joined(separator: " "))' ;;")
    }
    lines += [
      "        esac ;;", "    esac", "  fi",
      "  while IFS= read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -W \"$words\" -- \"$current\")",
      "}",
      // Without a match, files are completed.
      "complete -o default -F \(function) \(tool.name)",
    ]
    return lines.joined(separator: "\n")
  }

  private func zsh(_ commands: [CommandHelp]) -> String {
    func quoted(_ text: String) -> String {
      "'" + text.replacing("'", with: "'\\''").replacing("[", with: "\\[").replacing("]", with: "\\]") + "'"
    }
    var lines = ["#compdef \(tool.name)", "\(function)() {", "  local -a commands", "  commands=("]
    lines += commands.map { command in
      "    " + quoted("\(command.name):\(command.abstract.replacing(":", with: "\\:"))")
    }
    lines += [
      "  )", "  if ((CURRENT == 2)); then", "    _describe command commands", "    return", "  fi",
      "  local command=$words[2]", "  shift words", "  ((CURRENT--))", "  case $command in",
    ]
    for command in commands {
      var specifications = command.options.map { option in
        let head = quoted(option.name).dropLast()
        let summary = quoted(option.summary.replacing(":", with: "\\:")).dropFirst().dropLast()
        let values = option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
        return "\(head)[\(summary)]\(option.value.isEmpty ? "" : ":value:\(values)")'"
      }
      if !command.words.isEmpty {
        specifications.append("'1:word:(\(command.words.joined(separator: " ")))'")
      }
      specifications.append("'*:file:_files'")
      lines.append("    \(command.name)) _arguments \(specifications.joined(separator: " ")) ;;")
    }
    lines += [
      "  esac", "}",
      // A file on the search path is the function itself.
      "if [ \"$funcstack[1]\" = \"\(function)\" ]; then \(function) \"$@\"; else compdef \(function) \(tool.name); fi",
    ]
    return lines.joined(separator: "\n")
  }

  private func fish(_ commands: [CommandHelp]) -> String {
    func quoted(_ text: String) -> String {
      "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
    var lines: [String] = []
    for command in commands {
      lines.append(
        "complete -c \(tool.name) -n __fish_use_subcommand -f -a \(command.name) -d \(quoted(command.abstract))"
      )
      let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
      if !command.words.isEmpty {
        lines.append("complete -c \(tool.name) \(condition) -f -a '\(command.words.joined(separator: " "))'")
      }
      for option in command.options {
        let value =
          option.value.isEmpty
          ? "" : option.choices.isEmpty ? " -r" : " -x -a '\(option.choices.joined(separator: " "))'"
        lines.append(
          "complete -c \(tool.name) \(condition) -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.summary))"
        )
      }
    }
    return lines.joined(separator: "\n")
  }

  private var usage: String {
    """
    usage: \(tool.name) completion bash|zsh|fish

    Write the completion of commands, options and their values for a shell, from the help of the commands.

      bash     source <(\(tool.name) completion bash)
      zsh      source <(\(tool.name) completion zsh)
      fish     \(tool.name) completion fish | source
      --help   Show this help.

    Example: \(tool.name) completion bash >> ~/.bashrc

    Exit status: 0 on success, 2 if the arguments are invalid.
    """
  }
}
