import Foundation
import UnderstudyRecording

/// `export`: writes the exchanges of services for other tools.
struct ExportCommand {
  let tool: CommandLineTool

  private struct Options {
    var format = ""
    var services: [String] = []
    var consumer: String
    var output: String?
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    let documents = try tool.exchangeDocuments()
    guard let options = try parse(words, documents) else {
      try console.write(usage(documents))
      return 0
    }
    let chosen = documents.filter { options.services.isEmpty || options.services.contains($0.service) }
    let files = files(of: chosen, options)
    try write(files, options, console)
    // Standard output may be the document itself.
    for omission in files.flatMap(\.export.omissions) { console.writeError("\(tool.name): \(omission)") }
    return 0
  }

  // MARK: - Files

  private struct File {
    let name: String
    let export: ExchangeExport
  }

  private func files(of documents: [ExchangeDocument], _ options: Options) -> [File] {
    if options.format == "openapi" {
      return [
        File(
          name: "openapi.json",
          export: ExchangeDocument.openAPI(of: documents, title: tool.name, version: "1"))
      ]
    }
    return documents.map {
      File(
        name: "\(options.consumer)-\($0.service).json".replacing("/", with: "-"),
        export: $0.pact(consumer: options.consumer))
    }
  }

  private func write(_ files: [File], _ options: Options, _ console: Console) throws(CommandError) {
    guard let output = options.output else {
      guard files.count == 1, let file = files.first else {
        throw CommandError(
          "There is a Pact file for each of \(files.count) services. Choose one with --service, or a folder with --output."
        )
      }
      // The console ends the last line itself.
      return try console.write(String(file.export.text.dropLast()))
    }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
    if exists, !isFolder.boolValue, files.count > 1 {
      throw CommandError(
        "There are \(files.count) Pact files, so --output takes a folder, and \(output) is none.")
    }
    let goesIntoFolder = exists ? isFolder.boolValue : files.count > 1 || output.hasSuffix("/")
    let url = URL(filePath: output, directoryHint: goesIntoFolder ? .isDirectory : .notDirectory)
    for file in files {
      let place = goesIntoFolder ? url.appending(path: file.name) : url
      let written = OutputFile(place)
      try written.write(file.export.text)
      try console.write(written.path)
    }
  }

  // MARK: - Arguments

  /// The options, or `nil` when help is asked for.
  private func parse(
    _ words: [String], _ documents: [ExchangeDocument]
  ) throws(CommandError) -> Options? {
    var options = Options(consumer: tool.name)
    var reader = OptionReader(words, of: "\(tool.name) export")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--service":
        options.services.append(try reader.value(among: documents.map(\.service), "service"))
      case "--consumer": options.consumer = try reader.value()
      case "--output": options.output = try reader.value()
      case "pact" where options.format.isEmpty, "openapi" where options.format.isEmpty:
        options.format = option
      default: throw reader.unknownOption
      }
    }
    guard !options.format.isEmpty else {
      throw CommandError("export needs a format: pact or openapi. See \(tool.name) export --help.")
    }
    return options
  }

  private func usage(_ documents: [ExchangeDocument]) -> String {
    """
    usage: \(tool.name) export pact|openapi [--service <name>] … [--consumer <name>] [--output <file or folder>]

    Writes the exchanges of the services, what is said over HTTP, for other tools to check a backend with.

      pact                      A Pact file (specification 4.0) for each service; its conditions are provider states.
      openapi                   One OpenAPI 3.2.0 document for all chosen services.
      --service <name>          Only this service; can be given several times.
                                \(documents.map(\.service).joined(separator: ", "))
      --consumer <name>         Who sends the requests of a Pact file; \(tool.name) unless said otherwise.
      --output <file or folder> Where it is written. A folder, which gets <consumer>-<service>.json or openapi.json, if
                                it is there, ends with / or takes several files. Standard output unless said otherwise.
      --help                    This text.

    What a format cannot say is left out, such as a connection that breaks; standard error says what and why.
    Exit status: 0 when everything is written, 2 when the arguments or an exchange document cannot be understood
    or a file cannot be written.
    """
  }
}

extension CommandLineTool {
  /// The exchange documents that are registered.
  func exchangeDocuments() throws(CommandError) -> [ExchangeDocument] {
    var documents: [ExchangeDocument] = []
    for (index, data) in exchanges.enumerated() {
      do {
        documents.append(try ExchangeDocument(json: data))
      } catch {
        throw CommandError("Exchange document \(index + 1) of \(exchanges.count) cannot be read: \(error)")
      }
    }
    return documents
  }
}
