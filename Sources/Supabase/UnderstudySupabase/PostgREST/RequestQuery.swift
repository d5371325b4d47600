/// A column, or a value in a document: `data->a->>0`.
struct RequestField: Hashable, Sendable {
  enum Operand: Hashable, Sendable {
    case key(String)
    /// Digits with an optional sign.
    case index(String)
  }

  struct Step: Hashable, Sendable {
    let operand: Operand
    /// Whether the result is a text (`->>`).
    let isText: Bool
  }

  var name: String
  var path: [Step] = []
}

/// What `select` asks for.
indirect enum Selection: Hashable, Sendable {
  struct Column: Hashable, Sendable {
    var field: RequestField
    var alias: String?
    var cast: String?
    /// The function over the values of all rows of a group.
    var aggregate: Aggregate?
  }

  struct Aggregate: Hashable, Sendable {
    var function: String
    var cast: String?
  }

  struct Embedding: Hashable, Sendable {
    var relation: String
    var alias: String?
    var hint: String?
    /// `!inner`; nil and false are the same, a left join.
    var isInner: Bool
    /// `...relation(…)`: its columns become columns of the row around.
    var isSpread: Bool
    var selections: [Selection]
  }

  case column(Column)
  case embedding(Embedding)
}

/// A key of `order`.
struct OrderTerm: Hashable, Sendable {
  /// The embedded relation whose field it is.
  var relation: String?
  var field: RequestField
  var isDescending = false
  var nullsFirst: Bool?
}

/// A condition on a field, or a combination of conditions.
indirect enum Condition: Hashable, Sendable {
  enum Operation: Hashable, Sendable {
    /// An operator of PostgreSQL with a value.
    case simple(String, String)
    /// An operator that can compare with any or all elements of an array.
    case quantified(String, RequestQuantifier?, String)
    case among([String])
    case isState(State)
    case isDistinct(String)
    case textSearch(String, language: String?, String)
  }

  enum State: String, CaseIterable, Hashable, Sendable {
    case null, notNull = "not_null", `true`, `false`, unknown
  }

  case filter(RequestField, negated: Bool, Operation)
  case combination(negated: Bool, isAnd: Bool, [Condition])
  /// Whether an embedded relation, by its name in the query, has rows.
  case embedding(String, isNull: Bool)
}

enum RequestQuantifier: String, Hashable, Sendable { case any, all }

/// The query string of a request (`ApiRequest/QueryParams.hs`).
struct RequestQuery: Sendable {
  /// Something that belongs to the relation at a path of embeddings.
  struct Located<Value: Sendable>: Sendable {
    var path: [String]
    var value: Value
  }

  var selections: [Selection] = []
  var filters: [Located<Condition>] = []
  var combinations: [Located<Condition>] = []
  var orders: [Located<[OrderTerm]>] = []
  var limits: [Located<RequestedRows>] = []
  /// `columns`.
  var columns: [String]?
  /// `on_conflict`.
  var conflictColumns: [String]?
  /// The names of all filters, as they are written.
  var filterNames: Set<String> = []
  /// The arguments of a function that is called with GET.
  var arguments: [(name: String, value: String)] = []
  /// The query string with its parameters sorted by name.
  let canonical: String

  /// - Parameter takesArguments: Whether a parameter without an operator is an argument of a function.
  /// - Throws: PGRST100.
  init(_ items: [RequestTarget.Item], takesArguments: Bool) throws(PostgRESTError) {
    let items = items.filter { $0.name != "apikey" }
    canonical = items.enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
      .map { PostgRESTEndpoint.encoded($0.element.name) + "=" + PostgRESTEndpoint.encoded($0.element.value) }
      .joined(separator: "&")
    func named(_ words: String...) -> [RequestTarget.Item] {
      items.filter { item in
        words.contains(String(item.name.split(separator: ".", omittingEmptySubsequences: false).last ?? ""))
      }
    }
    for item in named("order") {
      var scanner = QueryScanner(item.value, "order")
      orders.append(Located(path: try Self.path(item.name), value: try scanner.orderTerms()))
    }
    for item in named("and", "or") {
      combinations.append(try Self.combination(item))
    }
    if let text = items.first(where: { $0.name == "columns" })?.value {
      var scanner = QueryScanner(text, "columns parameter")
      columns = try scanner.names()
    }
    var scanner = QueryScanner(items.first { $0.name == "select" }?.value ?? "*", "select parameter")
    selections = try scanner.selections(depth: 0)
    let reserved: Set = ["select", "columns", "on_conflict"]
    let embeddable: Set = ["order", "limit", "offset", "and", "or"]
    for item in items where !reserved.contains(item.name) {
      let last = item.name.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
      guard !embeddable.contains(last) else { continue }
      filterNames.insert(item.name)
      var name = QueryScanner(item.name, "tree path")
      let (path, field) = try name.treePath()
      var scanner = QueryScanner(item.value, "filter")
      if takesArguments, !scanner.beginsWithOperation {
        arguments.append((field.name, item.value))
        continue
      }
      filters.append(Located(path: path, value: try scanner.filter(on: field) { $0.rest() }))
    }
    if let text = items.first(where: { $0.name == "on_conflict" })?.value {
      var scanner = QueryScanner(text, "on_conflict parameter")
      conflictColumns = try scanner.names()
    }
    var rows: [[String]: RequestedRows] = [:]
    var paths: [[String]] = []
    for item in named("limit", "offset") {
      let path = try Self.path(item.name)
      if rows[path] == nil { paths.append(path) }
      // What is not a number is ignored.
      if item.name.hasSuffix("limit") {
        rows[path, default: RequestedRows()].limit = Int(item.value)
      } else {
        rows[path, default: RequestedRows()].offset = max(0, Int(item.value) ?? 0)
      }
    }
    limits = paths.map { Located(path: $0, value: rows[$0] ?? RequestedRows()) }
  }

  /// The path before the last name: `posts` of `posts.order`.
  private static func path(_ name: String) throws(PostgRESTError) -> [String] {
    var scanner = QueryScanner(name, "tree path")
    return try scanner.treePath().path
  }

  /// The value of `and`, `or`, `not.and`, `not.or`, `posts.or`, `posts.not.and`.
  private static func combination(_ item: RequestTarget.Item) throws(PostgRESTError) -> Located<Condition> {
    var name = QueryScanner(item.name, "logic path")
    var (path, field) = try name.treePath()
    let isNegated = path.contains("not")
    path.removeAll { $0 == "not" }
    var scanner = QueryScanner((isNegated ? "not." : "") + field.name + item.value, "logic tree")
    guard item.value.drop(while: { $0 == " " || $0 == "\t" }).first == "(" else {
      throw scanner.unexpected("\"(\"", from: (isNegated ? 4 : 0) + field.name.unicodeScalars.count)
    }
    let condition = try scanner.condition(depth: 0)
    guard scanner.isAtEnd else { throw scanner.unexpected("end of input") }
    return Located(path: path, value: condition)
  }
}

/// The rows that `limit` and `offset` ask for.
struct RequestedRows: Hashable, Sendable {
  var limit: Int?
  var offset = 0
}
