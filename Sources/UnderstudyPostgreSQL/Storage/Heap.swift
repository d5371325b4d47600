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
    var rows: [Row?]
    var live: Int
  }

  private var pages: [Page?] = []
  private var end: Place = 0
  package private(set) var count = 0

  package init() {}

  package subscript(place: Place) -> Row? {
    guard place >= 0, place < end, let page = pages[place / Self.pageSize] else { return nil }
    return page.rows[place % Self.pageSize]
  }

  package mutating func append(_ row: Row) -> Place {
    let place = end
    if place % Self.pageSize == 0 { pages.append(Page(rows: [], live: 0)) }
    let index = pages.count - 1
    // A page whose rows were all removed is nil, also if it is the last one and has free places.
    if pages[index] == nil {
      pages[index] = Page(rows: Array(repeating: nil, count: place % Self.pageSize), live: 0)
    }
    pages[index]?.rows.append(row)
    pages[index]?.live += 1
    end += 1
    count += 1
    return place
  }

  /// Writes a row in the place of another one, for changes that are not updates: a new column's value, for example.
  package mutating func replace(_ place: Place, with row: Row) {
    precondition(self[place] != nil, "A row can only be written in the place of a row.")
    pages[place / Self.pageSize]?.rows[place % Self.pageSize] = row
  }

  package mutating func remove(_ place: Place) {
    precondition(self[place] != nil, "A row is removed once.")
    let index = place / Self.pageSize
    count -= 1
    if let live = pages[index]?.live, live > 1 {
      pages[index]?.rows[place % Self.pageSize] = nil
      pages[index]?.live = live - 1
    } else {
      pages[index] = nil
    }
  }

  /// Passes each row in order until `body` returns false.
  ///
  /// - Returns: Whether `body` never returned false.
  @discardableResult package func forEach(
    _ body: (Place, Row) throws(PostgreSQLError) -> Bool
  ) throws(PostgreSQLError) -> Bool {
    for (index, page) in pages.enumerated() {
      guard let page else { continue }
      for (offset, row) in page.rows.enumerated() {
        guard let row else { continue }
        guard try body(index * Self.pageSize + offset, row) else { return false }
      }
    }
    return true
  }

  package var places: [Place] {
    var places: [Place] = []
    places.reserveCapacity(count)
    for (index, page) in pages.enumerated() {
      guard let page else { continue }
      for (offset, row) in page.rows.enumerated() where row != nil {
        places.append(index * Self.pageSize + offset)
      }
    }
    return places
  }
}
