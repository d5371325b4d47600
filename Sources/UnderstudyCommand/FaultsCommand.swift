import UnderstudyDoubles

/// `faults`: puts every fault in at every seam, and prints what is seen of it.
struct FaultsCommand {
  let tool: CommandLineTool

  private struct Options {
    var calls: [String] = []
    var format = "table"
  }

  /// What was seen of one fault.
  private struct Line: Encodable {
    let call: String
    let fault: String
    let expected: String
    /// By the names of the seams: "agrees", "cannot happen there", or what was seen.
    var seen: [String: String] = [:]
    var disagrees = false
  }

  private static let agrees = "agrees"
  private static let impossible = "cannot happen there"

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    guard let options = try parse(words) else {
      try console.write(usage)
      return 0
    }
    let chosen = tool.agreements.filter { options.calls.isEmpty || options.calls.contains($0.name) }
    var lines: [Line] = []
    for agreement in chosen {
      var ofAgreement: [Line] = []
      for row in agreement.rows {
        ofAgreement.append(await line(agreement, row, console))
      }
      if options.format == "table" {
        console.showProgress("")
        try console.write(table(agreement, ofAgreement))
      }
      lines += ofAgreement
    }
    console.showProgress("")
    if options.format == "json" { try console.write(json: lines) }
    let holes = chosen.flatMap { agreement in agreement.missing.map { "\(agreement.name): \($0)" } }
    for hole in holes { console.writeError("\(tool.name): no row for a fault of the catalogue: \(hole)") }
    let differing = lines.count(where: \.disagrees)
    if options.format == "table" {
      let cells = lines.reduce(0) { $0 + $1.seen.values.count { $0 != Self.impossible } }
      try console.write("\(lines.count) faults in \(cells) places; \(differing) not as expected.")
    }
    return differing == 0 && holes.isEmpty ? 0 : 1
  }

  private func line(
    _ agreement: RegisteredAgreement, _ row: RegisteredAgreement.Row, _ console: Console
  ) async -> Line {
    var line = Line(call: agreement.name, fault: row.fault.description, expected: row.expected)
    for seam in agreement.seams {
      guard let cell = row.cells.first(where: { $0.seam == seam }) else {
        line.seen["\(seam)"] = Self.impossible
        continue
      }
      console.showProgress("\(agreement.name), \(row.fault), \(seam)")
      let difference = await cell.difference()
      line.seen["\(seam)"] = difference ?? Self.agrees
      line.disagrees = line.disagrees || difference != nil
    }
    return line
  }

  private func table(_ agreement: RegisteredAgreement, _ lines: [Line]) -> String {
    let faultWidth = max(5, lines.map(\.fault.count).max() ?? 0)
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    let seams = agreement.seams.map { "\($0)" }
    var rows = [
      agreement.name,
      ("  " + padded("fault", faultWidth) + "  " + seams.joined(separator: "  ") + "  expected"),
    ]
    for line in lines {
      let marks = seams.map { seam -> String in
        let mark =
          switch line.seen[seam] {
          case Self.agrees: "✓"
          case Self.impossible: "·"
          default: "✗"
          }
        return padded(mark, seam.count)
      }
      rows.append(
        "  " + padded(line.fault, faultWidth) + "  " + marks.joined(separator: "  ") + "  " + line.expected)
      for seam in seams {
        guard let seen = line.seen[seam], seen != Self.agrees, seen != Self.impossible else { continue }
        rows.append("      \(seam): \(seen)")
      }
    }
    return rows.joined(separator: "\n") + "\n"
  }

  private func parse(_ words: [String]) throws(CommandError) -> Options? {
    var options = Options()
    var reader = OptionReader(words, of: "\(tool.name) faults")
    while let option = reader.next() {
      switch option {
      case "--help", "-h": return nil
      case "--call": options.calls.append(try reader.value(among: tool.agreements.map(\.name), "call"))
      case "--format": options.format = try reader.value(among: ["table", "json"], "format")
      default: throw reader.unknownOption
      }
    }
    return options
  }

  private var usage: String {
    """
    usage: \(tool.name) faults [--call <name>] … [--format table|json]

    Puts every fault of the catalogue in at every seam, and shows whether the same is seen of it: when a double of the
    service throws it, when the transport or the backend injects it, and when it happens on a socket.

      --call <name>         Only this call; can be given several times.
                            \(tool.agreements.map(\.name).joined(separator: ", "))
      --format table|json   How the matrix is printed; a table unless said otherwise.
      --help                This text.

    In the table, ✓ is what is expected, ✗ something else, · a place where the fault cannot happen. What only the platform
    can do takes real time: its time-outs are a second each.
    Exit status: 0 when all agree, 1 when something differs or a fault has no row, 2 when the arguments cannot be
    understood or the matrix cannot be written.
    """
  }
}
