/// What is measured, with a figure of each round, beside the figures of its peer in the same rounds.
///
/// The figures depend on the machine and on what else it does. Both disturb a subject and its peer alike, so the ratio
/// of a round depends on them little.
struct Row: Codable, Sendable {
  /// The unit of a figure, which also says which figures are better.
  enum Unit: String, Codable, Sendable {
    case nanoseconds = "ns"
    case microseconds = "µs"
    case milliseconds = "ms"
    case seconds = "s"
    case megabytes = "MB"
    case perSecond = "/s"
    case megabytesPerSecond = "MB/s"

    /// Whether a lower figure is better.
    var isLessBetter: Bool {
      switch self {
      case .nanoseconds, .microseconds, .milliseconds, .seconds, .megabytes: true
      case .perSecond, .megabytesPerSecond: false
      }
    }

    /// Whether a figure is worse than another one.
    func isWorse(_ figure: Double, than other: Double) -> Bool {
      isLessBetter ? figure > other : figure < other
    }
  }

  /// What the subject is compared with.
  struct Peer: Codable, Sendable {
    let name: String
    var figures: [Double]
  }

  /// The benchmark's name.
  fileprivate(set) var group = ""
  let name: String
  let unit: Unit
  private(set) var figures: [Double]
  private(set) var peer: Peer?
  /// The limit of the ratio, or of the figure if there is no peer: the highest or, if more is better, the lowest one.
  let aim: Double?
  /// What the row has reached while it misses its aim, which must not get lost.
  let reached: Double?
  /// Why there is no figure, or none of the peer.
  let skipped: String?

  /// Creates a row of one round.
  init(
    _ name: String, _ figure: Double, _ unit: Unit, beside peer: (name: String, figure: Double)? = nil,
    aim: Double? = nil, reached: Double? = nil
  ) {
    self.name = name
    self.unit = unit
    figures = [figure]
    self.peer = peer.map { Peer(name: $0.name, figures: [$0.figure]) }
    self.aim = aim
    self.reached = reached
    skipped = nil
  }

  /// Creates a row of one round beside a peer that may be missing.
  init(
    _ name: String, _ figure: Double, _ unit: Unit, beside peer: String, _ other: Result<Double, Missing>,
    aim: Double? = nil, reached: Double? = nil
  ) {
    switch other {
    case .success(let other): self.init(name, figure, unit, beside: (peer, other), aim: aim, reached: reached)
    case .failure(let missing): self.init(name, figure, unit, skipped: missing)
    }
  }

  /// Creates a row that could not be measured, or only without its peer.
  init(_ name: String, _ figure: Double? = nil, _ unit: Unit = .seconds, skipped: Missing) {
    self.name = name
    self.unit = unit
    figures = figure.map { [$0] } ?? []
    (peer, aim, reached, self.skipped) = (nil, nil, nil, skipped.description)
  }

  /// The ratio of each round, or the figure if there is no peer.
  var values: [Double] {
    guard let peer else { return figures }
    return zip(figures, peer.figures).map { $0 / $1 }
  }

  /// Whether the median is within the aim; `nil` without an aim.
  var isMet: Bool? {
    aim.map { !unit.isWorse(values.median, than: $0) }
  }

  /// The ratio that is half as good as the aim, or as what was reached; `nil` without a peer.
  ///
  /// A figure without a peer says too much about the machine to be judged.
  var limit: Double? {
    guard let least = reached ?? aim, peer != nil else { return nil }
    return unit.isLessBetter ? least * 1.5 : least / 2
  }

  /// Whether the ratio is beyond its limit.
  var isFarOff: Bool {
    limit.map { unit.isWorse(values.median, than: $0) } ?? false
  }

  /// Whether there is a figure for each round, and one of the peer, none of which makes a ratio meaningless.
  var isValid: Bool {
    let all = figures + (peer?.figures ?? [])
    return (!figures.isEmpty || skipped != nil) && all.allSatisfy { $0 > 0 && $0.isFinite }
      && peer.map { $0.figures.count == figures.count } != false
  }
}

extension [Row] {
  /// Adds the figures of another round.
  mutating func add(_ round: [Row], of benchmark: String) {
    for var row in round {
      row.group = benchmark
      if let place = firstIndex(where: { $0.hasSameSubject(as: row) }) {
        self[place].append(row)
      } else {
        append(row)
      }
    }
  }
}

extension Row {
  /// Whether the figures of two rows measure the same.
  func hasSameSubject(as other: Row) -> Bool {
    (group, name, unit, peer?.name) == (other.group, other.name, other.unit, other.peer?.name)
  }

  fileprivate mutating func append(_ round: Row) {
    figures += round.figures
    peer?.figures += round.peer?.figures ?? []
  }
}

extension [Double] {
  /// The middle one, or the mean of the two in the middle; 0 if empty.
  var median: Double {
    if isEmpty { return 0 }
    let sorted = sorted()
    return (sorted[count / 2] + sorted[(count - 1) / 2]) / 2
  }
}

/// The error for a program that a benchmark needs and that is not installed.
struct Missing: Error, CustomStringConvertible {
  let description: String

  /// - Parameter advice: The command that installs the program.
  init(_ program: String, _ advice: String) {
    description = "\(program) not found; install it with: \(advice)"
  }
}

/// The result of a closure unless a program is missing.
func ifInstalled<Success>(_ body: () async throws -> Success) async throws -> Result<Success, Missing> {
  do { return .success(try await body()) } catch let missing as Missing { return .failure(missing) }
}
