import Foundation
import Testing

@testable import UnderstudyPostgreSQL

/// Evaluates queries of one value by calling the catalogue's functions, for tests of those without an engine.
///
/// It understands `SELECT expression`, with one function in `FROM`, or `VALUES`. Overloads are chosen by the exact types of
/// the arguments, so queries write casts.
struct FunctionEvaluator {
  private let functions = Functions.all
  private let operators = Operators.all
  let context = TestSession()

  typealias Typed = (value: Value, type: BoundType)
  typealias Row = [String: Typed]

  /// The text of the value as an assignment to `text` converts it; nil of null.
  func text(of query: String) throws(PostgreSQLError) -> String? {
    var parser = Parser(Self.tokens(query), source: Array(query.utf8))
    let (value, type) = try evaluate(parser.parseQuery())
    if value.isNull { return nil }
    // The conversion to text, not the output.
    if case .boolean(let isTrue) = value { return isTrue ? "true" : "false" }
    return try value.text(as: type, context)
  }

  private static func tokens(_ query: String) -> TokenList {
    var lexer = Lexer(query)
    return lexer.remainingTokens()
  }

  private func unsupported(_ what: String) -> PostgreSQLError {
    PostgreSQLError("XX000", "the evaluator of the tests does not support \(what)")
  }

  private func evaluate(_ query: Query) throws(PostgreSQLError) -> Typed {
    guard case .select(let select) = query.body, let item = select.items.first else {
      throw unsupported("this query")
    }
    let rows = try rows(select.from)
    if let aggregated = try aggregate(item.expression, rows) { return aggregated }
    guard let row = rows.first else { return (.null, BoundType(.text)) }
    return try evaluate(item.expression, row)
  }

  private func rows(_ from: [TableReference]) throws(PostgreSQLError) -> [Row] {
    switch from.first {
    case nil: return [[:]]
    case .function(let function, _)?:
      guard let call = function.calls.first else { throw unsupported("this call") }
      let (rows, columns) = try self.rows(call, definitions: function.definitions)
      let name = function.alias?.name ?? call.name.name
      return rows.map { values in
        var row: Row = [:]
        for (index, column) in columns.enumerated() {
          row[Self.name(index, function.alias, otherwise: column.name)] = (values[index], column.type)
        }
        if columns.count == 1 { row[name] = (values[0], columns[0].type) }
        if columns.count > 1 { row[name] = (.record(values), BoundType(.record, fields: columns)) }
        return row
      }
    case .query(let query, let alias, _)?:
      guard case .values(let lists) = query.body else { throw unsupported("this query") }
      var rows: [Row] = []
      for list in lists {
        var row: Row = [:]
        for (index, expression) in list.enumerated() {
          let name = Self.name(index, alias, otherwise: "column\(index + 1)")
          row[name] = try evaluate(expression, [:])
        }
        rows.append(row)
      }
      return rows
    default: throw unsupported("this table")
    }
  }

  private static func name(_ index: Int, _ alias: TableAlias?, otherwise name: String) -> String {
    guard let columns = alias?.columns, columns.indices.contains(index) else { return name }
    return columns[index]
  }

  private func rows(
    _ call: Call, definitions: [TableFunction.ColumnDefinition]
  ) throws(PostgreSQLError) -> (rows: [[Value]], columns: [BoundType.Field]) {
    var arguments: [Typed] = []
    for argument in call.arguments { arguments.append(try evaluate(argument.value, [:])) }
    let (function, values, types, bindings) = try resolve(call.name.name, arguments)
    var columns = function.columns.map { column in
      BoundType.Field(column.name, bound(column.type, types, bindings))
    }
    if columns.isEmpty, case .composite(let name)? = types.first?.type {
      columns = try context.columns(of: name).map { BoundType.Field($0.name, BoundType($0.type)) }
    }
    let produce: Function.Rows
    switch function.body {
    case .rows(let rows): produce = rows
    case .typedRows(let make): produce = try make(types)
    case .definedRows(let make):
      var defined: [Function.Column] = []
      for definition in definitions {
        defined.append(Function.Column(definition.name, try type(definition.type)))
      }
      produce = try make(types, defined)
      columns = defined.map { BoundType.Field($0.name, BoundType($0.type)) }
    default: throw unsupported("a call of \(call.name.name) in FROM")
    }
    if function.isStrict, values.contains(where: \.isNull) { return ([], columns) }
    return (try produce(values, context), columns)
  }

