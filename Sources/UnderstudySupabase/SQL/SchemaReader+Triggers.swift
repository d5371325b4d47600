extension SchemaReader {
  /// A function that sets columns of the new row to the moment, for a trigger before updates.
  mutating func createFunction() throws(SQLProblem) {
    let start = parser.location
    let name = try parser.qualifiedName("the name of a function")
    try parser.expect(symbol: "(")
    guard parser.skip(symbol: ")"), parser.skip("returns"), parser.skip("trigger") else {
      throw parser.problem(
        "a function that is not for a trigger is not understood.",
        "Take it out; what clients call is an edge function of the emulator, in Swift.", at: start)
    }
    var body: (text: String, location: SQLLocation)?
    while !parser.isAtEnd, !parser.isNext(symbol: ";") {
      if parser.skip("as") {
        let location = parser.location
        body = (try parser.string("the body of the function"), location)
      } else if parser.skip("language") {
        guard parser.skip("plpgsql") else { throw parser.unexpected("plpgsql") }
      } else if parser.skip("set") {
        _ = try parser.name("a setting")
        guard parser.skip(symbol: "=") || parser.skip("to") else { throw parser.unexpected("=") }
        repeat { parser.advance() } while parser.skip(symbol: ",")
      } else if parser.skip("security") {
        guard parser.skip("definer") || parser.skip("invoker") else {
          throw parser.unexpected("DEFINER or INVOKER")
        }
      } else if ["volatile", "stable", "immutable"].contains(where: { parser.isNext($0) }) {
        parser.advance()
      } else {
        throw parser.unexpected("AS or LANGUAGE")
      }
    }
    guard let body else { throw parser.unexpected("AS and the body of the function") }
    guard let columns = try Self.columnsSet(by: body.text) else {
      throw parser.problem(
        "the body of the function is not understood.",
        "Understood is BEGIN NEW.column = now(); RETURN NEW; END, with one or more columns.",
        at: body.location)
    }
    triggerFunctions[name] = columns
  }

  /// The columns that a body sets to `now()`; `nil` if it does anything else.
  private static func columnsSet(by body: String) throws(SQLProblem) -> [String]? {
    var parser = try SQLParser(body)
    guard parser.skip("begin") else { return nil }
    var columns: [String] = []
    while parser.skip("new"), parser.skip(symbol: ".") {
      columns.append(try parser.name("a column"))
      guard parser.skip(symbol: "=") || parser.skip(symbol: ":="), case .now? = try moment(&parser),
        parser.skip(symbol: ";")
      else { return nil }
    }
    guard parser.skip("return", "new"), parser.skip(symbol: ";"), parser.skip("end") else { return nil }
    _ = parser.skip(symbol: ";")
    return parser.isAtEnd && !columns.isEmpty ? columns : nil
  }

  private static func moment(_ parser: inout SQLParser) throws(SQLProblem) -> BoundExpression.Node? {
    let expression = try parser.expression()
    return try? ExpressionBinder().bind(expression).node
  }

  mutating func createTrigger() throws(SQLProblem) {
    let name = try parser.name("the name of a trigger")
    let start = parser.location
    guard parser.skip("before", "update", "on") else {
      throw parser.problem(
        "a trigger other than BEFORE UPDATE is not understood.",
        "Understood is CREATE TRIGGER … BEFORE UPDATE ON … FOR EACH ROW EXECUTE FUNCTION …, which sets columns to now().",
        at: start)
    }
    let here = parser.location
    let table = try parser.qualifiedName("a table")
    guard let place = tables.firstIndex(where: { $0.name == table }) else {
      throw missingTable(table, at: here)
    }
    try parser.expect("for")
    _ = parser.skip("each")
    try parser.expect("row", "execute")
    guard parser.skip("function") || parser.skip("procedure") else { throw parser.unexpected("FUNCTION") }
    let location = parser.location
    let function = try parser.qualifiedName("a function")
    try parser.expect(symbol: "(")
    try parser.expect(symbol: ")")
    guard let columns = triggerFunctions[function] else {
      throw parser.problem(
        "there is no function \(function).", "Create it before the trigger.", at: location)
    }
    for column in columns {
      guard let index = tables[place].column(column), tables[place].columns[index].type == .timestamp else {
        throw parser.problem(
          "the table \(table) has no column \(column) of type timestamptz, which the function sets.",
          "Add the column, or take the trigger out.", at: location)
      }
      tables[place].columns[index].isSetOnUpdate = true
    }
    tables[place].triggers.append(name)
  }
}
