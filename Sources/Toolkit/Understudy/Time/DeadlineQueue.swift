/// A binary heap of deadlines, the earliest first.
///
/// Equal deadlines are ordered by their numbers.
struct DeadlineQueue: Sendable {
  struct Element: Sendable, Comparable {
    let deadline: Duration
    let id: Int

    static func < (one: Element, other: Element) -> Bool {
      one.deadline == other.deadline ? one.id < other.id : one.deadline < other.deadline
    }
  }

  private var elements: [Element] = []

  var count: Int { elements.count }
  var first: Element? { elements.first }

  mutating func insert(_ element: Element) {
    elements.append(element)
    var index = elements.count - 1
    while index > 0, elements[index] < elements[(index - 1) / 2] {
      elements.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes the earliest deadline, if any.
  mutating func removeFirst() {
    guard let last = elements.popLast(), !elements.isEmpty else { return }
    elements[0] = last
    sink(from: 0)
  }

  mutating func removeAll(where isGone: (Element) -> Bool) {
    elements.removeAll(where: isGone)
    for index in stride(from: elements.count / 2 - 1, through: 0, by: -1) { sink(from: index) }
  }

  private mutating func sink(from start: Int) {
    let sinking = elements[start]
    var index = start
    while true {
      var child = 2 * index + 1
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard child < elements.count, elements[child] < sinking else { break }
      elements[index] = elements[child]
      index = child
    }
    elements[index] = sinking
  }
}
