/// A value.
///
/// It does not know its type: the statement does.
package enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// Of `smallint`, `integer`, `bigint` and `oid`.
  case integer(Int64)
  /// Of `real` (rounded to it) and `double precision`.
  case double(Double)
  case numeric(Numeric)
  /// Of `text`, `varchar`, `bpchar`, `name`, `citext`, `inet`, and of the names of objects.
  case text(String)
  case bytes([UInt8])
  case uuid(UniqueIdentifier)
  /// Days since 2000-01-01. The least and the greatest value are `-infinity` and `infinity`.
  case date(Int32)
  /// Microseconds since midnight.
  case time(Int64)
  /// Microseconds since midnight, and seconds east of UTC.
  case timetz(Int64, offset: Int32)
  /// Of `timestamp` and `timestamptz`: microseconds since 2000-01-01 00:00, in UTC for `timestamptz`. The least and the
  /// greatest value are `-infinity` and `infinity`.
  case timestamp(Int64)
  case interval(Interval)
  /// The text as it was given.
  case json(String)
  case jsonb(JSONB)
  case array(ArrayValue)
  indirect case range(RangeValue)
  /// A label of an enumeration, with the number that orders it (`enumsortorder`).
  case label(String, order: Float)
  case record([Value])
  case tsvector(TextVector)
  case tsquery(TextQuery)

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

/// An array.
///
/// An array without elements has no dimensions (PostgreSQL documentation, 8.15).
package struct ArrayValue: Hashable, Sendable {
  package struct Dimension: Hashable, Sendable {
    package var lowerBound: Int
    package var count: Int

    package init(lowerBound: Int = 1, count: Int) {
      self.lowerBound = lowerBound
      self.count = count
    }
  }

  package var dimensions: [Dimension]
  /// In row-major order.
  package var elements: [Value]

  package init(dimensions: [Dimension], elements: [Value]) {
    self.dimensions = dimensions
    self.elements = elements
  }

  /// An array of one dimension from 1.
  package init(_ elements: [Value]) {
    self.elements = elements
    dimensions = elements.isEmpty ? [] : [Dimension(count: elements.count)]
  }
}

package struct Interval: Hashable, Sendable {
  package var months: Int32
  package var days: Int32
  package var microseconds: Int64

  package init(months: Int32 = 0, days: Int32 = 0, microseconds: Int64 = 0) {
    self.months = months
    self.days = days
    self.microseconds = microseconds
  }
}

package struct RangeValue: Hashable, Sendable {
  package struct Bound: Hashable, Sendable {
    /// Null is unbounded.
    package var value: Value
    package var isInclusive: Bool

    package init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }

  /// The bounds are meaningless in an empty range.
  package var isEmpty: Bool
  package var lower: Bound
  package var upper: Bound

  package init(isEmpty: Bool, lower: Bound, upper: Bound) {
    self.isEmpty = isEmpty
    self.lower = lower
    self.upper = upper
  }
}
