/// An append-only list, stored in blocks of one size.
///
/// An array moves all of its elements when it grows. With a million requests in a log, each reallocation blocked a
/// server for tens of milliseconds and used twice the memory.
struct GrowingList<Element: Sendable>: Sendable {
  private static var blockSize: Int { 1_024 }

  private var full: [[Element]] = []
  /// The block that new elements are appended to.
  private var last: [Element] = []

  var count: Int { full.count * Self.blockSize + last.count }

  mutating func append(_ element: Element) {
    if last.count == Self.blockSize {
      full.append(last)
      last = []
      last.reserveCapacity(Self.blockSize)
    }
    last.append(element)
  }

  /// The element at an index, which must exist.
  subscript(index: Int) -> Element {
    let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockSize)
    return block < full.count ? full[block][place] : last[place]
  }

  /// Changes the element at an index, which must exist.
  @inline(__always) mutating func update(_ index: Int, _ change: (inout Element) -> Void) {
    let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockSize)
    if block < full.count { change(&full[block][place]) } else { change(&last[place]) }
  }

  /// Every element, in order.
  var all: [Element] { full.flatMap { $0 } + last }
}
