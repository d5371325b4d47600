import Foundation
import UnderstudyConsole
import UnderstudyRecording
import UnderstudyText

/// `export`: writes recordings for other tools.
struct ExportCommand {
  let tool: CommandLineTool

  private enum Source {
    case place(URL)
    case stream(InputFile)

    /// The path, as specified by the user.
    var path: String {
      switch self {
      case .place(let url): url.path(percentEncoded: false)
      case .stream(let file): file.path
      }
    }
  }

  private struct Options {
    var format = ""
    var sources: [Source] = []
    var consumer: String
    var output: String?
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    var recordings: [NamedRecording] = []
    for source in options.sources {
      switch source {
      case .place(let url):
        do {
          recordings += try NamedRecording.all(at: url)
        } catch {
          throw CommandError(error.description.visible)
        }
      case .stream(let file):
        let archive = try file.archive { console.writeError("\(tool.name): \($0)") }
        recordings.append(NamedRecording("recording/standard-input", HTTPArchive(archive)))
      }
    }
    guard !recordings.isEmpty else {
      let paths = options.sources.map(\.path).joined(separator: ", ")
      throw CommandError("No .har file found in \(paths).")
    }
    let files = files(of: recordings, options)
    if options.format == "wiremock" {
      try writeWireMock(files, options, console)
    } else {
      try write(files, options, console)
    }
    // Not on standard output, which may contain the document.
    for line in Self.lines(about: files.flatMap(\.export.omissions)) {
      console.writeError("\(tool.name): \(line)")
    }
    return 0
  }

  /// Returns a line for each problem, with its recordings.
  private static func lines(about omissions: [RecordingExport.Omission]) -> [String] {
    let problems = omissions.reduce(into: [String]()) {
      if !$0.contains($1.problem) { $0.append($1.problem) }
    }
    return problems.map { problem in
      let affected = omissions.filter { $0.problem == problem }
      let names = affected.reduce(into: [String]()) {
        if !$0.contains($1.recording) { $0.append($1.recording) }
      }
      return "\(Words.count(affected.count, "exchange")) \(problem) (\(names.joined(separator: ", ")))"
    }
  }

  // MARK: - Files

  private struct File {
    let name: String
    let export: RecordingExport
  }

  private func files(of recordings: [NamedRecording], _ options: Options) -> [File] {
    if options.format == "openapi" {
      let export = RecordingExport.openAPI(of: recordings, title: tool.name, version: "1")
      return [File(name: "openapi.json", export: export)]
    }
    if options.format == "wiremock" {
      return [File(name: "", export: .wireMock(of: recordings))]
    }
    let services = Dictionary(grouping: recordings) { RecordingExport.service(of: $0.name) }
    return services.sorted { $0.key < $1.key }.map { service, recordings in
      File(
        name: "\(options.consumer)-\(service).json".replacing("/", with: "-"),
        export: .pact(of: recordings, consumer: options.consumer, provider: service))
    }
  }

  private func write(_ files: [File], _ options: Options, _ console: Console) throws(CommandError) {
    guard let output = options.output else {
      guard files.count == 1, let file = files.first else {
        throw CommandError(
          "Found recordings of \(files.count) services, each of which requires a Pact file. Pass the recordings of one service, or a folder with --output."
        )
      }
      // The console adds the last line break.
      return try console.write(String(file.export.text.dropLast()))
    }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    if exists, !isFolder.boolValue, files.count > 1 {
      throw CommandError("\(files.count) Pact files require a folder for --output, but \(output) is a file.")
    }
    let goesIntoFolder = exists ? isFolder.boolValue : files.count > 1 || output.hasSuffix("/")
    let url = URL(filePath: output, directoryHint: goesIntoFolder ? .isDirectory : .notDirectory)
    for file in files {
      let written = OutputFile(goesIntoFolder ? url.appending(path: file.name) : url)
      try written.write(file.export.text)
      try console.write(written.path)
    }
  }

