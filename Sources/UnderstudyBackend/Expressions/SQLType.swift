/// The type of an expression.
enum SQLType: Hashable, Sendable {
  /// One that columns have, too.
  case column(ColumnType)
  /// A number with a fraction, or a large one, as it is written; kept as a binary number of 64 bits.
  case numeric
  /// A `timestamp` without a time zone; kept as the moment in UTC.
  case localTimestamp
  /// A quoted literal or `NULL`, whose type is what its environment need.
  case unknown

  static let text: SQLType = .column(.text)
  static let boolean: SQLType = .column(.boolean)
  static let integer: SQLType = .column(.integer)
  static let double: SQLType = .column(.double)
  static let json: SQLType = .column(.json)
  static let textArray: SQLType = .column(.textArray)
  static let date: SQLType = .column(.date)
  static let timestamp: SQLType = .column(.timestamp)
  static let uuid: SQLType = .column(.uuid)

  /// As PostgreSQL's messages call it.
  var name: String {
    switch self {
    case .column(let type): type.rawValue
    case .numeric: "numeric"
    case .localTimestamp: "timestamp without time zone"
    case .unknown: "unknown"
    }
  }

  var isNumber: Bool { self == .integer || self == .double || self == .numeric }
  var isMoment: Bool { self == .date || self == .timestamp || self == .localTimestamp }
}

extension ColumnType {
  /// The type that a name in SQL means (PostgreSQL, "Data Types"); `nil` if there is none such here.
  init?(sqlName name: String) {
    switch name {
    case "uuid": self = .uuid
    case "text": self = .text
    case "integer", "int", "int4": self = .integer
    case "double precision", "float8", "float": self = .double
    case "boolean", "bool": self = .boolean
    case "date": self = .date
    case "timestamptz", "timestamp with time zone": self = .timestamp
    case "text[]": self = .textArray
    case "jsonb": self = .json
    default: return nil
    }
  }

  /// The names of all, for a message.
  static let understoodNames =
    "Understood types are uuid, text, integer, double precision, boolean, date, timestamptz, text[] and jsonb."
}