  /// The value of an expression that is an aggregate's call, or a cast of one.
  private func aggregate(_ expression: SQLExpression, _ rows: [Row]) throws(PostgreSQLError) -> Typed? {
    if case .cast(let inner, let name) = expression {
      guard let (value, type) = try aggregate(inner, rows) else { return nil }
      return try cast(value, type, to: self.type(name))
    }
    guard case .call(let call) = expression, let first = functions[call.name.name]?.first else { return nil }
    switch first.body {
    case .aggregate, .orderedSet: break
    default: return nil
    }
    var state: (any Aggregate)?
    var result = BoundType(.text)
    if rows.isEmpty { return (first.name == "count" ? .integer(0) : .null, BoundType(.text)) }
    for row in rows {
      var arguments: [Typed] = []
      for argument in call.arguments.map(\.value) + call.withinGroup.map(\.expression) {
        arguments.append(try evaluate(argument, row))
      }
      let (function, values, types, bindings) = try resolve(call.name.name, arguments)
      result = bound(function.result, types, bindings)
      switch function.body {
      case .aggregate(let make), .orderedSet(let make):
        var current: any Aggregate
        if let state { current = state } else { current = try make(types) }
        try current.add(values, context)
        state = current
      default: throw unsupported("an aggregate and a function of one name")
      }
    }
    return (try state?.result(context) ?? .null, result)
  }

  // MARK: Expressions

  private func evaluate(_ expression: SQLExpression, _ row: Row) throws(PostgreSQLError) -> Typed {
    switch expression {
    case .null: return (.null, BoundType(.unknown))
    case .boolean(let value): return (.boolean(value), BoundType(.boolean))
    case .number(let text):
      guard let integer = Int64(text) else {
        return (.numeric(try Numeric(parsing: text)), BoundType(.numeric))
      }
      return (.integer(integer), BoundType(Int32(exactly: integer) == nil ? .bigint : .integer))
    case .string(let text): return (.text(text), BoundType(.unknown))
    case .name(let path):
      guard let column = row[path.last ?? ""] else { throw unsupported("the name \(path)") }
      return column
    case .prefix("-", .number(let text)): return try evaluate(.number("-" + text), row)
    case .prefix("-", .cast(.number(let text), let name)):
      return try evaluate(.cast(.string("-" + text), name), row)
    case .cast(let inner, let name):
      if case .array(let elements) = inner, elements.isEmpty {
        return (.array(ArrayValue([])), BoundType(try type(name)))
      }
      let (value, own) = try evaluate(inner, row)
      return try cast(value, own, to: type(name))
    case .infix(let name, let left, let right):
      return try apply(name, [try evaluate(left, row), try evaluate(right, row)])
    case .array(let items):
      var values: [Typed] = []
      for item in items { values.append(try evaluate(item, row)) }
      let element = values.first { $0.type.type != .unknown }?.type ?? BoundType(.text)
      return (
        .array(ArrayValue(values.map(\.value))), BoundType(.array(element.type), fields: element.fields)
      )
    case .row(let items):
      var values: [Typed] = []
      for item in items { values.append(try evaluate(item, row)) }
      return (
        .record(values.map(\.value)),
        BoundType(
          .record,
          fields: values.enumerated().map {
            BoundType.Field(
              "f\($0.offset + 1)", $0.element.type.type == .unknown ? BoundType(.text) : $0.element.type)
          })
      )
    case .call(let call):
      var arguments: [Typed] = []
      for argument in call.arguments { arguments.append(try evaluate(argument.value, row)) }
      if let only = call.arguments.last, only.isVariadic,
        case .array(let array) = arguments[arguments.count - 1].value
      {
        let element = try arguments.removeLast().type.element(context)
        arguments += array.elements.map { ($0, element) }
      }
      let (function, values, types, bindings) = try resolve(call.name.name, arguments)
      return try invoke(
        function.body, function.isStrict, values, types, result: bound(function.result, types, bindings))
    default: throw unsupported("\(expression)")
    }
  }

  private func invoke(
    _ body: Function.Body, _ isStrict: Bool, _ values: [Value], _ types: [BoundType], result: BoundType
  ) throws(PostgreSQLError) -> Typed {
    let scalar: Function.Scalar
    switch body {
    case .scalar(let own): scalar = own
    case .typed(let make): scalar = try make(types)
    default: throw unsupported("a call of this function in an expression")
    }
    if isStrict, values.contains(where: \.isNull) { return (.null, result) }
    return (try scalar(values, context), result)
  }

  private func apply(_ name: String, _ arguments: [Typed]) throws(PostgreSQLError) -> Typed {
    var best: (found: Operator, fit: Fit)?
    for candidate in operators[name] ?? [] {
      // `any` means all types but arrays here.
      let hasArray = arguments.contains { if case .array = $0.type.type { true } else { false } }
      if hasArray, candidate.left == .any || candidate.right == .any { continue }
      guard let left = candidate.left, let fit = fit(arguments, [left, candidate.right]),
        fit.score > best?.fit.score ?? -1
      else { continue }
      best = (candidate, fit)
    }
    guard let (found, fit) = best else { throw unsupported("\(arguments.map(\.type.type)) \(name)") }
    let (values, types) = try convert(arguments, fit)
    return try invoke(
      found.body, found.isStrict, values, types, result: bound(found.result, types, fit.element))
  }

