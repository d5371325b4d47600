/// A type of PostgreSQL, without the modifiers of a column (see ``TypeModifier``).
package indirect enum DataType: Hashable, Sendable {
  /// The type of a quoted string and of `NULL` until the context decides it.
  case unknown
  case boolean
  case smallint, integer, bigint
  case real, double, numeric
  /// `bpchar` is `char(n)`; `name` is the type of identifiers in the system's catalogues.
  case text, varchar, bpchar, name, citext
  case bytea, uuid
  case date, time, timetz, timestamp, timestamptz, interval
  case json, jsonb
  case inet
  case tsvector, tsquery
  /// Of the extension pgvector: values are their texts.
  case vector
  /// Identifiers of objects: values are the names of the objects.
  case oid, regclass, regtype, regproc, regrole
  case array(DataType)
  case range(RangeType)
  /// Types that a schema declares.
  case enumeration(QualifiedName)
  case domain(QualifiedName)
  /// A composite type, and the row type of a table.
  case composite(QualifiedName)
  /// A row whose columns only the query knows.
  case record
  case void, trigger
  /// Parameters of polymorphic functions.
  case any, anyelement, anyarray, anyenum, anyrange

  package enum RangeType: String, CaseIterable, Hashable, Sendable {
    case int4range, int8range, numrange, daterange, tsrange, tstzrange
  }
}

/// What a column adds to its type: `numeric(10, 2)`, `varchar(20)`, `timestamp(3)`.
package enum TypeModifier: Hashable, Sendable {
  case length(Int)
  case precision(Int, scale: Int)
  case fraction(Int)
  /// The fields of an interval, and the decimal places of its seconds.
  case interval(IntervalFields, fraction: Int?)

  /// The decimal places of seconds.
  var fraction: Int? {
    switch self {
    case .fraction(let fraction): fraction
    case .interval(_, let fraction): fraction
    default: nil
    }
  }
}
