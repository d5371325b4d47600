import UnderstudyHTTP

/// The header fields in which the entries of a line differ, such as that of a tenant.
///
/// They are not compared, because many fields differ in each request. But if a request has one of the recorded values,
/// its response is that of an entry with the value.
struct DistinctFields: Sendable {
  /// The number of entries of the line, which may grow.
  let count: Int
  /// The values of each entry, by the names of the fields in lower case.
  private var values: [Int: [String: [String]]] = [:]

  /// - Parameter entries: The entries of the line.
  init(_ entries: [Int], in archive: IndexedArchive) {
    count = entries.count
    for number in entries {
      values[number] = HTTP.Fields(recorded: archive.request(at: number).headers).valuesByName
    }
    let names = Set(values.values.flatMap(\.keys))
    let same = names.filter { name in Set(values.values.map { $0[name] ?? [] }).count == 1 }
    for number in entries {
      for name in same { values[number]?[name] = nil }
    }
  }

  /// Whether the entries do not differ.
  var isEmpty: Bool { values.values.allSatisfy(\.isEmpty) }

  /// Returns the number of fields whose values a request and an entry have in common.
  ///
  /// - Parameter recorded: Returns a value as the recording most likely contains it.
  func agreement(of number: Int, with fields: [String: [String]], recorded: ([String]) -> [String]) -> Int {
    values[number]?.count { name, values in
      guard let asked = fields[name] else { return false }
      return asked == values || recorded(asked) == values
    } ?? 0
  }
}

extension HTTP.Fields {
  /// The values of each field, by its name in lower case.
  var valuesByName: [String: [String]] {
    reduce(into: [:]) { $0[$1.name.lowercased(), default: []].append($1.value) }
  }
}
