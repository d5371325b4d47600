extension DataType {
  /// The name in messages and in `format_type`: `integer`, `character varying`, `timestamp with time zone`.
  package var displayName: String {
    switch self {
    case .boolean, .smallint, .integer, .bigint, .real, .numeric, .text, .name, .citext, .bytea, .uuid, .date,
      .interval, .json, .jsonb, .inet, .tsvector, .tsquery, .vector, .oid, .regclass, .regtype, .regproc,
      .regrole,
      .unknown, .record, .void, .trigger, .anyelement, .anyarray, .anyenum, .anyrange:
      return systemName(isDisplayed: true)
    case .any: return "\"any\""
    case .double: return "double precision"
    case .varchar: return "character varying"
    case .bpchar: return "character"
    case .time: return "time without time zone"
    case .timetz: return "time with time zone"
    case .timestamp: return "timestamp without time zone"
    case .timestamptz: return "timestamp with time zone"
    case .array(let element): return element.displayName + "[]"
    case .range(let range): return range.rawValue
    case .enumeration(let name), .domain(let name), .composite(let name): return name.quoted
    }
  }

  /// The name in the catalogue `pg_type`: `int4`, `varchar`, `_text` for an array.
  package var systemName: String { systemName(isDisplayed: false) }

  private func systemName(isDisplayed: Bool) -> String {
    switch self {
    case .unknown: "unknown"
    case .boolean: isDisplayed ? "boolean" : "bool"
    case .smallint: isDisplayed ? "smallint" : "int2"
    case .integer: isDisplayed ? "integer" : "int4"
    case .bigint: isDisplayed ? "bigint" : "int8"
    case .real: isDisplayed ? "real" : "float4"
    case .double: "float8"
    case .numeric: "numeric"
    case .text: "text"
    case .varchar: "varchar"
    case .bpchar: "bpchar"
    case .name: "name"
    case .citext: "citext"
    case .bytea: "bytea"
    case .uuid: "uuid"
    case .date: "date"
    case .time: "time"
    case .timetz: "timetz"
    case .timestamp: "timestamp"
    case .timestamptz: "timestamptz"
    case .interval: "interval"
    case .json: "json"
    case .jsonb: "jsonb"
    case .inet: "inet"
    case .tsvector: "tsvector"
    case .tsquery: "tsquery"
    case .vector: "vector"
    case .oid: "oid"
    case .regclass: "regclass"
    case .regtype: "regtype"
    case .regproc: "regproc"
    case .regrole: "regrole"
    case .array(let element): "_" + element.systemName
    case .range(let range): range.rawValue
    case .enumeration(let name), .domain(let name), .composite(let name): name.name
    case .record: "record"
    case .void: "void"
    case .trigger: "trigger"
    case .any: "any"
    case .anyelement: "anyelement"
    case .anyarray: "anyarray"
    case .anyenum: "anyenum"
    case .anyrange: "anyrange"
    }
  }

  /// The types that every database has.
  static let builtIn: [DataType] =
    [
      .unknown, .boolean, .smallint, .integer, .bigint, .real, .double, .numeric, .text, .varchar, .bpchar,
      .name,
      .citext, .bytea, .uuid, .date, .time, .timetz, .timestamp, .timestamptz, .interval, .json, .jsonb,
      .inet,
      .tsvector, .tsquery, .vector, .oid, .regclass, .regtype, .regproc, .regrole, .record, .void, .trigger,
      .any,
      .anyelement, .anyarray, .anyenum, .anyrange,
    ] + RangeType.allCases.map(DataType.range)

  private static let named = Dictionary(uniqueKeysWithValues: builtIn.map { ($0.systemName, $0) })

  /// A type that every database has, by its name in `pg_type`; `_int4` is an array.
  package init?(systemName name: String) {
    // Names that PostgreSQL stores as another type, or that mean the same here.
    let aliases: [String: DataType] = [
      "serial": .integer, "serial4": .integer, "bigserial": .bigint, "serial8": .bigint,
      "smallserial": .smallint,
      "serial2": .smallint, "cidr": .inet, "regconfig": .text,
    ]
    if let known = Self.named[name] ?? aliases[name] {
      self = known
    } else if name.hasPrefix("_"), let element = DataType(systemName: String(name.dropFirst())) {
      self = .array(element)
    } else {
      return nil
    }
  }
}

extension QualifiedName {
  /// As SQL writes it, without the schema `public` or `pg_catalog`.
  package var quoted: String {
    guard let schema, schema != "public", schema != "pg_catalog" else { return Self.quote(name) }
    return Self.quote(schema) + "." + Self.quote(name)
  }

  private static func quote(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 || $0.isDigit }
      && name.utf8.first?.isDigit == false
    return isPlain ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }
}

/// The categories by which PostgreSQL resolves calls (documentation, 10 and 53.64).
package enum TypeCategory: Hashable, Sendable {
  case array, boolean, composite, dateTime, `enum`, network, numeric, pseudo, range, string, timespan, user,
    unknown
}

extension DataType {
  package var category: TypeCategory {
    switch self {
    case .unknown: .unknown
    case .boolean: .boolean
    case .smallint, .integer, .bigint, .real, .double, .numeric, .oid, .regclass, .regtype, .regproc,
      .regrole:
      .numeric
    case .text, .varchar, .bpchar, .name, .citext: .string
    case .bytea, .uuid, .json, .jsonb, .tsvector, .tsquery, .vector: .user
    case .date, .time, .timetz, .timestamp, .timestamptz: .dateTime
    case .interval: .timespan
    case .inet: .network
    case .array: .array
    case .range: .range
    case .enumeration: .enum
    case .composite: .composite
    case .domain: .user
    case .record, .void, .trigger, .any, .anyelement, .anyarray, .anyenum, .anyrange: .pseudo
    }
  }

  /// Whether the type is preferred within its category.
  package var isPreferred: Bool {
    switch self {
    case .boolean, .text, .double, .oid, .timestamptz, .interval, .inet: true
    default: false
    }
  }

  /// Whether the type has an order.
  ///
  /// JSON as text has not even an equality.
  package var isComparable: Bool {
    switch self {
    case .json, .void, .trigger, .any, .unknown: false
    case .array(let element): element.isComparable
    default: true
    }
  }

  var isPolymorphic: Bool {
    switch self {
    case .anyelement, .anyarray, .anyenum, .anyrange, .any: true
    default: false
    }
  }
}

extension DataType.RangeType {
  package var element: DataType {
    switch self {
    case .int4range: .integer
    case .int8range: .bigint
    case .numrange: .numeric
    case .daterange: .date
    case .tsrange: .timestamp
    case .tstzrange: .timestamptz
    }
  }

  /// Whether its elements are counted, so that ranges have a canonical form.
  var isDiscrete: Bool {
    switch self {
    case .int4range, .int8range, .daterange: true
    default: false
    }
  }
}
