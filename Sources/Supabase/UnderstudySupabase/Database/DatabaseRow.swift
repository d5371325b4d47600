import Foundation
package import UnderstudyPostgreSQL
import UnderstudyHTTP

/// A row of a table, as Swift code reads it.
package struct DatabaseRow: Sendable {
  package let table: QualifiedName
  let columns: [Column]
  let primaryKey: [String]
  package let values: Row

  init(_ table: Table, _ values: Row) {
    self.table = table.name
    columns = table.columns
    primaryKey = table.primaryKey?.columns(of: table)?.map { table.columns[$0].name } ?? []
    self.values = values
  }

  /// The value of a column; `NULL` for a column that does not exist.
  package subscript(column: String) -> ColumnValue {
    guard let index = columns.firstIndex(where: { $0.name == column }), index < values.count else {
      return .null
    }
    return ColumnValue(values[index], columns[index].type)
  }

  /// A column's value as PostgreSQL writes it in JSON.
  func json(_ column: String, _ session: Session) -> JSONValue {
    guard let index = columns.firstIndex(where: { $0.name == column }),
      let bytes = try? session.json(values[index], as: BoundType(columns[index].type)),
      let json = try? JSONValue(parsing: Data(bytes))
    else { return .null }
    return json
  }
}

extension DatabaseRow: Equatable {
  package static func == (left: Self, right: Self) -> Bool {
    left.table == right.table && left.values == right.values
  }
}

extension ColumnValue {
  /// The value of a column of the engine.
  init(_ value: Value, _ type: DataType) {
    switch value {
    case .null: self = .null
    case .boolean(let isTrue): self = .boolean(isTrue)
    case .integer(let number): self = .integer(Int(number))
    case .double(let number): self = .double(number)
    case .text(let text), .label(let text, _): self = .text(text)
    case .uuid(let id): self = .uuid(UUID(id))
    case .date(let days):
      self = CivilDate(daysSince1970: Int(days) + 10_957).map(ColumnValue.date) ?? .null
    case .timestamp(let microseconds):
      self =
        Timestamp(microseconds: microseconds &+ Timestamp.from1970To2000).map { .timestamp($0.date) } ?? .null
    case .jsonb(let document): self = ColumnValue.document(document.text)
    case .json(let text): self = ColumnValue.document(text)
    case .array(let array):
      self = .textArray(
        array.elements.map { element in
          switch element {
          case .null: nil
          case .text(let text), .label(let text, _): text
          default: ColumnValue(element, type).text
          }
        })
    case .numeric(let number): self = .text(number.text)
    default: self = .text(String(describing: value))
    }
  }

  private static func document(_ text: String) -> ColumnValue {
    (try? JSONValue(parsing: Data(text.utf8))).map(ColumnValue.json) ?? .null
  }

  /// The value as a literal whose type its column decides.
  package var expression: SQLExpression {
    switch self {
    case .null: .null
    case .boolean(let value): .string(value ? "true" : "false")
    case .textArray(let elements): .string(ArrayText.literal(elements))
    default: .string(text)
    }
  }
}

/// The notation of an array in a literal (PostgreSQL documentation, 8.15.2).
enum ArrayText {
  static func literal(_ elements: [String?]) -> String {
    "{" + elements.map { $0.map(quoted) ?? "NULL" }.joined(separator: ",") + "}"
  }

  /// An element, in quotes whatever it contains.
  static func quoted(_ element: String) -> String {
    "\"" + element.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

extension UUID {
  init(_ id: UniqueIdentifier) {
    self.init(
      uuid: (
        id.high.byte(0), id.high.byte(1), id.high.byte(2), id.high.byte(3), id.high.byte(4), id.high.byte(5),
        id.high.byte(6), id.high.byte(7), id.low.byte(0), id.low.byte(1), id.low.byte(2), id.low.byte(3),
        id.low.byte(4), id.low.byte(5), id.low.byte(6), id.low.byte(7)
      ))
  }
}

extension UInt64 {
  fileprivate func byte(_ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: self >> (56 - index * 8)) }
}
