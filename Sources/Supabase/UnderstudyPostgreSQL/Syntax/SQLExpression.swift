/// A value as SQL writes it: the tree of a value expression (PostgreSQL documentation, 4.2).
///
/// Forms that PostgreSQL's own parser turns into calls are calls here too: `extract(year from x)` is
/// `extract('year', x)`, `x AT TIME ZONE z` is `timezone(z, x)`, `trim(both 'x' from y)` is `btrim(y, 'x')`,
/// `position(a in b)` is `position(b, a)`, `current_timestamp` and `current_user` are calls without arguments.
/// `coalesce`, `nullif`, `greatest` and `least` are calls with an unqualified name.
package indirect enum SQLExpression: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number as written, without a sign: `12`, `1.50`, `1e3`.
  case number(String)
  /// A string, whose type its context decides.
  case string(String)
  /// `$1` is 1.
  case parameter(Int)
  /// A column, a qualified column, or a variable of a procedure: `name`, `table.name`, `schema.table.name`.
  case name([String])
  /// `*` or `table.*`, with the names before the star.
  case wildcard([String])
  /// A prefix operator: `-`, `+`, `~`, `@`, `!!` and so on.
  case prefix(String, SQLExpression)
  /// An infix operator without a form of its own. `LIKE` is `~~`, `ILIKE` is `~~*`, and with `NOT` they begin with `!`.
  /// A pattern with `ESCAPE` is a call of `like_escape`. `IS [NOT] DISTINCT FROM` has a case of its own.
  case infix(String, SQLExpression, SQLExpression)
  case and([SQLExpression])
  case or([SQLExpression])
  case not(SQLExpression)
  case isTest(SQLExpression, IsTest, negated: Bool)
  case isDistinct(SQLExpression, SQLExpression, negated: Bool)
  case between(SQLExpression, SQLExpression, SQLExpression, symmetric: Bool, negated: Bool)
  case inList(SQLExpression, [SQLExpression], negated: Bool)
  case inQuery(SQLExpression, Query, negated: Bool)
  /// `x = ANY (…)`, `x <> ALL (…)`.
  case quantified(SQLExpression, operator: String, Quantifier, QuantifiedOperand)
  case exists(Query)
  /// A query in parentheses, of one column and at most one row.
  case subquery(Query)
  /// `ARRAY[…]`. An inner array of an array is an `array` too.
  case array([SQLExpression])
  /// `ARRAY(SELECT …)`.
  case arrayQuery(Query)
  /// `ROW(…)` or `(a, b)`.
  case row([SQLExpression])
  case cast(SQLExpression, TypeName)
  case call(Call)
  case conditional(Conditional)
  /// `x[1]`, or `x[1:2]` if it is a slice.
  case element(SQLExpression, Subscript)
  /// `(x).name`.
  case field(SQLExpression, String)
  case collate(SQLExpression, QualifiedName)
  /// `DEFAULT` as a value of `INSERT` or `UPDATE`.
  case defaultValue
}

package enum IsTest: String, Hashable, Sendable {
  case null, `true`, `false`, unknown
}

package enum Quantifier: String, Hashable, Sendable {
  case any, all
}

package enum QuantifiedOperand: Hashable, Sendable {
  case array(SQLExpression)
  case query(Query)
}

/// `lower` is the index of a single element.
package struct Subscript: Hashable, Sendable {
  package var lower: SQLExpression?
  package var upper: SQLExpression?
  package var isSlice: Bool

  package init(lower: SQLExpression?, upper: SQLExpression? = nil, isSlice: Bool = false) {
    self.lower = lower
    self.upper = upper
    self.isSlice = isSlice
  }
}

/// A name with an optional schema.
///
/// Names have the case in which PostgreSQL stores them.
package struct QualifiedName: Hashable, Sendable {
  package var schema: String?
  package var name: String

  package init(schema: String? = nil, _ name: String) {
    self.schema = schema
    self.name = name
  }
}

/// A type as written: `numeric(10, 2)[]`, `timestamp with time zone`, `public.mood`.
///
/// `name` is PostgreSQL's own name for the types of the standard: `int4`, `int8`, `int2`, `float4`, `float8`, `bool`,
/// `varchar`, `bpchar` (for `char`), `timestamp`, `timestamptz`, `time`, `timetz`, `numeric`, `interval`, `text`.
package struct TypeName: Hashable, Sendable {
  package var name: QualifiedName
  /// `(10, 2)`; the precision of a time; empty if none is given.
  package var modifiers: [Int]
  package var arrayDimensions: Int
  /// `SETOF`, only of a result.
  package var isSet: Bool
  /// `table.column%TYPE`, only in procedures and results: `name` is then the table.
  ///
  /// Of `variable%TYPE`, `name` is the variable, and the column is empty.
  package var columnOfType: String?
  /// `table%ROWTYPE`.
  package var isRowType: Bool
  /// `DAY TO SECOND` of an interval.
  package var intervalFields: IntervalFields?

  package init(
    _ name: QualifiedName, modifiers: [Int] = [], arrayDimensions: Int = 0, isSet: Bool = false,
    columnOfType: String? = nil, isRowType: Bool = false, intervalFields: IntervalFields? = nil
  ) {
    self.name = name
    self.modifiers = modifiers
    self.arrayDimensions = arrayDimensions
    self.isSet = isSet
    self.columnOfType = columnOfType
    self.isRowType = isRowType
    self.intervalFields = intervalFields
  }
}

