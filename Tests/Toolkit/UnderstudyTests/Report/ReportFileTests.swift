import Foundation
import Testing
import UnderstudyTesting
@testable import Understudy

@Suite(.stallLimit()) struct ReportFileTests {
  @Test func linesOfParallelWritersAreNotTorn() async throws {
    let path = NSTemporaryDirectory() + "understudy-\(UUID().uuidString).jsonl"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let contract = Contract<Int>("number") { Clause("number.one", "It is one.") { $0.expect(false, "no") } }
    let check = contract.checks(of: Implementation("one") { _ in 1 })[0]
    await withTaskGroup(of: Void.self) { group in
      for seed in 1...50 {
        group.addTask {
          let contract = ContractReport(check, await check.outcome(), seed: UInt64(seed))
          #expect(throws: Never.self) {
            try ReportFile(path: path).append(UnderstudyReport(contracts: [contract]))
          }
        }
      }
    }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    var seeds: Set<UInt64> = []
    for line in lines {
      let report = try UnderstudyReport(parsing: Data(line.utf8), named: path)
      let row = try #require(report.contracts.first?.clauses.first)
      #expect(report.gaps.isEmpty && row.id == "number.one" && row.status(on: "one") == .failed)
      seeds.formUnion(row.outcomes.map(\.seed))
    }
    #expect(seeds == Set(1...50))
    #expect(lines.count == 50)
  }

  @Test func aLineWrittenInPiecesIsComplete() throws {
    let line = Data("a line of some length\n".utf8)
    var (written, calls) = (Data(), 0)
    try ReportFile(path: "x").writeAll(line) { bytes in
      calls += 1
      if calls == 2 {
        errno = EINTR
        return -1
      }
      written.append(contentsOf: bytes.prefix(3))
      return min(3, bytes.count)
    }
    #expect(written == line)
  }

  @Test func aTruncatedLineIsReportedWithItsLength() throws {
    for (cause, reason) in [(nil, "nothing more can be written"), (ENOSPC, "No space left on device")] {
      var calls = 0
      let error = #expect(throws: ReportError.self) {
        try ReportFile(path: "x").writeAll(Data(count: 10)) { _ in
          calls += 1
          errno = cause ?? 0
          return calls == 1 ? 4 : cause == nil ? 0 : -1
        }
      }
      #expect(error?.description == "x cannot be written: \(reason), after 4 of the line's 10 bytes.")
    }
  }
}
