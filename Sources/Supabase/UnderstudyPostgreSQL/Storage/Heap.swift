/// A row: the values of a table's columns, in their order.
package typealias Row = [Value]

/// The rows of a table in the order in which they were written.
///
/// A copy shares its pages with the original, so a snapshot costs nothing, and the first change after it copies one
/// page and the list of pages.
package struct Heap: Sendable {
  /// The place of a row.
  ///
  /// Later rows have greater ones. An updated row gets a new one, as in PostgreSQL, where it moves to the end of an
  /// unsorted list.
  package typealias Place = Int

  private static let pageSize = 64

  private struct Page: Sendable {
    /// The place of its first row, divided by the size of a page.
    let number: Int
    var rows: [Row?]
    var live: Int
  }

  /// The pages that have rows, in order.
  ///
  /// A page whose rows were all removed is dropped, so that a table whose rows are replaced for hours stays small.
  private var pages: [Page] = []
  private var end: Place = 0
  package private(set) var count = 0

  package init() {}

  /// The index of the page with a number, if it has rows.
  private func index(ofPage number: Int) -> Int? {
    guard let first = pages.first, let last = pages.last, number >= first.number, number <= last.number else {
      return nil
    }
    // Without gaps the index is known.
    let direct = number - first.number
    if direct < pages.count, pages[direct].number == number { return direct }
    var range = 0..<min(pages.count, direct + 1)
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if pages[middle].number == number { return middle }
      range =
        pages[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return nil
  }

  package subscript(place: Place) -> Row? {
    guard place >= 0, place < end, let index = index(ofPage: place / Self.pageSize) else { return nil }
    return pages[index].rows[place % Self.pageSize]
  }

  package mutating func append(_ row: Row) -> Place {
    let place = end
    let number = place / Self.pageSize
    if pages.last?.number != number {
      pages.append(
        Page(number: number, rows: Array(repeating: nil, count: place % Self.pageSize), live: 0))
    }
    pages[pages.count - 1].rows.append(row)
    pages[pages.count - 1].live += 1
    end += 1
    count += 1
    return place
  }

  /// Writes a row in the place of another one, for changes that are not updates: a new column's value, for example.
  package mutating func replace(_ place: Place, with row: Row) {
    guard self[place] != nil, let index = index(ofPage: place / Self.pageSize) else {
      preconditionFailure("A row can only be written in the place of a row.")
    }
    pages[index].rows[place % Self.pageSize] = row
  }

  package mutating func remove(_ place: Place) {
    guard self[place] != nil, let index = index(ofPage: place / Self.pageSize) else {
      preconditionFailure("A row is removed once.")
    }
    count -= 1
    if pages[index].live > 1 {
      pages[index].rows[place % Self.pageSize] = nil
      pages[index].live -= 1
    } else {
      pages.remove(at: index)
    }
  }

  /// Passes each row in order until `body` returns false.
  ///
  /// - Returns: Whether `body` never returned false.
  @discardableResult package func forEach(
    _ body: (Place, Row) throws(PostgreSQLError) -> Bool
  ) throws(PostgreSQLError) -> Bool {
    for page in pages {
      for (offset, row) in page.rows.enumerated() {
        guard let row else { continue }
        guard try body(page.number * Self.pageSize + offset, row) else { return false }
      }
    }
    return true
  }

  package var places: [Place] {
    var places: [Place] = []
    places.reserveCapacity(count)
    for page in pages {
      for (offset, row) in page.rows.enumerated() where row != nil {
        places.append(page.number * Self.pageSize + offset)
      }
    }
    return places
  }

  /// How many rows the pages have room for, with those that were removed.
  package var capacity: Int { pages.count * Self.pageSize }
}
