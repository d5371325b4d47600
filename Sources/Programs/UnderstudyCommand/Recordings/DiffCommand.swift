import Foundation
import UnderstudyConsole
import UnderstudyRecording
import UnderstudyHTTP

/// `diff`: compares a recording with another one, or with the responses of the service today.
struct DiffCommand {
  let tool: CommandLineTool

  private struct Options {
    var files: [String] = []
    var origin: String?
    var fields = HTTP.Fields()
    var sendsUnsafeMethods = false
    var format = "table"
  }

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    let files = try options.files.map { path throws(CommandError) in try InputFile(recording: path) }
    let report: DriftReport
    if let origin = options.origin, let file = files.first {
      let service = LiveService(
        origin: origin, fields: options.fields, sendsUnsafeMethods: options.sendsUnsafeMethods,
        transport: URLSessionTransport(followsRedirects: false), time: tool.environment.time)
      report = try await compare(file, with: service, console)
    } else {
      report = try compare(files[0], with: files[1], console)
    }
    if report.isEmpty {
      throw CommandError("There is no exchange to compare in \(options.files.joined(separator: " and ")).")
    }
    if options.format == "json" {
      try console.write(json: report)
    } else {
      try console.write(report.lines.joined(separator: "\n"))
    }
    return report.hasDrifted ? 1 : 0
  }

  // MARK: - Comparing

  private func warn(_ console: Console) -> (String) -> Void {
    { console.writeError("\(tool.name): \($0)") }
  }

  private func compare(_ file: InputFile, with other: InputFile, _ console: Console) throws(CommandError)
    -> DriftReport
  {
    let (before, now) = (
      try file.archive(warningBy: warn(console)), try other.archive(warningBy: warn(console))
    )
    var report = DriftReport(before: file.path, now: other.path)
    // Identical requests are paired in their order.
    var waiting: [RequestIdentity: ArraySlice<Int>] = [:]
    for number in 0..<now.entryCount {
      waiting[RequestIdentity(now.request(at: number)), default: []].append(number)
    }
    let progress = progress(of: before, console)
    defer { progress.end() }
    for number in 0..<before.entryCount {
      let identity = RequestIdentity(before.request(at: number))
      progress.show(identity.description)
      if let counterpart = waiting[identity]?.popFirst() {
        report.add(
          AnswerDrift(from: before.entry(at: number), to: now.entry(at: counterpart)).differences, identity,
          number,
          counterpart)
      } else {
        report.onlyBefore.append(.init(request: identity.description, exchange: number))
      }
      progress.advance()
    }
    report.onlyNow = waiting.flatMap { identity, numbers in
      numbers.map { DriftReport.Lone(request: identity.description, exchange: $0) }
    }.sorted { $0.exchange < $1.exchange }
    return report
  }

  private func compare(_ file: InputFile, with service: LiveService, _ console: Console)
    async throws(CommandError) -> DriftReport
  {
    let recording = try file.archive(warningBy: warn(console))
    var report = DriftReport(before: file.path, now: service.origin)
    let progress = progress(of: recording, console)
    defer { progress.end() }
    for number in 0..<recording.entryCount {
      let entry = recording.entry(at: number)
      let identity = RequestIdentity(entry.request)
      progress.show(identity.description)
      switch service.request(for: entry) {
      case .withheld(let reason):
        report.notSent.append(.init(request: identity.description, exchange: number, reason: reason))
      case .ready(let request):
        let answer = try await service.answer(to: request, recorded: entry)
        report.add(AnswerDrift(from: entry, to: answer).differences, identity, number, nil)
      }
      progress.advance()
    }
    if report.compared == 0, let first = report.notSent.first, let reason = first.reason {
      throw CommandError("No exchange of \(file.path) can be sent. Exchange \(first.exchange): \(reason).")
    }
    return report
  }

  private func progress(of recording: IndexedArchive, _ console: Console) -> ProgressBar {
    ProgressBar("Comparing", of: recording.entryCount, on: tool.environment.time, console: console)
  }

  // MARK: - Arguments

  /// Returns the options, or `nil` for help.
  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) diff")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--live": options.origin = try origin(try reader.address())
      case "--header":
        let (name, value) = try field(try reader.value())
        options.fields.append(name: name, value: value)
      case "--unsafe": options.sendsUnsafeMethods = true
      case "--format": options.format = try reader.value(among: ["table", "json"], "format")
      default: options.files.append(try reader.operand(option))
      }
    }
    let isLive = options.origin != nil
    guard isLive || (options.fields.isEmpty && !options.sendsUnsafeMethods) else {
      throw CommandError("--header and --unsafe require --live.")
    }
    guard options.files.count == (isLive ? 1 : 2) else {
      throw CommandError(
        "diff requires two recordings, or one and --live. See \(tool.name) diff --help.")
    }
    return options
  }

  /// Returns the origin of the service, which must have no path, because the requests have their own.
  private func origin(_ url: URL) throws(CommandError) -> String {
    guard ["", "/"].contains(url.path()), url.query() == nil, url.fragment() == nil else {
      throw CommandError(
        "--live requires a URL without a path, such as https://api.example.com, found \(url).")
    }
    return RecordedURL(url.absoluteString).origin
  }

  /// Parses a header field (RFC 9110 §5.1, §5.5).
  private func field(_ written: String) throws(CommandError) -> (name: String, value: String) {
    let name = written.prefix { $0 != ":" }
    let isToken = name.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII
        && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
    }
    let value = written.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty, isToken, name.endIndex < written.endIndex,
      !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      // The value may be a secret, so it is not printed.
      throw CommandError("--header requires a name and a value, such as 'apikey: …'")
    }
    return (String(name), value)
  }

  private var usage: String {
    """
    usage: \(tool.name) diff <file> <file> [--format table|json]
           \(tool.name) diff <file> --live <url> [--header '<name>: <value>'] … [--unsafe] [--format table|json]

    Compare the responses of a recording with those of another one, or with those of the service today. Exchanges of the
    same request (method, path, query and body, without origin and secrets) are compared, identical requests in order.
    Values are expected to differ. Compared are the status, the names of header fields (except varying ones, such as Date
    and ETag), the media type, the shape of JSON and of the data of each type of event, and how a body ended. If the first
    digit of the status differs, nothing else is compared. Standard input is -.

      --live <url>         Send the requests to this service, one after another: GET, HEAD and OPTIONS.
      --header <field>     Send this field with each request, in place of a recorded one of that name. Required for the
                           secrets that the recording has placeholders for; exchanges without their secrets are skipped.
      --unsafe             Send the other methods too, which may change or delete data.
      --format table|json  The format (default: table).
      --help               Show this help.

    In a path, [] is every element of an array: $.items[].price. A value was added, removed, or has another type; null is
    a type.
    The JSON document is {before, now, compared, changed, onlyBefore, onlyNow, notSent}. A change is {request, before,
    now, differences} with the numbers of the exchanges, a difference {part, place, before, now}, in which part is status,
    header, body, json, events, messages or end; the others are {request, exchange, reason}. Members that do not apply are
    omitted.

    Examples:
      \(tool.name) diff old.har new.har
      \(tool.name) diff session.har --live https://api.example.com --header 'apikey: …'

    Exit status: 0 if nothing differs, 1 if something does, 2 if the arguments or a file are invalid, the service cannot
    be reached or the output cannot be written.
    """
  }
}

extension DriftReport {
  fileprivate mutating func add(
    _ differences: [AnswerDrift.Difference], _ request: RequestIdentity, _ before: Int, _ now: Int?
  ) {
    compared += 1
    guard !differences.isEmpty else { return }
    changed.append(.init(request: request.description, before: before, now: now, differences: differences))
  }
}
