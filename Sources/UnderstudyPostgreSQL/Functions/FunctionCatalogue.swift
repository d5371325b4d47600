/// The functions that PostgreSQL has, by their names.
package enum Functions {
  static let all: [Function] = Function.collected

  private static let byName: [String: [Function]] = Dictionary(grouping: all, by: \.name)

  static func named(_ name: String) -> [Function] { byName[name] ?? [] }
}

enum Operators {
  static let all: [String: [Operator]] = Dictionary(grouping: Operator.collected, by: \.name)
}