  private func resolve(
    _ name: String, _ arguments: [Typed]
  ) throws(PostgreSQLError) -> (Function, [Value], [BoundType], DataType?) {
    var best: (found: Function, fit: Fit)?
    for candidate in functions[name] ?? [] {
      let count = candidate.parameters.count
      guard arguments.count >= count - candidate.optional,
        arguments.count <= count || candidate.variadic != nil
      else { continue }
      let rest = Array(repeating: candidate.variadic ?? .any, count: max(0, arguments.count - count))
      guard let fit = fit(arguments, Array(candidate.parameters.prefix(arguments.count)) + rest),
        fit.score > best?.fit.score ?? -1
      else { continue }
      best = (candidate, fit)
    }
    guard let (found, fit) = best else {
      throw PostgreSQLError(
        "42883",
        "function \(name)(\(arguments.map(\.type.type.displayName).joined(separator: ", "))) does not exist")
    }
    let (values, types) = try convert(arguments, fit)
    return (found, values, types, fit.element)
  }

  /// How arguments fit parameters: a score, the types to convert them to, and the element type of polymorphic ones.
  private struct Fit {
    var score = 0
    var targets: [DataType?] = []
    var element: DataType?
  }

  private func fit(_ arguments: [Typed], _ parameters: [DataType]) -> Fit? {
    var fit = Fit()
    for ((_, own), parameter) in zip(arguments, parameters) {
      switch (own.type, parameter) {
      case (.array(let inner), .anyarray): fit.element = inner
      case (.range(let range), .anyrange): fit.element = range.element
      case (.array, .anyelement), (.unknown, .anyelement): break
      case (_, .anyelement): if fit.element == nil { fit.element = own.type }
      default: break
      }
    }
    let numbers: [DataType] = [.smallint, .integer, .bigint, .numeric, .real, .double]
    for ((_, own), parameter) in zip(arguments, parameters) {
      var target: DataType?
      switch (own.type, parameter) {
      case (let type, parameter) where type == parameter: fit.score += 20
      case (.unknown, .any): target = .text
      case (.unknown, .anyelement): target = fit.element ?? .text
      case (.unknown, .anyarray):
        guard let element = fit.element else { return nil }
        target = .array(element)
        fit.score += 2
      case (.unknown, .anyrange), (.unknown, .record): return nil
      case (.unknown, _):
        fit.score += parameter == .text ? 5 : 3
        target = parameter
      case (.array(let inner), .anyarray) where inner == fit.element: fit.score += 10
      case (.range, .anyrange), (.composite, .record): fit.score += 10
      case (let type, .anyelement) where type == fit.element: fit.score += 8
      case (_, .anyelement) where !parameters.contains(.anyarray) && !parameters.contains(.anyrange):
        fit.score += 4
      case (_, .any): fit.score += 1
      case (.varchar, .text), (.bpchar, .text), (.name, .text): fit.score += 6
      case (let from, let to):
        guard let low = numbers.firstIndex(of: from), let high = numbers.firstIndex(of: to), low < high
        else { return nil }
        fit.score += 6 - (high - low)
        target = parameter
      }
      fit.targets.append(target)
    }
    return fit
  }

  private func convert(_ arguments: [Typed], _ fit: Fit) throws(PostgreSQLError) -> ([Value], [BoundType]) {
    var values: [Value] = []
    var types: [BoundType] = []
    for ((value, own), target) in zip(arguments, fit.targets) {
      var converted: Typed = (value, own)
      if let target { converted = try cast(value, own, to: target) }
      values.append(converted.value)
      types.append(converted.type)
    }
    return (values, types)
  }

  private func bound(_ type: DataType, _ types: [BoundType], _ element: DataType?) -> BoundType {
    switch type {
    case .anyelement:
      if let element { return BoundType(element, fields: types.first?.fields ?? []) }
      return types.last ?? BoundType(.text)
    case .anyarray: return BoundType(.array(element ?? .text))
    case .anyrange: return types.first ?? BoundType(.text)
    default: return BoundType(type)
    }
  }

  private func cast(_ value: Value, _ own: BoundType, to type: DataType) throws(PostgreSQLError) -> Typed {
    if value.isNull || own.type == type { return (value, BoundType(type)) }
    if case .domain(let name) = type {
      return (try cast(value, own, to: context.base(of: name)).value, BoundType(type))
    }
    guard let cast = Cast.find(from: own.type, to: type) else { throw unsupported("a cast to \(type)") }
    return (try cast.convert(value, context), BoundType(type))
  }

  private func type(_ name: TypeName) throws(PostgreSQLError) -> DataType {
    let declared = ["mood": TestSession.mood, "pair": TestSession.pair, "positive": TestSession.positive]
    guard var type = DataType(systemName: name.name.name) ?? declared[name.name.name] else {
      throw unsupported("the type \(name.name.name)")
    }
    for _ in 0..<name.arrayDimensions { type = .array(type) }
    return type
  }
}

/// Expects the values of queries: each line is a query, ` => `, and its text, `NULL` or `ERROR code: message`.
func expectValues(_ lines: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let evaluator = FunctionEvaluator()
  for line in lines.split(separator: "\n") {
    let parts = line.components(separatedBy: " => ")
    let found: String
    do throws(PostgreSQLError) {
      found = try evaluator.text(of: "SELECT " + parts[0]) ?? "NULL"
    } catch {
      found = "ERROR \(error.code): \(error.message)"
    }
    #expect(found == parts.last, "\(parts[0])", sourceLocation: sourceLocation)
  }
}
