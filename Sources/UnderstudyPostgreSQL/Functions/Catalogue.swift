/// The functions that PostgreSQL has, by name. Each topic contributes a list.
package enum Functions {
  private static let lists: [[Function]] = [
    numbers,
    dates,
    enumerations,
    session,
    Function.collected,
  ]

  package static let all: [String: [Function]] = Dictionary(grouping: lists.joined(), by: \.name)

  package static func named(_ name: String) -> [Function] { all[name] ?? [] }
}

/// The operators that PostgreSQL has, by name.
package enum Operators {
  private static let lists: [[Operator]] = [
    numbers,
    dates,
    comparisons,
    Operator.collected,
  ]

  package static let all: [String: [Operator]] = Dictionary(grouping: lists.joined(), by: \.name)
}
