/// Finds the rows of a table by the values of some of its columns.
///
/// Like ``Heap``, a copy shares what does not change: the entries are spread over small dictionaries.
package struct KeyIndex: Sendable {
  private var buckets: [[Row: Places]]
  private var count = 0

  /// The places of one key.
  ///
  /// Almost every key has one place.
  private enum Places: Sendable {
    case one(Heap.Place)
    case several([Heap.Place])
  }

  package init() {
    buckets = Array(repeating: [:], count: 8)
  }

  private func bucket(of key: Row) -> Int { Int(UInt(bitPattern: key.hashValue) % UInt(buckets.count)) }

  /// The places in their order.
  package func places(of key: Row) -> [Heap.Place] {
    switch buckets[bucket(of: key)][key] {
    case .one(let place): [place]
    case .several(let places): places
    case nil: []
    }
  }

  package mutating func insert(_ key: Row, at place: Heap.Place) {
    if count > buckets.count * 64 { grow() }
    let index = bucket(of: key)
    switch buckets[index][key] {
    case nil: buckets[index][key] = .one(place)
    case .one(let other): buckets[index][key] = .several([other, place])
    case .several(var places):
      buckets[index][key] = .one(place)
      places.append(place)
      buckets[index][key] = .several(places)
    }
    count += 1
  }

  package mutating func remove(_ key: Row, at place: Heap.Place) {
    let index = bucket(of: key)
    switch buckets[index][key] {
    case .one(place): buckets[index][key] = nil
    case .several(var places):
      buckets[index][key] = nil
      // Places are in ascending order.
      if let found = places.firstIndex(of: place) { places.remove(at: found) }
      if places.count == 1 {
        buckets[index][key] = .one(places[0])
      } else {
        buckets[index][key] = .several(places)
      }
    default: preconditionFailure("Only what is in an index is removed from it.")
    }
    count -= 1
  }

  private mutating func grow() {
    let old = buckets
    buckets = Array(repeating: [:], count: old.count * 4)
    for entries in old {
      for (key, places) in entries { buckets[bucket(of: key)][key] = places }
    }
  }
}
