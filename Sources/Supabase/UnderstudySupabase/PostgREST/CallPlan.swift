import Foundation
import UnderstudyHTTP
import UnderstudyPostgreSQL

/// The function that a request calls, and its arguments (`Plan.hs`, `callReadPlan`).
struct CallPlan {
  enum Arguments {
    /// The values of the query string or of a form.
    case texts([(name: String, value: String)])
    /// A document with a member for each argument.
    case json(String, names: [String], isObject: Bool)
    /// The body as a whole.
    case body(Data)
  }

  let routine: Routine
  private let arguments: Arguments
  private let parameters: [Routine.Parameter]
  private let catalogue: Catalogue

  /// - Throws: PGRST202, PGRST203.
  init(_ exchange: PostgRESTExchange) throws(PostgRESTError) {
    let isPost = exchange.request.method == .post
    let body = isPost ? try RequestBody(exchange.request, columns: exchange.query.columns, isCall: true) : nil
    let names: Set<String>
    var arguments: Arguments
    switch body {
    case nil:
      names = Set(exchange.query.arguments.map(\.name))
      arguments = .texts(exchange.query.arguments)
    case .form(let items)?:
      names = Set(items.map(\.name))
      arguments = .texts(items)
    case .json(let text, let members, let isObject)?:
      names = Set(members)
      arguments = .json(text, names: members, isObject: isObject)
    case .raw(let data)?:
      names = []
      arguments = .body(data)
    }
    let type = isPost ? RequestBody.mediaType(exchange.request) : nil
    catalogue = exchange.catalogue
    let candidates = RoutineCandidates(exchange.name, exchange.catalogue)
    routine = try candidates.routine(named: names, bodyType: type)
    let inputs = routine.inputs
    if inputs.count == 1, (inputs[0].name ?? "").isEmpty {
      parameters = inputs
      if case .json = arguments { arguments = .body(exchange.request.body ?? Data()) }
    } else {
      parameters = inputs.filter { names.contains($0.name ?? "") }
    }
    self.arguments = arguments
  }

  // MARK: Results

  /// What the function returns, as far as the body depends on it.
  var result: ResponseForm.Result {
    let isComposite = if case .composite = routine.result { true } else { !routine.columns.isEmpty }
    if isComposite { return routine.returnsSet ? .rows : .row }
    return routine.returnsSet ? .scalars : .scalar
  }

  var returnsVoid: Bool { routine.result == .void && !routine.returnsSet }

  /// The relation whose rows the function returns, for embedding; the function itself if it returns others.
  var relation: QualifiedName {
    if case .composite(let name) = routine.result {
      return QualifiedName(schema: routine.name.schema, name.name)
    }
    return routine.name
  }

  // MARK: The statement

  /// The call as a query (`QueryBuilder.hs`, `callPlanToQuery`).
  ///
  /// - Parameter columns: The columns that the response needs.
  func query(columns: [String]) -> Query {
    let call = "pgrst_call"
    let isScalar = result == .scalar || result == .scalars
    var from: [TableReference] = []
    var values: [Call.Argument] = []
    switch arguments {
    case .body(let data):
      if let parameter = parameters.first { values = [Call.Argument(Self.whole(data, as: parameter.type))] }
    case .texts(let texts):
      values = parameters.map { parameter in
        let given = texts.filter { $0.name == parameter.name }.map(\.value)
        let isVariadic = parameter.mode == .variadic
        // The last of several values of a name counts, except for a variadic parameter, which takes all.
        let value = isVariadic ? ExpressionWriter.arrayLiteral(given) : given.last
        return Call.Argument(
          .cast(value.map { .string($0) } ?? .null, TypeName(parameter.type)), name: parameter.name,
          isVariadic: isVariadic)
      }
    case .json(let text, _, let isObject):
      guard !parameters.isEmpty else { break }
      let fields = parameters.map { (name: $0.name ?? "", type: TypeName($0.type)) }
      let rows = BodyRows.rows(of: text, isObject: isObject, columns: fields, defaults: nil)
      // The arguments of the first object of an array.
      let first = Query(.select(Select([Select.Item(.wildcard([]))], from: rows)), limit: .number("1"))
      from.append(.query(first, TableAlias(BodyRows.alias), isLateral: false))
      values = parameters.map { parameter in
        Call.Argument(
          .column(BodyRows.alias, parameter.name ?? ""), name: parameter.name,
          isVariadic: parameter.mode == .variadic)
      }
    }
    let function = TableFunction(
      [Call(routine.name, values)],
      alias: TableAlias(call, columns: isScalar ? [ResponseForm.scalar] : []))
    from.append(.function(function, isLateral: true))
    let items =
      isScalar
      ? [Select.Item(.column(call, ResponseForm.scalar))]
      : (columns.isEmpty ? ["*"] : columns).map { name in
        // As of a relation, `count` counts the rows unless they have such a column.
        name == "count" && !resultColumns.contains(name)
          ? Select.Item(.call("count", .name([call])), as: name) : Select.Item(.column(call, name))
      }
    return Query(.select(Select(items, from: from)))
  }

