/// Writes trees as SQL that reads as the same tree.
///
/// Names are quoted and operands put in parentheses where the grammar requires it.
package struct Printer {
  private(set) var text = ""

  init() {}

  mutating func write(_ part: String) { text += part }

  mutating func writeName(_ name: String) { write(Self.identifier(name)) }

  mutating func write(_ name: QualifiedName) {
    if let schema = name.schema {
      writeName(schema)
      write(".")
    }
    writeName(name.name)
  }

  mutating func writeNames(_ names: [String]) {
    writeList(names) { printer, name in printer.writeName(name) }
  }

  mutating func writeNamesInParentheses(_ names: [String]) {
    write("(")
    writeNames(names)
    write(")")
  }

  mutating func writeList<Element>(_ elements: [Element], _ writeElement: (inout Printer, Element) -> Void) {
    for (position, element) in elements.enumerated() {
      if position > 0 { write(", ") }
      writeElement(&self, element)
    }
  }

  mutating func writeExpressions(_ expressions: [SQLExpression]) {
    writeList(expressions) { printer, expression in printer.write(expression) }
  }

  mutating func writeInParentheses(_ query: Query) {
    write("(")
    write(query)
    write(")")
  }

  /// A name as an identifier, in quotes unless it is in lower case and no keyword that could be misread.
  package static func identifier(_ name: String) -> String {
    let isPlain =
      name.utf8.first.map { isLowerCaseStart($0) } == true
      && name.utf8.allSatisfy { isLowerCaseStart($0) || Lexer.isDigit($0) }
    if isPlain, Keyword.category(of: name).map({ $0 == .unreserved }) ?? true { return name }
    return "\"" + doubled(name, UInt8(ascii: "\"")) + "\""
  }

  private static func isLowerCaseStart(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
  }

  /// A string as a literal.
  ///
  /// One with a backslash is written so that `standard_conforming_strings` does not matter.
  package static func literal(_ value: String) -> String {
    let quoted = doubled(value, UInt8(ascii: "'"))
    guard quoted.utf8.contains(UInt8(ascii: "\\")) else { return "'\(quoted)'" }
    return "E'\(doubled(quoted, UInt8(ascii: "\\")))'"
  }

  private static func doubled(_ text: String, _ byte: UInt8) -> String {
    guard text.utf8.contains(byte) else { return text }
    var result: [UInt8] = []
    for unit in text.utf8 {
      result.append(unit)
      if unit == byte { result.append(unit) }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension SQLExpression {
  /// The expression as SQL.
  package var sql: String {
    var printer = Printer()
    printer.write(self)
    return printer.text
  }
}

extension Query {
  /// The query as SQL.
  package var sql: String {
    var printer = Printer()
    printer.write(self)
    return printer.text
  }
}

extension DataStatement {
  /// The statement as SQL.
  package var sql: String {
    var printer = Printer()
    printer.write(self)
    return printer.text
  }
}

extension QualifiedName {
  /// The name as SQL, with quotes where they are required.
  package var sql: String {
    var printer = Printer()
    printer.write(self)
    return printer.text
  }
}

// MARK: - Types

extension TypeName {
  /// The type as SQL, by the name that `format_type` gives it.
  package var sql: String {
    var result = (isSet ? "SETOF " : "") + element
    for _ in 0..<arrayDimensions { result += "[]" }
    return result
  }

  private var element: String {
    if isRowType { return "\(name.sql)%ROWTYPE" }
    if let columnOfType {
      return name.sql + (columnOfType.isEmpty ? "" : "." + Printer.identifier(columnOfType)) + "%TYPE"
    }
    let suffix = modifiers.isEmpty ? "" : "(" + modifiers.map(String.init).joined(separator: ", ") + ")"
    guard name.schema == nil else { return name.sql + suffix }
    switch name.name {
    case "int2": return "smallint"
    case "int4": return "integer"
    case "int8": return "bigint"
    case "float4": return "real"
    case "float8": return "double precision"
    case "bool": return "boolean"
    case "numeric": return "numeric" + suffix
    case "varchar": return "character varying" + suffix
    case "varbit": return "bit varying" + suffix
    // Without a length these names mean one of 1.
    case "bpchar" where !modifiers.isEmpty: return "character" + suffix
    case "bit" where !modifiers.isEmpty: return "bit" + suffix
    case "timestamp": return "timestamp\(suffix) without time zone"
    case "timestamptz": return "timestamp\(suffix) with time zone"
    case "time": return "time\(suffix) without time zone"
    case "timetz": return "time\(suffix) with time zone"
    case "interval": return "interval" + (intervalFields.map { " " + $0.rawValue } ?? "") + suffix
    default: return name.sql + suffix
    }
  }
}
