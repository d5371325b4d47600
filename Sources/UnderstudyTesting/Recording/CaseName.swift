import Testing
import UnderstudyRecording

/// A name for a case of a test with arguments, made of the arguments, so that it is the same in every run.
enum CaseName {
  static func appended(to name: String, of testCase: Test.Case) throws -> String {
    guard testCase.isParameterized else { return name }
    let arguments = arguments(of: testCase)
    // Testing has no public way to the arguments of a case (6.3), so they are found by reflection, and should that
    // find nothing, a test says what to do instead of sharing one recording among its cases.
    guard !arguments.isEmpty else {
      throw CaseNameError(name: name)
    }
    return name + "/" + fileName(arguments.map { $0 as? String ?? String(describingForTest: $0) })
  }

  /// The values of the arguments, wherever a case keeps them.
  static func arguments(of value: Any, depth: Int = 0) -> [Any] {
    let children = Mirror(reflecting: value).children
    if let argument = children.first(where: { $0.label == "value" }),
      children.contains(where: { $0.label == "parameter" })
    {
      return [argument.value]
    }
    guard depth < 5 else { return [] }
    return children.flatMap { arguments(of: $0.value, depth: depth + 1) }
  }

  /// The words as the name of a file, the same on any system; what could be taken for another is told apart by a number.
  static func fileName(_ words: [String]) -> String {
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.utf8.count <= 60 && word.first != "."
        && word.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E }
    }
    guard !isPlain else { return words.joined(separator: "-") }
    let letters = words.joined(separator: "-").prefix(60).map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    // FNV-1a, because Swift's own hash differs from run to run.
    let hash = words.joined(separator: "\u{1F}").utf8.reduce(UInt32(0x811C_9DC5)) {
      ($0 ^ UInt32($1)) &* 0x0100_0193
    }
    return String(letters) + "-" + String(hash, radix: 16)
  }
}

/// The arguments of a case cannot be found.
struct CaseNameError: Error, CustomStringConvertible {
  let name: String

  var description: String {
    """
    The arguments of this case cannot be read, and they name its recording \(name)/…. Leave the trait out, and in \
    the test write: try await withRecording("\(name)/\\(argument)") { … }
    """
  }
}
