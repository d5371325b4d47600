import Testing
import UnderstudyTesting

@testable import Understudy

@Suite(.stallLimit()) struct GrowingListTests {
  /// Counts around the size of a block, and one of more than two blocks.
  @Test(arguments: [0, 1, 1_023, 1_024, 1_025, 2_500])
  func everyElementIsFoundAndChangedAtItsPlace(count: Int) {
    var list = GrowingList<Int>()
    for number in 0..<count { list.append(number) }
    #expect(list.count == count)
    #expect(list.all == Array(0..<count))
    for index in 0..<count { list.update(index) { $0 += 10_000 } }
    #expect(list.all == Array(10_000..<10_000 + count))
    #expect((0..<count).allSatisfy { list[$0] == 10_000 + $0 })
  }
}
