package import Testing

/// The arguments of a case of a parameterized test.
///
/// Testing has no public API for them (6.3), so they are found by reflection.
package enum TestArguments {
  /// The values of the arguments; none if they cannot be read, such as with a later version of Testing.
  package static func values(of testCase: Test.Case) -> [Any] {
    values(in: testCase, depth: 0)
  }

  /// Those at any depth of a part of the case.
  private static func values(in part: Any, depth: Int) -> [Any] {
    let children = Mirror(reflecting: part).children
    if let argument = children.first(where: { $0.label == "value" }),
      children.contains(where: { $0.label == "parameter" })
    {
      return [argument.value]
    }
    guard depth < 5 else { return [] }
    return children.flatMap { values(in: $0.value, depth: depth + 1) }
  }
}
