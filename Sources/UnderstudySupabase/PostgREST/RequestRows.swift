import Foundation
import UnderstudyHTTP

/// The rows of a request's body, parsed for the columns of a table.
struct RequestRows {
  let rows: [NewValues]
  /// Whether the request names each column of the table, even if a row has no value for it.
  let named: [Bool]
  /// Whether the body names no columns, so that an update changes nothing.
  let namesNoColumns: Bool

  /// - Throws: PGRST102, PGRST204, 22023, or the error of a value that is invalid for its column's
  ///   type.
  init(
    _ request: HTTP.Request, for layout: RowLayout, columns: [String]?, usesDefaultsForMissing: Bool
  ) throws(PostgRESTError) {
    if let type = request.fields["Content-Type"], !type.lowercased().hasPrefix("application/json") {
      let name = type.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
      if ["text/csv", "application/x-www-form-urlencoded"].contains(name) {
        throw .notSupported("bodies of the type \(name)")
      }
      throw .unusableBody("Content-Type not acceptable: \(type)")
    }
    guard let data = request.body else { throw .unusableBody() }
    try self.init(
      parsing: data, for: layout, columns: columns, usesDefaultsForMissing: usesDefaultsForMissing)
  }

  /// - Throws: The errors of the initializer with a request, except for its fields.
  init(
    parsing data: Data, for layout: RowLayout, columns: [String]? = nil, usesDefaultsForMissing: Bool
  ) throws(PostgRESTError) {
    guard let body = try? JSONValue(parsing: data) else { throw .unusableBody() }
    let elements: [JSONValue] =
      switch body {
      case .array(let elements): elements
      case .object: [body]
      // PostgREST treats any other document as an empty array.
      default: []
      }
    let named: [String]
    if let columns { named = columns } else { named = try Self.names(in: elements) }
    if let unknown = named.first(where: { layout.positions[$0] == nil }) {
      throw .columnNotInCache(unknown, table: layout.relation)
    }
    let isNamed = layout.columns.map { named.contains($0.name) }
    var rows: [NewValues] = []
    for element in elements {
      guard case .object(let members) = element else {
        throw PostgRESTError(
          code: "22023", message: "argument of json_to_recordset must be an array of objects")
      }
      let given = Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
      var values: NewValues = []
      for (column, isNamed) in zip(layout.columns, isNamed) {
        if isNamed, let value = given[column.name] {
          values.append(try column.type.value(fromJSON: value, column: column.name))
        } else {
          // Named, but not in this object: NULL, unless `missing=default`.
          values.append(isNamed && !usesDefaultsForMissing ? .null : nil)
        }
      }
      rows.append(values)
    }
    self.rows = rows
    self.named = isNamed
    namesNoColumns = named.isEmpty
  }

  /// Returns the names of the members, which must be the same in all objects.
  private static func names(in elements: [JSONValue]) throws(PostgRESTError) -> [String] {
    var names: [String]?
    for element in elements {
      guard case .object(let members) = element else { throw .unusableBody("All object keys must match") }
      let own = members.map(\.name)
      if let names, Set(names) != Set(own) { throw .unusableBody("All object keys must match") }
      names = names ?? own
    }
    return names ?? []
  }
}

extension ColumnType {
  /// Converts a JSON value to a value of the type (`json_populate_record`).
  func value(fromJSON json: JSONValue, column: String) throws(PostgRESTError) -> ColumnValue {
    switch (self, json) {
    case (_, .null): return .null
    case (.json, _): return try value(from: .json(json), column: column)
    case (_, .string(let text)): return try value(fromText: text)
    case (.textArray, .array(let elements)):
      // The first element decides whether the others are arrays (`populate_array`).
      if case .array? = elements.first { throw .notSupported("arrays of arrays") }
      let texts: [String?] = elements.map { element in
        switch element {
        case .null: nil
        case .string(let text): text
        default: element.text
        }
      }
      return try value(from: .textArray(texts), column: column)
    case (.textArray, _):
      throw PostgRESTError(
        code: "22P02", message: "expected JSON array", hint: "See the value of key \"\(column)\".")
    default: return try value(fromText: json.text)
    }
  }
}

extension JSONValue {
  /// The document without the members that are `null` (`json_strip_nulls`).
  fileprivate var strippingNulls: JSONValue {
    switch self {
    case .object(let members):
      .object(members.filter { $0.value != .null }.map { .init($0.name, $0.value.strippingNulls) })
    case .array(let elements): .array(elements.map(\.strippingNulls))
    default: self
    }
  }
}

/// A writer of rows as the JSON of PostgREST, with the columns that the request selects.
struct RowWriter {
  private let columns: [(label: String, place: Int)]
  private let stripsNulls: Bool

  /// - Parameter stripsNulls: Whether members that are `null` are left out, also within documents.
  /// - Throws: 42703.
  init(
    _ selected: [QueryParameters.Selected]?, for layout: RowLayout, strippingNulls stripsNulls: Bool = false
  ) throws(PostgRESTError) {
    self.stripsNulls = stripsNulls
    var columns: [(name: String, place: Int)] = []
    func addAll() { columns += layout.columns.enumerated().map { ($1.name, $0) } }
    if let selected {
      for item in selected {
        if item.column == "*" {
          addAll()
        } else {
          columns.append((item.name, try layout.column(item.column).0))
        }
      }
    } else {
      addAll()
    }
    self.columns = columns.map { column in
      var label = ""
      JSONValue.quote(column.name, into: &label)
      return (label + ":", column.place)
    }
  }

  /// Returns the rows as an array with the separators of `json_agg`: a comma, a space, a line feed and a space.
  ///
  /// `json_strip_nulls` writes no space.
  func array(_ rows: [DatabaseRow]) -> Data {
    var text = "["
    for (index, row) in rows.enumerated() {
      if index > 0 { text += stripsNulls ? "," : ", \n " }
      write(row, to: &text)
    }
    return Data((text + "]").utf8)
  }

  /// Returns one row as an object.
  func object(_ row: DatabaseRow) -> Data {
    var text = ""
    write(row, to: &text)
    return Data(text.utf8)
  }

  private func write(_ row: DatabaseRow, to text: inout String) {
    text += "{"
    var isFirst = true
    for column in columns {
      if stripsNulls, row.values[column.place].isNull { continue }
      if !isFirst { text += "," }
      isFirst = false
      text += column.label
      if stripsNulls, case .json(let document) = row.values[column.place] {
        text += document.strippingNulls.compactText
      } else if case .textArray(let elements) = row.values[column.place] {
        // `to_json` of an array, unlike a `jsonb`, has no space after a comma.
        text += "["
        for (index, element) in elements.enumerated() {
          if index > 0 { text += "," }
          (element.map(JSONValue.string) ?? .null).write(to: &text)
        }
        text += "]"
      } else {
        row.values[column.place].json.write(to: &text)
      }
    }
    text += "}"
  }
}
