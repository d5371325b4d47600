extension Value {
  func text(as type: BoundType, _ context: any FunctionContext) throws(PostgreSQLError) -> String {
    switch self {
    case .text(let text), .json(let text): text
    case .integer(let integer): String(integer)
    case .boolean(let flag): flag ? "t" : "f"
    case .numeric(let number): number.text
    case .jsonb(let json): json.text
    default: String(describing: self)
    }
  }
  init(reading text: String, as type: DataType, _ context: any FunctionContext) throws(PostgreSQLError) {
    switch type {
    case .integer, .bigint: self = .integer(Int64(text) ?? 0)
    case .numeric: self = .numeric(try Numeric(parsing: text))
    case .jsonb: self = .jsonb(try JSONB(parsing: text))
    default: self = .text(text)
    }
  }
}
