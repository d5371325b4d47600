/// Changes at a path (PostgreSQL documentation, 9.16 and 8.14.5).
extension JSONB {
  /// What happens at the end of a path.
  enum Change {
    /// `jsonb_set`, which may create the last element.
    case set(JSONB, creates: Bool)
    case insert(JSONB, isAfter: Bool)
    /// An assignment to a subscript, which creates what is missing on the way and fills gaps with null.
    case assign(JSONB)
    case delete
  }

  /// An element by a subscript or by `->`: a key of an object, or an index of an array in decimal.
  package func element(_ key: String) -> JSONB? {
    switch self {
    case .object: self[key]
    case .array: Self.index(key).flatMap { self[$0] }
    default: nil
    }
  }

  /// The value after an assignment `x['a'][1] = new`.
  ///
  /// - Parameter value: Nil if the column is null: it becomes an object, or an array if the first subscript is a number.
  package static func setting(
    _ new: JSONB, at path: [String], in value: JSONB?, isFirstNumber: Bool
  ) throws(PostgreSQLError) -> JSONB {
    try (value ?? (isFirstNumber ? .array([]) : .object([]))).changed(
      at: path.map(Optional.some)[...], .assign(new), level: 1)
  }

  /// The value after a change.
  ///
  /// A null element of the path is refused when it is reached.
  func changed(at path: [String?], _ change: Change) throws(PostgreSQLError) -> JSONB {
    // PostgreSQL does not look at the path if it has nothing to change.
    if self == .array([]), try Self.missing([], change) == nil { return self }
    return try changed(at: path[...], change, level: 1)
  }

  private func changed(
    at path: ArraySlice<String?>, _ change: Change, level: Int
  ) throws(PostgreSQLError) -> JSONB {
    guard let step = path.first else { return self }
    guard let key = step else {
      throw PostgreSQLError("22004", "path element at position \(level) is null")
    }
    let isLast = path.count == 1
    switch self {
    case .object(var members):
      guard let place = members.firstIndex(where: { $0.key.utf8.elementsEqual(key.utf8) }) else {
        guard let new = try Self.missing(path.dropFirst(), change) else { return self }
        return JSONB(unordered: members + [Member(key, new)])
      }
      if !isLast {
        members[place].value = try members[place].value.changed(
          at: path.dropFirst(), change, level: level + 1)
        return .object(members)
      }
      switch change {
      case .set(let new, _), .assign(let new): members[place].value = new
      case .delete: members.remove(at: place)
      case .insert:
        throw PostgreSQLError(
          "22023", "cannot replace existing key",
          hint: "Try using the function jsonb_set to replace key value.")
      }
      return .object(members)
    case .array(let elements):
      guard let index = Self.index(key) else {
        throw PostgreSQLError(
          "22P02", "path element at position \(level) is not an integer: \"\(key)\"")
      }
      return try Self.changed(elements, at: index, path, change, level: level)
    default:
      // Only an assignment must not pass over a scalar; the functions leave it unchanged.
      if case .assign = change {
        throw PostgreSQLError(
          "22023", "cannot replace existing key",
          detail: "The path assumes key is a composite object, but it is a scalar value.")
      }
      return self
    }
  }

  private static func changed(
    _ elements: [JSONB], at index: Int, _ path: ArraySlice<String?>, _ change: Change, level: Int
  ) throws(PostgreSQLError) -> JSONB {
    var elements = elements
    var place = index < 0 ? index + elements.count : index
    if place < 0 {
      if case .assign = change {
        throw PostgreSQLError(
          "22023", "path element at position \(level) is out of range: \(index)")
      }
      guard let new = try missing(path.dropFirst(), change) else { return .array(elements) }
      return .array([new] + elements)
    }
    if place >= elements.count {
      guard let new = try missing(path.dropFirst(), change) else { return .array(elements) }
      if case .assign = change {
        elements += Array(repeating: .null, count: try gap(place - elements.count))
      }
      return .array(elements + [new])
    }
    if path.count > 1 {
      elements[place] = try elements[place].changed(at: path.dropFirst(), change, level: level + 1)
      return .array(elements)
    }
    switch change {
    case .set(let new, _), .assign(let new): elements[place] = new
    case .delete: elements.remove(at: place)
    case .insert(let new, let isAfter):
      if isAfter { place += 1 }
      elements.insert(new, at: place)
    }
    return .array(elements)
  }

  /// The number of nulls to fill in, limited as in PostgreSQL, whose arrays have at most 2²⁸ elements; less here.
  private static func gap(_ count: Int) throws(PostgreSQLError) -> Int {
    guard count <= 10_000_000 else {
      throw PostgreSQLError("54000", "number of jsonb array elements exceeds the maximum allowed (10000000)")
    }
    return count
  }

  /// What is created for a key that is missing; nil if nothing is.
  private static func missing(_ rest: ArraySlice<String?>, _ change: Change) throws(PostgreSQLError) -> JSONB?
  {
    switch change {
    case .delete: return nil
    case .set(let new, let creates): return creates && rest.isEmpty ? new : nil
    case .insert(let new, _): return rest.isEmpty ? new : nil
    case .assign(let new):
      guard let key = rest.first.flatMap(\.self), let inner = try missing(rest.dropFirst(), change)
      else { return new }
      guard let index = index(key) else { return .object([Member(key, inner)]) }
      return .array(Array(repeating: .null, count: try gap(max(0, index))) + [inner])
    }
  }

  /// An index of an array: an `integer` in decimal, with spaces before it as C's `strtoint` has them.
  static func index(_ text: String) -> Int? {
    guard let number = Int(text.drop { $0 == " " || $0 == "\t" || $0 == "\n" }) else { return nil }
    return Int32(exactly: number).map(Int.init)
  }

  // MARK: Whole values

  /// The operator `||`: members of both objects, or elements of both arrays; anything else counts as an element.
  func concatenated(with other: JSONB) -> JSONB {
    switch (self, other) {
    case (.object(let left), .object(let right)): JSONB(unordered: left + right)
    case (.array(let left), .array(let right)): .array(left + right)
    case (.array(let left), _): .array(left + [other])
    case (_, .array(let right)): .array([self] + right)
    default: .array([self, other])
    }
  }

  /// The operator `-` of keys.
  func removing(_ keys: [String]) throws(PostgreSQLError) -> JSONB {
    switch self {
    case .object(let members):
      return .object(members.filter { member in !keys.contains { $0.utf8.elementsEqual(member.key.utf8) } })
    case .array(let elements):
      return .array(
        elements.filter { if case .string(let text) = $0 { !keys.contains(text) } else { true } })
    default: throw PostgreSQLError("22023", "cannot delete from scalar")
    }
  }

  /// The operator `-` of an index.
  func removing(at index: Int) throws(PostgreSQLError) -> JSONB {
    switch self {
    case .object:
      throw PostgreSQLError("22023", "cannot delete from object using integer index")
    case .array(var elements):
      let place = index < 0 ? index + elements.count : index
      if elements.indices.contains(place) { elements.remove(at: place) }
      return .array(elements)
    default: throw PostgreSQLError("22023", "cannot delete from scalar")
    }
  }

  /// The value without members that are null, at every depth.
  var withoutNulls: JSONB {
    switch self {
    case .object(let members):
      .object(members.filter { $0.value != .null }.map { Member($0.key, $0.value.withoutNulls) })
    case .array(let elements): .array(elements.map(\.withoutNulls))
    default: self
    }
  }
}