  /// Writes the folders `mappings` and `__files`, or all stubs to standard output.
  private func writeWireMock(_ files: [File], _ options: Options, _ console: Console) throws(CommandError) {
    guard let export = files.first?.export else { return }
    guard let output = options.output else {
      guard !export.files.contains(where: { $0.path.hasPrefix("__files/") }) else {
        throw CommandError("Stubs with files of bodies require a folder. Pass --output.")
      }
      return try console.write(String(export.text.dropLast()))
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: output, isDirectory: &isFolder), !isFolder.boolValue {
      throw CommandError("wiremock requires a folder for --output, but \(output) is a file.")
    }
    let folder = URL(filePath: output, directoryHint: .isDirectory)
    for (path, contents) in export.files {
      try OutputFile(folder.appending(path: path, directoryHint: .notDirectory)).write(contents)
    }
    let stubs = export.files.count { $0.path.hasPrefix("mappings/") }
    try console.write("\(output): \(Words.count(stubs, "stub mapping"))")
  }

  // MARK: - Arguments

  /// Returns the options, or `nil` for help.
  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options(consumer: tool.name)
    var reader = OptionReader(words, of: "\(tool.name) export")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--consumer": options.consumer = try reader.value()
      case "--output": options.output = try reader.value()
      case "pact" where options.format.isEmpty, "openapi" where options.format.isEmpty,
        "wiremock" where options.format.isEmpty:
        options.format = option
      default:
        let path = try reader.operand(option)
        guard !options.format.isEmpty else {
          throw CommandError("Unknown format \"\(path)\". Valid values: pact, openapi, wiremock.")
        }
        options.sources.append(try Self.source(path))
      }
    }
    guard !options.format.isEmpty else {
      throw CommandError(
        "export requires a format: pact, openapi or wiremock. See \(tool.name) export --help.")
    }
    if options.sources.isEmpty { options.sources = defaults.map(Source.place) }
    guard !options.sources.isEmpty else {
      throw CommandError(
        "export requires the files or folders of recordings. See \(tool.name) export --help.")
    }
    return options
  }

  private static func source(_ path: String) throws(CommandError) -> Source {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      return .place(URL(filePath: path, directoryHint: .isDirectory))
    }
    let file = try InputFile(recording: path)
    return file.streamed == nil ? .place(file.url) : .stream(file)
  }

  /// The folders of the recordings of the tool's own contracts.
  private var defaults: [URL] {
    tool.contracts.compactMap(\.recordings).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  private var usage: String {
    let recordings =
      defaults.isEmpty ? "" : " (default: \(defaults.map(\.lastPathComponent).joined(separator: ", ")))"
    return """
      usage: \(tool.name) export pact|openapi|wiremock [<file or folder> …] [--consumer <name>] [--output <file or folder>]

      Export recordings to formats with which other tools can check a backend. The name of a recording consists of its
      folder and its file, <contract>/<clause>.har. The contract is the service.

        pact                      Write a Pact file (specification 4.0) for each service. Its provider states are the
                                  conditions of the clauses, and the preceding exchanges.
        openapi                   Write one OpenAPI 3.2.0 document for all services.
        wiremock                  Write stub mappings of WireMock 3 to mappings/ and __files/ in a folder. Different
                                  responses to the same request are a scenario.
        <file or folder>          HAR files, - for one on standard input, or folders that contain them\(recordings).
        --consumer <name>         The client that sends the requests of a Pact file (default: \(tool.name)).
        --output <file or folder> The file, or the folder for <consumer>-<service>.json or openapi.json (default: standard
                                  output). The path of a new folder ends with /, unless there are several files.
        --help                    Show this help.

      Equal exchanges are exported once. Exchanges that a format does not support, such as lost connections, are left
      out and reported on standard error.

      Example: \(tool.name) export pact Recordings --output pacts/

      Exit status: 0 on success, 2 if the arguments are invalid, a recording cannot be read or a file cannot be written.
      """
  }
}
