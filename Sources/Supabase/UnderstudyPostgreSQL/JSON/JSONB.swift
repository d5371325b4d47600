/// A value of `jsonb` (PostgreSQL documentation, 8.14).
package indirect enum JSONB: Hashable, Sendable {
  case null
  case boolean(Bool)
  case number(Numeric)
  case string(String)
  case array([JSONB])
  /// Unique keys, in PostgreSQL's order: shorter ones first, then by bytes.
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONB

    package init(_ key: String, _ value: JSONB) {
      self.key = key
      self.value = value
    }
  }
}

extension JSONB {
  package init(parsing text: String) throws(PostgreSQLError) { self = try JSONParser.value(of: text) }

  /// An object of members in any order.
  ///
  /// Of equal keys, the last counts.
  package init(unordered members: [Member]) {
    if zip(members, members.dropFirst()).allSatisfy({ Self.precedes($0.key, $1.key) }) {
      self = .object(members)
      return
    }
    let sorted = members.enumerated().sorted { left, right in
      Self.precedes(left.element.key, right.element.key)
        || !Self.precedes(right.element.key, left.element.key) && left.offset < right.offset
    }
    var unique: [Member] = []
    for (_, member) in sorted {
      if let last = unique.last, !Self.precedes(last.key, member.key) { unique.removeLast() }
      unique.append(member)
    }
    self = .object(unique)
  }

  /// The order of keys within an object.
  static func precedes(_ left: String, _ right: String) -> Bool {
    let (left, right) = (left.utf8, right.utf8)
    return left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
  }

  /// The text as PostgreSQL writes it.
  package var text: String {
    var writer = JSONWriter()
    writer.write(self)
    return writer.text
  }

  package var isScalar: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  /// The name that `jsonb_typeof` returns.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  subscript(key: String) -> JSONB? {
    guard case .object(let members) = self else { return nil }
    var range = members.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if Self.precedes(members[middle].key, key) {
        range = middle + 1..<range.upperBound
      } else if Self.precedes(key, members[middle].key) {
        range = range.lowerBound..<middle
      } else {
        return members[middle].value
      }
    }
    return nil
  }

  /// An element of an array, from the end if the index is negative.
  subscript(index: Int) -> JSONB? {
    guard case .array(let elements) = self else { return nil }
    let place = index < 0 ? index + elements.count : index
    return elements.indices.contains(place) ? elements[place] : nil
  }
}

// MARK: Comparison

extension JSONB {
  /// The order of PostgreSQL's B-tree operators (`compareJsonbContainers`): object, array, boolean, number, string, null
  /// from the greatest to the least; but an empty array at the top is the least.
  ///
  /// - Returns: -1, 0 or 1.
  package static func compare(_ left: JSONB, _ right: JSONB, collation: Collation) -> Int {
    // A scalar at the top is stored as an array of one element.
    switch (left, right) {
    case (.array(let elements), _) where right.isScalar: return elements.isEmpty ? -1 : 1
    case (_, .array(let elements)) where left.isScalar: return elements.isEmpty ? 1 : -1
    default: return left.compare(to: right, collation: collation)
    }
  }

  private func compare(to other: JSONB, collation: Collation) -> Int {
    switch (self, other) {
    case (.boolean(let left), .boolean(let right)): return left == right ? 0 : left ? 1 : -1
    case (.number(let left), .number(let right)): return left == right ? 0 : left < right ? -1 : 1
    case (.string(let left), .string(let right)): return collation.compare(left, right)
    case (.array(let left), .array(let right)):
      if left.count != right.count { return left.count < right.count ? -1 : 1 }
      for (first, second) in zip(left, right) {
        let order = first.compare(to: second, collation: collation)
        if order != 0 { return order }
      }
      return 0
    case (.object(let left), .object(let right)):
      if left.count != right.count { return left.count < right.count ? -1 : 1 }
      for (first, second) in zip(left, right) {
        let keys = collation.compare(first.key, second.key)
        if keys != 0 { return keys }
        let order = first.value.compare(to: second.value, collation: collation)
        if order != 0 { return order }
      }
      return 0
    default: return rank == other.rank ? 0 : rank < other.rank ? -1 : 1
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .string: 1
    case .number: 2
    case .boolean: 3
    case .array: 4
    case .object: 5
    }
  }

  /// The operator `@>` (PostgreSQL documentation, 8.14.3): an array at the top contains a scalar that is its element.
  package func contains(_ other: JSONB) -> Bool {
    if case .array(let elements) = self, other.isScalar { return elements.contains(other) }
    return containsWithin(other)
  }

  private func containsWithin(_ other: JSONB) -> Bool {
    switch (self, other) {
    case (.array(let elements), .array(let wanted)):
      return wanted.allSatisfy { one in elements.contains { $0.containsWithin(one) } }
    case (.object, .object(let wanted)):
      return wanted.allSatisfy { one in self[one.key].map { $0.containsWithin(one.value) } ?? false }
    default: return self == other
    }
  }

  /// The operator `?`: whether a text is a key of the object, an element of the array, or the string itself.
  func hasKey(_ key: String) -> Bool {
    switch self {
    case .object: self[key] != nil
    case .array(let elements): elements.contains(.string(key))
    default: self == .string(key)
    }
  }
}
