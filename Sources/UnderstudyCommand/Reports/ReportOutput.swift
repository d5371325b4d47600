import Understudy

/// The format and the destination of a report: the options `--format` and `--output`.
struct ReportOutput: Sendable {
  enum Format: String, CaseIterable, Sendable {
    case table, json, html, junit
  }

  var format = Format.table
  /// The file, or `nil` for standard output.
  var path: String?

  /// Whether parts of the report can be printed before it is complete.
  var isTableOnConsole: Bool { format == .table && path == nil }

  /// Reads the current option, if it is one of the two.
  mutating func take(_ option: String, from reader: inout OptionReader) throws(CommandError) -> Bool {
    switch option {
    case "--format":
      let word = try reader.value(among: Format.allCases.map(\.rawValue), "format")
      format = Format(rawValue: word) ?? .table
    case "--output": path = try reader.value()
    default: return false
    }
    return true
  }

  /// Writes a report.
  ///
  /// - Parameter tool: The tool, whose name is part of the commands in the report. One without contracts and scenarios, which
  ///   merges the reports of others, cannot run them.
  func write(
    _ report: UnderstudyReport, of tool: CommandLineTool, on console: Console
  ) throws(CommandError) {
    let isEmpty = tool.contracts.isEmpty && tool.scenarios.isEmpty && tool.agreements.isEmpty
    let name = isEmpty ? nil : tool.name
    let text =
      switch format {
      case .table: report.table(tool: name) + "\n"
      case .json: try Console.json(report) + "\n"
      case .html: report.html(tool: name)
      case .junit: report.junit(tool: name)
      }
    guard let path else {
      // The console adds the last line break.
      return try console.write(String(text.dropLast()))
    }
    let file = OutputFile(path)
    try file.write(text)
    try console.write("\(report.sentence) \(file.path)")
  }

  /// The description of the two options in the help of a command.
  static let help = """
      --format table|json|html|junit
                                The format (default: table). html is one page that works offline, junit the XML format
                                of CI systems.
      --output <file>           The file for the report (default: standard output).
    """
}
