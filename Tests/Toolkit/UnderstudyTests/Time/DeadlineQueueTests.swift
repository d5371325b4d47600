import Testing
import UnderstudyTesting
@testable import Understudy

/// The order in which sleepers are resumed, which tasks on several threads cannot show.
@Suite(.stallLimit()) struct DeadlineQueueTests {
  typealias Element = DeadlineQueue.Element

  static func drained(_ queue: DeadlineQueue) -> [Element] {
    var (queue, elements) = (queue, [Element]())
    while let first = queue.first {
      elements.append(first)
      queue.removeFirst()
    }
    return elements
  }

  @Test(arguments: [0, 1, 2, 3, 10, 1000])
  func theEarliestIsFirstAndEqualOnesKeepTheirOrder(_ count: Int) {
    var generator = SeededGenerator(seed: 3)
    // Few deadlines for many sleepers, so that most are equal to others.
    let elements = (0..<count).map { id in
      Element(deadline: .seconds(Int.random(in: 0...count / 4, using: &generator)), id: id)
    }
    var queue = DeadlineQueue()
    for element in elements { queue.insert(element) }
    let expected = elements.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    #expect(Self.drained(queue) == expected)

    queue.removeAll { $0.id.isMultiple(of: 3) }
    #expect(Self.drained(queue) == expected.filter { !$0.id.isMultiple(of: 3) })
    queue.insert(Element(deadline: .seconds(-1), id: count))
    #expect(queue.first?.id == count)
  }
}
