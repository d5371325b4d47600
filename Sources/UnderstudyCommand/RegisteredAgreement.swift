public import Understudy

/// An agreement that a command line tries fault by fault and seam by seam.
public struct RegisteredAgreement: Sendable {
  struct Cell: Sendable {
    let seam: Seam
    /// What is seen if it is not what is expected; `nil` if they agree.
    let difference: @Sendable () async -> String?
  }

  struct Row: Sendable {
    let fault: Fault
    let expected: String
    let cells: [Cell]
  }

  let name: String
  let seams: [Seam]
  let rows: [Row]
  /// The faults of the catalogue that the table does not have.
  let missing: [Fault]

  /// An agreement, and the catalogue whose faults it must all have.
  public init<Observation>(_ agreement: FaultAgreement<Observation>, of catalogue: [Fault]) {
    name = agreement.name
    seams = agreement.seams
    missing = agreement.missing(from: catalogue)
    let cells = agreement.cells
    rows = agreement.rows.map { row in
      Row(
        fault: row.fault, expected: "\(row.expected)",
        cells: cells.filter { $0.fault == row.fault }.map { cell in
          Cell(seam: cell.seam) {
            do {
              let seen = try await cell.observe()
              return seen == cell.expected ? nil : "\(seen)"
            } catch {
              return "the attempt failed: \(error)"
            }
          }
        })
    }
  }
}
