public import Foundation

extension Report: Codable {
  private enum CodingKeys: String, CodingKey {
    case contracts, agreements, sweeps, mutants, gaps, summary

    /// Those that say what was tried.
    static let content: [Self] = [.contracts, .agreements, .sweeps, .mutants]
  }

  /// Writes `{"contracts":[…],"agreements":[…],"sweeps":[…],"mutants":[…],"gaps":[…],"summary":{…}}`.
  ///
  /// The document of a `ConformanceReport` has some of these members, and can be read as a report too.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(contracts, forKey: .contracts)
    try container.encode(agreements, forKey: .agreements)
    try container.encode(sweeps, forKey: .sweeps)
    try container.encode(mutants, forKey: .mutants)
    try container.encode(gaps, forKey: .gaps)
    try container.encode(summary, forKey: .summary)
  }

  /// Reads a document that has any of the members `contracts`, `agreements`, `sweeps` and `mutants`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let hasContent = try CodingKeys.content.contains { key in
      try container.contains(key) && !container.decodeNil(forKey: key)
    }
    // A summary or gaps alone would be read as a run in which nothing was tried and nothing failed.
    guard hasContent else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [],
          debugDescription: "A report has one of the members contracts, agreements, sweeps and mutants."))
    }
    func list<Element: Decodable>(_ key: CodingKeys) throws -> [Element] {
      try container.decodeIfPresent([Element].self, forKey: key) ?? []
    }
    self.init(
      contracts: try list(.contracts), agreements: try list(.agreements), sweeps: try list(.sweeps),
      mutants: try list(.mutants), gaps: try list(.gaps))
  }
}

extension Report {
  /// Reads what a run left: a JSON document of a report, or lines of JSON as a ``ReportFile`` has them.
  ///
  /// A line that is torn, or cannot be read for another reason, becomes one of ``gaps``, with its number.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - name: The file's name, for errors and gaps.
  /// - Throws: ``ReportError`` if nothing in it is part of a report.
  public init(parsing data: Data, named name: String) throws(ReportError) {
    let lines = data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let hasLines = lines.contains { (try? JSONDecoder().decode(ReportLine.self, from: Data($0))) != nil }
    if hasLines {
      self = try Self.joined(lines.map { Data($0) }, of: name)
      return
    }
    do {
      self = try JSONDecoder().decode(Report.self, from: data)
    } catch {
      let reason = data.isEmpty ? "it is empty" : JSONProblem.sentence(error)
      throw ReportError(
        """
        \(name) is no report: \(reason). Give a file that UNDERSTUDY_REPORT named, or a report in the format json.
        """)
    }
  }

  private static func joined(_ lines: [Data], of name: String) throws(ReportError) -> Report {
    var report = Report()
    var sweeps = Report()
    for (index, line) in lines.enumerated() where !line.isEmpty {
      do {
        let line = try JSONDecoder().decode(ReportLine.self, from: line)
        // Joined at last, because a shard can be there twice: see ``merging(_:)``.
        if case .sweep(let sweep) = line {
          sweeps.sweeps.append(sweep)
        } else {
          try report.merge(Report(line))
        }
      } catch let error as ReportError {
        throw ReportError("\(name), line \(index + 1): \(error)")
      } catch {
        // Only a line that was broken off lacks the newline at its end.
        let isTorn = index == lines.count - 1
        let reason =
          isTorn ? "is cut off after \(line.count) bytes" : "cannot be read: \(JSONProblem.sentence(error))"
        report.gaps.append("\(name), line \(index + 1) \(reason). What it tells is missing here.")
      }
    }
    do {
      try report.merge(sweeps)
    } catch {
      throw ReportError("\(name): \(error)")
    }
    report.sort()
    return report
  }

  /// Puts what parallel test cases wrote in any order into one that does not depend on it.
  private mutating func sort() {
    contracts.sort { $0.name < $1.name }
    for section in contracts.indices {
      contracts[section].clauses.sort { ($0.fileID, $0.line, $0.id) < ($1.fileID, $1.line, $1.id) }
      for row in contracts[section].clauses.indices {
        contracts[section].clauses[row].outcomes.sort {
          ($0.implementation, $0.seed, $0.outcome.name) < ($1.implementation, $1.seed, $1.outcome.name)
        }
      }
    }
    agreements.sort { $0.name < $1.name }
    sweeps.sort { $0.scenario < $1.scenario }
    mutants.sort { $0.contract < $1.contract }
  }
}
