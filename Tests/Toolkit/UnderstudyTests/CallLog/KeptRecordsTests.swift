import Testing
import UnderstudyTesting

@testable import Understudy

@Suite(.stallLimit()) struct KeptRecordsTests {
  private func record(_ number: Int) -> CallLogCore.Record {
    CallLogCore.Record(call: CallCore(operation: .name("\(number)"), arguments: ()), outcome: .underWay)
  }

  /// Counts around the limit, and a multiple of it.
  @Test(arguments: [0, 1, 4, 5, 6, 10, 12])
  func theLastRecordsAreInOrder(count: Int) {
    var records = KeptRecords(limit: 5)
    for number in 0..<count { #expect(records.append(record(number)) == number) }
    let kept = max(0, count - 5)..<count
    #expect(records.droppedCount == kept.lowerBound)
    #expect(records.all.map(\.call.operation) == kept.map { .name("\($0)") })
    for number in 0..<count { #expect(records.count(of: .name("\(number)")) == 1) }
    #expect(records.count(of: .any) == count)
  }

  @Test func theEndOfADroppedCallChangesNoOther() {
    var records = KeptRecords(limit: 2)
    for number in 0..<3 { _ = records.append(record(number)) }
    records.end(0, .returned)
    #expect(records.all.map(\.isUnderWay) == [true, true])
    records.end(1, .returned)
    #expect(records.all.map(\.isUnderWay) == [false, true])
  }

  @Test func theNumberOfCountedOperationsIsLimited() {
    var records = KeptRecords(limit: 1)
    for _ in 0..<2 {
      for number in 0...1_001 { _ = records.append(record(number)) }
    }
    #expect(records.count(of: .any) == 2_004)
    #expect(records.count(of: .name("999")) == 2)
    #expect(records.count(of: .name("1000")) == 0)
  }

  @Test func atLeastOneRecordIsKept() {
    var records = KeptRecords(limit: 0)
    for number in 0..<2 { _ = records.append(record(number)) }
    #expect(records.all.map(\.call.operation) == [.name("1")])
  }
}