  private var resultColumns: [String] {
    guard routine.columns.isEmpty, case .composite(let name) = routine.result else {
      return routine.columns.map(\.name)
    }
    return (catalogue.columns(of: name) ?? []).map(\.name)
  }

  /// The body as a value of a type.
  private static func whole(_ data: Data, as type: DataType) -> SQLExpression {
    if type == .bytea {
      let digits = data.map { byte in
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
      }
      return SQLExpression.string("\\x" + digits.joined()).cast(to: "bytea")
    }
    return .cast(.string(String(decoding: data, as: UTF8.self)), TypeName(type))
  }
}

/// The functions of a name (`Plan.hs`, `findProc`).
struct RoutineCandidates {
  private let name: QualifiedName
  private let routines: [Routine]
  private let catalogue: Catalogue

  init(_ name: QualifiedName, _ catalogue: Catalogue) {
    self.name = name
    self.catalogue = catalogue
    // Those with the fewest parameters come first in messages.
    routines = Self.callable(catalogue.functions[name] ?? []).sorted {
      ($0.inputs.count, $0.identity) < ($1.inputs.count, $1.identity)
    }
  }

  /// The functions that can be called: at most one parameter, the only one, has no name.
  private static func callable(_ routines: [Routine]) -> [Routine] {
    routines.filter { routine in
      !routine.definition.isProcedure && routine.result != .trigger
        && (routine.inputs.count < 2 || routine.inputs.allSatisfy { $0.name?.isEmpty == false })
    }
  }

  /// The function for arguments with names.
  ///
  /// - Parameter bodyType: The media type of a POST; nil for other methods.
  func routine(named names: Set<String>, bodyType: String?) throws(PostgRESTError) -> Routine {
    let matching = routines.filter { matches($0, names, bodyType) }
    let unnamed = routines.filter { !matches($0, names, bodyType) && takesBody($0, bodyType) }
    let chosen = matching.isEmpty ? unnamed : matching
    guard let first = chosen.first else { throw unknown(names, bodyType) }
    guard chosen.count == 1 else { throw .ambiguousFunction(chosen.map(signature)) }
    return first
  }

  private static let rawTypes: Set = ["application/octet-stream", "text/plain", "text/xml"]

  private func matches(_ routine: Routine, _ names: Set<String>, _ bodyType: String?) -> Bool {
    let inputs = routine.inputs
    guard !inputs.isEmpty else { return names.isEmpty && !Self.rawTypes.contains(bodyType ?? "") }
    let isOptional: (Routine.Parameter) -> Bool = { $0.defaultValue != nil || $0.mode == .variadic }
    let optional = Set(inputs.filter(isOptional).map { $0.name ?? "" })
    let required = Set(inputs.filter { !isOptional($0) }.map { $0.name ?? "" })
    return names.subtracting(optional) == required
  }

  /// Whether the body as a whole is its only argument.
  private func takesBody(_ routine: Routine, _ bodyType: String?) -> Bool {
    guard routine.inputs.count == 1, (routine.inputs[0].name ?? "").isEmpty else { return false }
    return switch (bodyType, routine.inputs[0].type) {
    case ("application/json"?, .json), ("application/json"?, .jsonb), ("text/plain"?, .text),
      ("application/octet-stream"?, .bytea):
      true
    default: false
    }
  }

  private func signature(_ routine: Routine) -> String {
    let parameters = routine.inputs.map { "\($0.name ?? "") => \($0.type.displayName)" }
    return "\(routine.name)(\(parameters.joined(separator: ", ")))"
  }

  private func unknown(_ names: Set<String>, _ bodyType: String?) -> PostgRESTError {
    let isRaw = Self.rawTypes.contains(bodyType ?? "")
    let list = names.sorted().joined(separator: ", ")
    let plain = names.isEmpty ? " without parameters" : "(\(list))"
    let described =
      names.isEmpty ? " without parameters" : " with parameter\(names.count > 1 ? "s" : "") \(list)"
    let searched: String =
      switch bodyType {
      case "text/plain"?: " with a single unnamed text parameter"
      case "text/xml"?: " with a single unnamed xml parameter"
      case "application/octet-stream"?: " with a single unnamed bytea parameter"
      case "application/json"?: described + " or with a single unnamed json/jsonb parameter"
      default: described
      }
    return .unknownFunction(
      "\(name)", parameters: isRaw ? "" : plain, searched: searched, hint: isRaw ? nil : suggestion(names))
  }

  private func suggestion(_ names: Set<String>) -> String? {
    func list(_ names: [String]) -> String { "(" + names.sorted().joined(separator: ", ") + ")" }
    let found: String? =
      if routines.isEmpty {
        Similarity.best(
          of: name.name,
          among: catalogue.functions.filter {
            $0.key.schema == name.schema && !Self.callable($0.value).isEmpty
          }
          .map(\.key.name).sorted(), least: 0.75)
      } else {
        Similarity.best(
          of: list(Array(names)), among: routines.map { list($0.inputs.map { $0.name ?? "" }) }
        ).map { name.name + $0 }
      }
    return found.map { "Perhaps you meant to call the function \(name.schema ?? "public").\($0)" }
  }
}
