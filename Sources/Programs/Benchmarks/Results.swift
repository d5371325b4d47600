import Foundation
import UnderstudyConsole
import UnderstudyText

/// The rows of a run, as they are printed and written to a file.
struct Results: Codable, Sendable {
  private(set) var version = 1
  /// Whether the run was in short form, whose sizes are others.
  let isShort: Bool
  var rows: [Row] = []

  init(isShort: Bool) {
    self.isShort = isShort
  }

  // MARK: Files

  func write(to file: String) throws(CommandError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: file))
    } catch {
      throw CommandError("Cannot write \(file): \(error.localizedDescription)")
    }
  }

  /// Reads a file.
  init(contentsOf file: String) throws(CommandError) {
    let data: Data
    do {
      data = try Data(contentsOf: URL(filePath: file))
    } catch {
      throw CommandError("Cannot read \(file): \(error.localizedDescription)")
    }
    guard let results = try? JSONDecoder().decode(Results.self, from: data), results.version == 1 else {
      throw CommandError("\(file) is not a file of benchmarks --json.")
    }
    self = results
    for (place, row) in rows.enumerated() {
      if !row.isValid { throw CommandError("\(file): \"\(row.name)\" has invalid figures.") }
      if rows[..<place].contains(where: row.hasSameSubject) {
        throw CommandError("\(file): \"\(row.name)\" occurs twice.")
      }
    }
  }

  // MARK: Tables

  /// The table of rows, as lines.
  static func table(of rows: [Row]) -> [String] {
    var table = TextTable(
      ("name", .left), ("figure", .right), ("peer", .left), ("ratio", .left), ("aim", .left), ("met", .left))
    for row in rows {
      let ratio = row.peer.map { _ in row.values.median.short + row.spread }
      table.append(
        row.name, row.figures.isEmpty ? "" : "\(row.figures.median.short) \(row.unit.rawValue)",
        row.peer.map { "\($0.figures.median.short), \($0.name)" } ?? "",
        ratio ?? "", row.aim.map { "\(row.unit.isLessBetter ? "≤" : "≥") \($0.short)" } ?? "",
        row.skipped.map { "skipped: \($0)" } ?? row.isMet.map { $0 ? "met" : "MISSED" } ?? "")
    }
    return table.lines()
  }
}

/// Two runs, row by row.
struct Comparison {
  /// A change that is smaller than this part is never reported.
  static let tolerance = 0.05
  /// The rounds of each run that are necessary to know the noise.
  static let rounds = 5

  private let pairs: [(before: Row?, after: Row?)]

  /// Compares the rows of two runs in the same form.
  init(_ before: Results, _ after: Results) throws(CommandError) {
    guard before.isShort == after.isShort else {
      throw CommandError("One of the files is of a run in short form, and its sizes are others.")
    }
    let old = before.rows.map { row in (row, after.rows.first(where: row.hasSameSubject)) }
    guard old.contains(where: { $0.1 != nil }) else { throw CommandError("The files have no row in common.") }
    let new = after.rows.filter { row in !before.rows.contains(where: row.hasSameSubject) }
    pairs = old.map { ($0, $1) } + new.map { (nil, $0) }
  }

  /// Whether a row became worse by more than the noise.
  var isWorse: Bool {
    pairs.contains { pair in
      if let before = pair.before, let after = pair.after { Self.isWorse(after, than: before) } else { false }
    }
  }

  /// Whether each round of a row is worse than each round of another one.
  ///
  /// Of two times five rounds of the same, it is so by chance once in 252 times.
  static func isWorse(_ row: Row, than other: Row) -> Bool {
    let (values, others) = (row.values, other.values)
    guard min(values.count, others.count) >= rounds else { return false }
    return abs(values.median / others.median - 1) > tolerance
      && values.allSatisfy { value in others.allSatisfy { row.unit.isWorse(value, than: $0) } }
  }

  /// The table, as lines.
  var table: [String] {
    var table = TextTable(
      ("name", .left), ("before", .left), ("after", .left), ("change", .right), ("", .left))
    for (before, after) in pairs {
      var (change, sentence) = ("", before == nil ? "only after" : "only before")
      if let before, let after {
        let (old, new) = (before.values.median, after.values.median)
        let isMeasured = !before.values.isEmpty && !after.values.isEmpty
        change = isMeasured ? "\(new < old ? "−" : "+")\((abs(new / old - 1) * 100).short) %" : ""
        sentence =
          Self.isWorse(after, than: before) ? "WORSE" : Self.isWorse(before, than: after) ? "better" : ""
      }
      let name = (before ?? after).map { "\($0.group): \($0.name)" } ?? ""
      table.append(name, before?.text ?? "", after?.text ?? "", change, sentence)
    }
    return table.lines()
  }
}

extension Row {
  /// The lowest and the highest value, if there are several.
  fileprivate var spread: String {
    guard values.count > 1, let least = values.min(), let most = values.max() else { return "" }
    return " (\(least.short)–\(most.short))"
  }

  /// The ratio, or the figure with its unit.
  fileprivate var text: String {
    if values.isEmpty { return "skipped" }
    return values.median.short + (peer == nil ? " \(unit.rawValue)" : "") + spread
  }
}

extension Double {
  /// The number with its first three digits, without an exponent.
  var short: String {
    let places = self == 0 ? 0 : Swift.min(6, Swift.max(0, 2 - Int(log10(abs(self)).rounded(.down))))
    var text = String(format: "%.\(places)f", self)
    if places > 0 {
      while text.last == "0" { text.removeLast() }
      if text.last == "." { text.removeLast() }
    }
    return text
  }
}
