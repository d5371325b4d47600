/// Gives constraints the names that PostgreSQL gives them when they have none.
struct ConstraintNames {
  private var taken: Set<String> = []

  /// Takes a name that was given; false if something else has it.
  mutating func take(_ name: String) -> Bool { taken.insert(name).inserted }

  /// A name of the table, the columns and a label, with a number after it where it is taken (`ChooseConstraintName`).
  mutating func generated(_ table: String, _ columns: [String], _ label: String) -> String {
    let columns = Self.cut(columns.joined(separator: "_"), to: 63)
    var name = Self.joined(table, columns, label)
    var number = 0
    while !take(name) {
      number += 1
      name = Self.joined(table, columns, label + String(number))
    }
    return name
  }

  /// At most 63 bytes, taken from the longer of both parts (`makeObjectName`).
  private static func joined(_ table: String, _ columns: String, _ label: String) -> String {
    let room = 63 - (label.utf8.count + 1) - (columns.isEmpty ? 0 : 1)
    var (tableLength, columnsLength) = (table.utf8.count, columns.utf8.count)
    while tableLength + columnsLength > room, tableLength + columnsLength > 0 {
      if tableLength > columnsLength { tableLength -= 1 } else { columnsLength -= 1 }
    }
    let parts = [cut(table, to: tableLength), cut(columns, to: columnsLength), label]
    return parts.filter { !$0.isEmpty }.joined(separator: "_")
  }

  /// As many whole characters as the bytes have room for (`pg_mbcliplen`).
  static func cut(_ text: String, to bytes: Int) -> String {
    guard text.utf8.count > bytes else { return text }
    var kept = ""
    for scalar in text.unicodeScalars {
      guard kept.utf8.count + String(scalar).utf8.count <= bytes else { break }
      kept.unicodeScalars.append(scalar)
    }
    return kept
  }
}
