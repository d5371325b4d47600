/// What a function may ask for beside its arguments.
///
/// The session that runs the statement is behind it.
package protocol FunctionContext: AnyObject {
  /// The start of the transaction, in microseconds since 2000-01-01 UTC.
  var transactionTime: Int64 { get }
  /// The start of the statement.
  var statementTime: Int64 { get }
  /// The time of this call, for `clock_timestamp()`.
  var clockTime: Int64 { get }
  var timeZone: TimeZoneRule { get }
  var collation: Collation { get }
  /// The seeded source of `gen_random_uuid()` and `random()`.
  func random() -> UInt64
  /// The value of `current_setting`, such as `request.jwt.claims`; nil if it was never set.
  func setting(_ name: String) -> String?
  func set(_ name: String, to value: String, isLocal: Bool)
  var currentUser: String { get }
  /// `nextval`, `currval`, `lastval`, `setval`, and what else needs the catalogue; each throws as PostgreSQL does.
  func nextValue(of sequence: String) throws(PostgreSQLError) -> Int64
  func currentValue(of sequence: String) throws(PostgreSQLError) -> Int64
  func lastValue() throws(PostgreSQLError) -> Int64
  func setValue(of sequence: String, to value: Int64, isCalled: Bool) throws(PostgreSQLError)
  /// The labels of an enumeration in their order, for `enum_range` and for casts.
  func labels(of enumeration: QualifiedName) throws(PostgreSQLError) -> [(name: String, order: Float)]
  /// The columns of a composite type or a table in their order, for `row_to_json` and `jsonb_populate_record`.
  func columns(of composite: QualifiedName) throws(PostgreSQLError) -> [(name: String, type: DataType)]
  /// The type under a domain.
  func base(of domain: QualifiedName) throws(PostgreSQLError) -> DataType
  /// The regular expressions that statements used last.
  var patterns: PatternCache { get }
}

/// A function, an operator's implementation, an aggregate or a window function that PostgreSQL has.
package struct Function: Sendable {
  package typealias Scalar =
    @Sendable (_ arguments: [Value], _ context: any FunctionContext) throws(PostgreSQLError) -> Value
  package typealias Rows =
    @Sendable (_ arguments: [Value], _ context: any FunctionContext) throws(PostgreSQLError) -> [[Value]]

  package enum Body: Sendable {
    case scalar(Scalar)
    /// A function that needs the types of its arguments, as `to_jsonb` and `format` do: it is asked once a statement.
    case typed(@Sendable (_ types: [BoundType]) throws(PostgreSQLError) -> Scalar)
    /// A function that returns a set. The columns are named by `columns`; a set of single values has one.
    case rows(Rows)
    case typedRows(@Sendable (_ types: [BoundType]) throws(PostgreSQLError) -> Rows)
    /// A function that returns records whose columns the call defines: `jsonb_to_record(x) AS (a integer)`.
    case definedRows(@Sendable (_ types: [BoundType], _ columns: [Column]) throws(PostgreSQLError) -> Rows)
    case aggregate(@Sendable (_ types: [BoundType]) throws(PostgreSQLError) -> any Aggregate)
    /// An aggregate such as `percentile_cont`: its arguments are those in parentheses, then those of `WITHIN GROUP`, in
    /// whose order the rows are added.
    case orderedSet(@Sendable (_ types: [BoundType]) throws(PostgreSQLError) -> any Aggregate)
    /// A window function such as `row_number`, which the executor computes: `name` says which.
    case window
  }

  package enum Volatility: Sendable { case immutable, stable, volatile }

  package var name: String
  package var parameters: [DataType]
  /// Nil without; otherwise the type of each further argument, `any` for all types.
  package var variadic: DataType?
  /// The number of parameters at the end that may be missing.
  package var optional: Int
  package var result: DataType
  /// The columns of a function that returns rows: names and types.
  package var columns: [Column]
  /// Null if any argument is null; the body is not called then.
  package var isStrict: Bool
  package var volatility: Volatility
  /// The names of the parameters, for calls with `name => value`; empty if they have none.
  package var names: [String] = []
  /// The values of the last parameters where a call by name leaves them out.
  ///
  /// A call by position passes fewer arguments instead.
  package var defaults: [Value] = []
  package var body: Body

  package struct Column: Sendable {
    package var name: String
    package var type: DataType

    package init(_ name: String, _ type: DataType) {
      self.name = name
      self.type = type
    }
  }

  package init(
    _ name: String, _ parameters: [DataType], variadic: DataType? = nil, optional: Int = 0,
    returns result: DataType, columns: [Column] = [], isStrict: Bool = true,
    _ volatility: Volatility, _ body: Body
  ) {
    self.name = name
    self.parameters = parameters
    self.variadic = variadic
    self.optional = optional
    self.result = result
    self.columns = columns
    self.isStrict = isStrict
    self.volatility = volatility
    self.body = body
  }
}

