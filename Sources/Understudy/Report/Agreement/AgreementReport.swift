/// What was seen of each fault at each seam, and what was to be seen.
public struct AgreementReport: Sendable, Hashable, Codable {
  /// What was tried, such as a service and its method.
  public let name: String
  /// The places where faults were put in, in order.
  public let seams: [String]
  /// The faults that were tried, in order.
  public var rows: [Row]
  /// The faults of the catalogue that were not.
  public let missing: [String]

  /// One fault.
  public struct Row: Sendable, Hashable, Codable {
    /// The fault's name in the catalogue, with its parameters.
    public let fault: String
    /// What was to be seen.
    public let expected: String
    /// What was seen, a cell for each seam.
    ///
    /// Where several runs are joined, a seam has one for each thing that was seen.
    public var cells: [Cell]

    /// A fault, and what was seen of it.
    public init(fault: String, expected: String, cells: [Cell]) {
      self.fault = fault
      self.expected = expected
      self.cells = cells
    }
  }

  /// One fault at one seam.
  public struct Cell: Sendable, Hashable, Codable {
    /// The name of the seam.
    public let seam: String
    /// How what was seen compares.
    public let verdict: Verdict
    /// What was seen, if it was not what was expected.
    public let seen: String?

    /// What was seen, in words.
    var words: String {
      switch verdict {
      case .agrees: "what was expected"
      case .impossible: "that the fault cannot happen there"
      case .differs, .flaky: seen ?? "something else"
      }
    }

    /// What was seen at a seam.
    public init(seam: String, verdict: Verdict, seen: String? = nil) {
      self.seam = seam
      self.verdict = verdict
      self.seen = seen
    }
  }

  /// How what is seen compares with what is expected.
  public enum Verdict: String, Sendable, Hashable, Codable {
    /// It is the same.
    case agrees
    /// It is something else.
    case differs
    /// It was not alike in all runs.
    case flaky
    /// The fault cannot happen there.
    case impossible

    /// Whether somebody has to look at it.
    public var isFailure: Bool { self == .differs || self == .flaky }
  }

  /// An agreement that was tried.
  public init(name: String, seams: [String], rows: [Row], missing: [String]) {
    self.name = name
    self.seams = seams
    self.rows = rows
    self.missing = missing
  }

  /// At how many seams faults were put in, counted for each fault.
  public var places: Int { count { $0 != .impossible } }

  /// At how many of them something else was seen than was expected.
  public var disagreements: Int { count(\.isFailure) }

  private func count(_ isCounted: (Verdict) -> Bool) -> Int {
    rows.reduce(0) { sum, row in sum + seams.count { row.verdict(at: $0).map(isCounted) ?? false } }
  }

  mutating func merge(_ other: AgreementReport) throws(ReportError) {
    guard seams == other.seams, missing == other.missing else {
      throw ReportError(
        "Two reports of the faults of \(name) are of different catalogues. Join reports of one version.")
    }
    for row in other.rows {
      let index = rows.firstIndex { $0.fault == row.fault } ?? rows.endIndex
      if index == rows.endIndex { rows.append(.init(fault: row.fault, expected: row.expected, cells: [])) }
      guard rows[index].expected == row.expected else {
        throw ReportError(
          """
          Of \(name) under \(row.fault), “\(rows[index].expected)” is expected in one report and “\(row.expected)” in \
          another. Join reports of one version.
          """)
      }
      for cell in row.cells where !rows[index].cells.contains(cell) { rows[index].cells.append(cell) }
    }
  }
}

extension AgreementReport.Row {
  /// How what was seen at a seam compares over all runs, or `nil` if nobody looked.
  public func verdict(at seam: String) -> AgreementReport.Verdict? {
    let verdicts = Set(cells.filter { $0.seam == seam }.map(\.verdict))
    return verdicts.count > 1 ? .flaky : verdicts.first
  }

  /// Whether something else was seen somewhere than was expected, or not the same in all runs.
  public var disagrees: Bool { cells.contains { verdict(at: $0.seam)?.isFailure == true } }
}
