package import Foundation

extension UnderstudyReport: Codable {
  private static let format = "understudy-report"
  private static let version = 1

  private enum CodingKeys: String, CodingKey {
    case format, version, contracts, agreements, sweeps, mutants, derived, gaps, summary
  }

  /// Encodes the report as a JSON object.
  ///
  /// ```
  /// {"format": "understudy-report", "version": 1, "contracts": […], "agreements": […], "sweeps": […],
  ///  "mutants": […], "derived": […], "gaps": […], "summary": {…}}
  /// ```
  ///
  /// The summary is for scripts and is ignored when decoding.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Self.format, forKey: .format)
    try container.encode(Self.version, forKey: .version)
    try container.encode(contracts, forKey: .contracts)
    try container.encode(agreements, forKey: .agreements)
    try container.encode(sweeps, forKey: .sweeps)
    try container.encode(mutants, forKey: .mutants)
    try container.encode(derived, forKey: .derived)
    try container.encode(gaps, forKey: .gaps)
    try container.encode(summary, forKey: .summary)
  }

  /// Decodes a report from the form of ``encode(to:)``.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func require<Value: Decodable & Equatable>(_ expected: Value, _ key: CodingKeys) throws {
      let value = try container.decode(Value.self, forKey: key)
      guard value == expected else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "expected \(expected), found \(value)")
      }
    }
    try require(Self.format, .format)
    try require(Self.version, .version)
    self.init(
      contracts: try container.decode([ContractReport].self, forKey: .contracts),
      agreements: try container.decode([AgreementReport].self, forKey: .agreements),
      sweeps: try container.decode([SweepReport].self, forKey: .sweeps),
      mutants: try container.decode([KillMatrix].self, forKey: .mutants),
      // Reports of earlier releases have none.
      derived: try container.decodeIfPresent([DerivedMutantReport].self, forKey: .derived) ?? [],
      gaps: try container.decode([String].self, forKey: .gaps))
  }
}

extension UnderstudyReport {
  /// Parses a file with one JSON report, or with one report on each line as in a `ReportFile`.
  ///
  /// A line that is truncated or otherwise invalid becomes one of `gaps`, with its number.
  ///
  /// - Parameters:
  ///   - data: The content of the file.
  ///   - name: The name of the file, for errors and gaps.
  /// - Throws: `ReportError` if the file contains no report, or the reports cannot be merged.
  package init(parsing data: Data, named name: String) throws(ReportError) {
    let document = Self.decode(data)
    if case .success(let report) = document {
      self = report
      return
    }
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let decoded = lines.map { $0.isEmpty ? nil : Self.decode(Data($0)) }
    var reports: [UnderstudyReport] = []
    var gaps: [String] = []
    for (index, line) in decoded.enumerated() {
      switch line {
      case nil: continue
      case .success(let report): reports.append(report)
      case .failure(let problem):
        // Only a truncated line lacks the newline at its end.
        let reason =
          index == lines.count - 1
          ? "is truncated after \(lines[index].count) bytes" : "cannot be read: \(problem.description)"
        gaps.append("\(name), line \(index + 1) \(reason). Its results are missing here.")
      }
    }
    guard !reports.isEmpty else {
      // The lines of an indented document are not valid JSON, and a file of lines is not a valid document.
      let problems = ([document] + decoded.prefix(1).compactMap { $0 }).compactMap(\.problem)
      let problem = data.isEmpty ? .empty : problems.first { $0 != .notJSON } ?? .notJSON
      throw ReportError(
        """
        \(name) is not a report: \(problem). Pass a file that UNDERSTUDY_REPORT named, or the output of a command with \
        --format json.
        """)
    }
    do {
      self = try UnderstudyReport(merging: reports)
    } catch {
      throw ReportError("\(name): \(error)")
    }
    self.gaps += gaps
  }

  private static func decode(_ data: Data) -> Result<UnderstudyReport, JSONProblem> {
    do {
      return .success(try JSONDecoder().decode(UnderstudyReport.self, from: data))
    } catch {
      return .failure(JSONProblem(error))
    }
  }
}

extension Result where Failure == JSONProblem {
  fileprivate var problem: JSONProblem? { if case .failure(let problem) = self { problem } else { nil } }
}

/// The reason why JSON text cannot be decoded, as part of a sentence, such as `contracts[0].name is missing`.
private struct JSONProblem: Error, Equatable, CustomStringConvertible {
  static let empty = JSONProblem(description: "it is empty")
  static let notJSON = JSONProblem(description: "it is not JSON")

  let description: String

  private init(description: String) {
    self.description = description
  }

  init(_ error: any Error) {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      self.init(description: "\(Self.path(context.codingPath + [key])) is missing")
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      let place = context.codingPath.isEmpty ? "the document" : Self.path(context.codingPath)
      self.init(description: "\(place): expected \(Self.name(of: type))")
    // Foundation's description of invalid JSON text has no location.
    case DecodingError.dataCorrupted(let context)
    where context.codingPath.isEmpty && context.debugDescription.contains("not valid JSON"):
      self = .notJSON
    case DecodingError.dataCorrupted(let context):
      let place = context.codingPath.isEmpty ? "" : "\(Self.path(context.codingPath)): "
      self.init(description: place + Self.inOneLine(context.debugDescription))
    default:
      self.init(description: Self.inOneLine("\(error)"))
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is [Any].Type: "an array"
    case is [String: Any].Type: "an object"
    default: "another type"
    }
  }

  private static func inOneLine(_ sentence: String) -> String {
    let line = sentence.split(separator: "\n").joined(separator: " ")
    return line.hasSuffix(".") ? String(line.dropLast()) : line
  }
}