extension Function {
  var returnsSet: Bool {
    switch body {
    case .rows, .typedRows, .definedRows: true
    default: false
    }
  }

  var isAggregate: Bool {
    switch body {
    case .aggregate, .orderedSet: true
    default: false
    }
  }

  /// What makes the state of an aggregate, if the function is one.
  var makeAggregate: (@Sendable (_ types: [BoundType]) throws(PostgreSQLError) -> any Aggregate)? {
    switch body {
    case .aggregate(let make), .orderedSet(let make): make
    default: nil
    }
  }

  /// An immutable function.
  package init(
    _ name: String, _ parameters: [DataType], variadic: DataType? = nil, optional: Int = 0,
    returns result: DataType, columns: [Column] = [], isStrict: Bool = true, _ body: Body
  ) {
    self.init(
      name, parameters, variadic: variadic, optional: optional, returns: result, columns: columns,
      isStrict: isStrict, .immutable, body)
  }

  /// The function with names for its parameters, and the defaults of the last of them.
  package func naming(_ names: String..., defaults: [Value] = []) -> Function {
    precondition(defaults.count == optional, "Each optional parameter of \(name) needs a default.")
    var function = self
    function.names = names
    function.defaults = defaults
    return function
  }
}

/// The type of an argument, with the names of its columns if it is a row of a query.
package struct BoundType: Hashable, Sendable {
  package var type: DataType
  /// Of a record and of a composite type.
  package var fields: [Field]

  package struct Field: Hashable, Sendable {
    package var name: String
    package var type: BoundType

    package init(_ name: String, _ type: BoundType) {
      self.name = name
      self.type = type
    }
  }

  package init(_ type: DataType, fields: [Field] = []) {
    self.type = type
    self.fields = fields
  }
}

/// The state of one aggregate over one group.
package protocol Aggregate {
  /// Adds a row's arguments. Null arguments are passed too.
  mutating func add(_ arguments: [Value], _ context: any FunctionContext) throws(PostgreSQLError)
  func result(_ context: any FunctionContext) throws(PostgreSQLError) -> Value
}

/// An aggregate whose result depends on the order of texts.
protocol CollatedAggregate: Aggregate {
  /// The collation of the arguments; nil is the database's.
  var collation: Collation? { get set }
}

/// An operator of given types.
package struct Operator: Sendable {
  package var name: String
  /// Nil of a prefix operator.
  package var left: DataType?
  package var right: DataType
  package var result: DataType
  /// Whether it is null if an operand is.
  package var isStrict: Bool
  package var body: Function.Body

  package init(
    _ left: DataType?, _ name: String, _ right: DataType, returns result: DataType, isStrict: Bool = true,
    _ body: Function.Body
  ) {
    self.name = name
    self.left = left
    self.right = right
    self.result = result
    self.isStrict = isStrict
    self.body = body
  }
}

/// Access to the arguments of a function by the types that it declares. The statement that calls a function has checked
/// the types and, for strict functions, that no argument is null.
extension [Value] {
  func text(_ index: Int) -> String {
    guard case .text(let text) = self[index] else { Value.mismatch("text", self[index]) }
    return text
  }

  func integer(_ index: Int) -> Int {
    guard case .integer(let integer) = self[index] else { Value.mismatch("integer", self[index]) }
    return Int(integer)
  }

  func boolean(_ index: Int) -> Bool {
    guard case .boolean(let isTrue) = self[index] else { Value.mismatch("boolean", self[index]) }
    return isTrue
  }

  func numeric(_ index: Int) -> Numeric {
    guard case .numeric(let number) = self[index] else { Value.mismatch("numeric", self[index]) }
    return number
  }

  func bytes(_ index: Int) -> [UInt8] {
    guard case .bytes(let bytes) = self[index] else { Value.mismatch("bytea", self[index]) }
    return bytes
  }

  func array(_ index: Int) -> ArrayValue {
    guard case .array(let array) = self[index] else { Value.mismatch("array", self[index]) }
    return array
  }

  func jsonb(_ index: Int) -> JSONB {
    guard case .jsonb(let json) = self[index] else { Value.mismatch("jsonb", self[index]) }
    return json
  }

  func range(_ index: Int) -> RangeValue {
    guard case .range(let range) = self[index] else { Value.mismatch("range", self[index]) }
    return range
  }

  /// The elements of an array of text; nil for null.
  func texts(_ index: Int) -> [String?] {
    array(index).elements.map { if case .text(let text) = $0 { text } else { nil } }
  }

  /// An optional argument: nil if it is missing.
  func optional(_ index: Int) -> Value? { index < count ? self[index] : nil }
}

extension Value {
  static func mismatch(_ type: String, _ value: Value) -> Never {
    preconditionFailure("A function expected \(type) and received \(value).")
  }

  init(_ text: String?) { self = text.map(Value.text) ?? .null }
  init(_ integer: Int) { self = .integer(Int64(integer)) }
  init(_ texts: [String]) { self = .array(ArrayValue(texts.map(Value.text))) }
}
