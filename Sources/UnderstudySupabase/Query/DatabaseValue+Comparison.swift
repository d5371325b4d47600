/// True if one is, else unknown if one is, else false.
func anyTrue(_ values: some Sequence<Bool?>) -> Bool? {
  var result: Bool? = false
  for value in values {
    if value == true { return true }
    if value == nil { result = nil }
  }
  return result
}

extension DatabaseValue {
  /// Whether this compares so with another of the same type; `nil` where SQL says that it is unknown.
  func compared(_ comparison: Filter.Comparison, with other: DatabaseValue) -> Bool? {
    guard let order = order(comparedTo: other) else {
      return comparison == .distinct ? isNull != other.isNull : nil
    }
    return switch comparison {
    case .equal: order == .same
    case .notEqual, .distinct: order != .same
    case .less: order == .before
    case .lessOrEqual: order != .after
    case .greater: order == .after
    case .greaterOrEqual: order != .before
    }
  }

  /// Whether `IS` is true of it.
  func isIn(_ state: Filter.State) -> Bool {
    switch state {
    case .null, .unknown: isNull
    case .notNull: !isNull
    case .true: self == .boolean(true)
    case .false: self == .boolean(false)
    }
  }
}

extension Filter.Containment {
  /// Whether two arrays compare so; `NULL` equals no element, not even `NULL`, and texts are told apart by their bytes.
  func holds(_ elements: [String?], _ others: [String?]) -> Bool {
    let own = Set(elements.compactMap { $0.map { Array($0.utf8) } })
    let given = Set(others.compactMap { $0.map { Array($0.utf8) } })
    return switch self {
    case .contains: !others.contains(nil) && given.isSubset(of: own)
    case .containedBy: !elements.contains(nil) && own.isSubset(of: given)
    case .overlaps: !own.isDisjoint(with: given)
    }
  }
}