/// The fields to which a type of interval is restricted (PostgreSQL documentation, 8.5.4).
package enum IntervalFields: String, CaseIterable, Hashable, Sendable {
  case year, month, day, hour, minute, second
  case yearToMonth = "year to month"
  case dayToHour = "day to hour"
  case dayToMinute = "day to minute"
  case dayToSecond = "day to second"
  case hourToMinute = "hour to minute"
  case hourToSecond = "hour to second"
  case minuteToSecond = "minute to second"
}

/// A call of a function, of an aggregate, or of a window function.
package struct Call: Hashable, Sendable {
  package var name: QualifiedName
  package var arguments: [Argument]
  /// `count(*)`.
  package var isStar: Bool
  package var isDistinct: Bool
  /// The order within an aggregate.
  package var order: [SortKey]
  /// `WITHIN GROUP (ORDER BY …)`.
  package var withinGroup: [SortKey]
  package var filter: SQLExpression?
  package var over: WindowReference?

  package struct Argument: Hashable, Sendable {
    /// `name => value`.
    package var name: String?
    package var value: SQLExpression
    package var isVariadic: Bool

    package init(_ value: SQLExpression, name: String? = nil, isVariadic: Bool = false) {
      self.value = value
      self.name = name
      self.isVariadic = isVariadic
    }
  }

  package init(
    _ name: QualifiedName, _ arguments: [Argument] = [], isStar: Bool = false, isDistinct: Bool = false,
    order: [SortKey] = [], withinGroup: [SortKey] = [], filter: SQLExpression? = nil,
    over: WindowReference? = nil
  ) {
    self.name = name
    self.arguments = arguments
    self.isStar = isStar
    self.isDistinct = isDistinct
    self.order = order
    self.withinGroup = withinGroup
    self.filter = filter
    self.over = over
  }
}

package enum WindowReference: Hashable, Sendable {
  case named(String)
  case window(Window)
}

package struct Window: Hashable, Sendable {
  /// The window whose partition and order this one extends.
  package var base: String?
  package var partition: [SQLExpression]
  package var order: [SortKey]
  package var frame: Frame?

  package init(
    base: String? = nil, partition: [SQLExpression] = [], order: [SortKey] = [], frame: Frame? = nil
  ) {
    self.base = base
    self.partition = partition
    self.order = order
    self.frame = frame
  }

  package struct Frame: Hashable, Sendable {
    package enum Unit: String, Hashable, Sendable { case rows, range, groups }
    package enum Bound: Hashable, Sendable {
      case unboundedPreceding
      case preceding(SQLExpression)
      case currentRow
      case following(SQLExpression)
      case unboundedFollowing
    }
    package var unit: Unit
    package var start: Bound
    package var end: Bound

    package init(_ unit: Unit, start: Bound, end: Bound) {
      self.unit = unit
      self.start = start
      self.end = end
    }
  }
}

/// `CASE`.
///
/// With an operand, each condition is a value that it is compared with.
package struct Conditional: Hashable, Sendable {
  package var operand: SQLExpression?
  package var branches: [Branch]
  package var otherwise: SQLExpression?

  package struct Branch: Hashable, Sendable {
    package var condition: SQLExpression
    package var result: SQLExpression

    package init(_ condition: SQLExpression, _ result: SQLExpression) {
      self.condition = condition
      self.result = result
    }
  }

  package init(operand: SQLExpression? = nil, _ branches: [Branch], otherwise: SQLExpression? = nil) {
    self.operand = operand
    self.branches = branches
    self.otherwise = otherwise
  }
}

package struct SortKey: Hashable, Sendable {
  package var expression: SQLExpression
  package var isDescending: Bool
  /// Nil means PostgreSQL's default: last if ascending, first if descending.
  package var nullsFirst: Bool?

  package init(_ expression: SQLExpression, isDescending: Bool = false, nullsFirst: Bool? = nil) {
    self.expression = expression
    self.isDescending = isDescending
    self.nullsFirst = nullsFirst
  }
}
