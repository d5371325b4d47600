import Foundation
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyText

/// `import`: writes the recordings of other tools as a HAR file.
struct ImportCommand {
  let tool: CommandLineTool

  /// The formats, with their names for `--from`.
  enum Format: String, CaseIterable {
    case vcr
    case vcrpy
    case postman
    case wiremock
    case saz
  }

  private struct Options {
    var sources: [ImportSource] = []
    var output: String?
    var replaces = false
    var format: Format?
    var settings = ImportSettings()
    var secrets: [String] = []
    var keepsSecrets = false
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    guard !options.sources.isEmpty, let output = options.output else {
      throw CommandError("import requires a file and --output. See \(tool.name) import --help.")
    }
    guard options.replaces || !FileManager.default.fileExists(atPath: output) else {
      throw CommandError("\(output) exists. Choose another file, or --replace.")
    }
    var recording = ImportedRecording()
    var mappings = WireMockMappings(options.settings)
    for source in options.sources {
      try add(source, options, mappings: &mappings, to: &recording)
    }
    try mappings.add(to: &recording)
    guard !recording.entries.isEmpty else {
      let paths = options.sources.map(\.path).joined(separator: ", ")
      throw CommandError(
        (["\(paths): No exchange found, so \(output) was not written."] + recording.lines).joined(
          separator: " "))
    }
    var redaction = options.keepsSecrets ? Redaction.off : .standard
    redaction.literals = options.secrets
    let archive = HTTPArchive(log: .init(entries: recording.entries)).redacted(by: redaction)
    do {
      try archive.write(to: URL(filePath: output, directoryHint: .notDirectory))
    } catch {
      throw CommandError(writing: output, error, cause: (error as? RecordingError)?.cause)
    }
    for line in recording.lines { console.writeError("\(tool.name): \(line)") }
    let counts = [
      Words.count(recording.entries.count, "exchange"),
      Words.count(archive.log.placeholders.count, "placeholder"),
    ]
    try console.write("Imported to \(output): \(counts.joined(separator: ", ")).")
    return 0
  }

  // MARK: - Formats

  private func add(
    _ source: ImportSource, _ options: Options, mappings: inout WireMockMappings,
    to recording: inout ImportedRecording
  ) throws(CommandError) {
    if source.isFolder {
      guard options.format ?? .wiremock == .wiremock else {
        throw CommandError("\(source.path) is a folder, not a file.")
      }
      return try mappings.add(folder: source)
    }
    // The signature of a file in a ZIP archive, or of an empty one.
    let isZip = source.data.starts(with: [0x50, 0x4B, 3, 4]) || source.data.starts(with: [0x50, 0x4B, 5, 6])
    if isZip || options.format == .saz { return try FiddlerArchive.add(source, to: &recording) }
    let document = try source.document()
    let format = if let format = options.format { format } else { try format(of: document) }
    switch format {
    case .vcr: try Cassette.addVCR(try demand("http_interactions", in: document), of: source, to: &recording)
    case .vcrpy: try Cassette.addVCRpy(try demand("interactions", in: document), of: source, to: &recording)
    case .postman:
      try PostmanCollection.add(
        try demand("item", in: document), of: source, options.settings, to: &recording)
    case .wiremock: try mappings.add(document, of: source)
    case .saz: break
    }
  }

  private func demand(_ name: String, in document: ImportedValue) throws(CommandError) -> ImportedValue {
    guard document.has(name) else { throw document.problem("\(name) is missing") }
    return document
  }

  /// Recognizes a format by the members of its document.
  private func format(of document: ImportedValue) throws(CommandError) -> Format {
    if document.has("http_interactions") { return .vcr }
    if document.has("interactions") { return .vcrpy }
    if document.has("info"), document.has("item") { return .postman }
    let stub = document.elements?.first ?? document
    if stub.has("mappings") || (stub.has("request") && stub.has("response")) { return .wiremock }
    if document["log"]?.has("entries") == true {
      throw CommandError("\(document.file): It is a HAR file already, which every command reads.")
    }
    if document.has("requests"), document.has("order") {
      throw CommandError(
        "\(document.file): It is a Postman collection of version 1. Export it as version 2.1.")
    }
    let formats = Format.allCases.map(\.rawValue).joined(separator: ", ")
    throw CommandError("\(document.file): Unknown format. Specify it with --from: \(formats).")
  }

  // MARK: - Arguments

  /// Returns the options, or `nil` for help.
  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) import")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--output": options.output = try reader.value()
      case "--replace": options.replaces = true
      case "--from":
        options.format = Format(
          rawValue: try reader.value(among: Format.allCases.map(\.rawValue), "format"))
      case "--origin":
        let url = try reader.address()
        guard ["", "/"].contains(url.path()), url.query() == nil else {
          throw CommandError("--origin requires a URL without a path, found \(url).")
        }
        options.settings.origin =
          url.absoluteString.hasSuffix("/") ? String(url.absoluteString.dropLast()) : url.absoluteString
      case "--variable":
        let text = try reader.value()
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else {
          throw CommandError("--variable requires <name>=<value>, found \"\(text)\".")
        }
        options.settings.variables[String(parts[0])] = String(parts[1])
      case "--secret": options.secrets.append(try reader.value())
      case "--keep-secrets": options.keepsSecrets = true
      default: options.sources.append(try ImportSource(try reader.operand(option)))
      }
    }
    if options.keepsSecrets, !options.secrets.isEmpty {
      throw CommandError("--keep-secrets cannot be combined with --secret.")
    }
    return options
  }

  private var usage: String {
    """
    usage: \(tool.name) import <file or folder> … --output <file> [--replace] [--from <format>] [--origin <url>]
           [--variable <name>=<value>] … [--secret <text>] … [--keep-secrets]

    Write the recordings of other tools as one HAR file, in the order of the arguments. Compressed bodies are
    decompressed. Secrets are replaced by placeholders, as in a recording. What cannot be imported is listed on standard
    error with the reason.

      <file or folder>    Cassettes of VCR and vcrpy in JSON, Postman collections 2.0 and 2.1 with saved responses, stub
                          mappings of WireMock (a JSON file, or a folder with mappings/ and __files/), and session
                          archives of Fiddler (.saz).
      --output <file>     The HAR file. If it exists, --replace is required.
      --replace           Replace an existing file.
      --from <format>     vcr, vcrpy, postman, wiremock or saz (default: the format that the contents show).
      --origin <url>      The scheme, host and port of WireMock's stubs, which have none
                          (default: http://localhost:8080).
      --variable <name>=<value>
                          The value of a variable in a Postman collection. Can be repeated.
      --secret <text>     Replace this secret too. Can be repeated.
      --keep-secrets      Do not replace secrets.
      --help              Show this help.

    An exchange without a date has that of its response, or of the file. To convert cassettes in YAML, see the article
    Recording and replaying.

    Example: \(tool.name) import cassettes/*.json --output session.har

    Exit status: 0 on success, 2 if the arguments or a file are invalid, no exchange is found, or the result cannot be
    written.
    """
  }
}
