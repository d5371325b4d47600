import Testing
import UnderstudyTesting

/// A name of a parameterized test case, derived from its arguments so that it is the same in every run.
enum CaseName {
  static func appended(to name: String, of testCase: Test.Case) throws -> String {
    guard testCase.isParameterized else { return name }
    let arguments = TestArguments.values(of: testCase)
    // Without them the cases would share one recording, so the error says what to do instead.
    guard !arguments.isEmpty else {
      throw CaseNameError(name: name)
    }
    return name + "/" + fileName(arguments.map { $0 as? String ?? String(describingForTest: $0) })
  }

  /// The words as a file name that is valid on any system; a number distinguishes names that could be confused.
  static func fileName(_ words: [String]) -> String {
    let isPlain = words.allSatisfy { word in
      !word.isEmpty && word.utf8.count <= 60 && word.first != "."
        && word.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2E }
    }
    guard !isPlain else { return words.joined(separator: "-") }
    let letters = words.joined(separator: "-").prefix(60).map { character in
      character.isASCII && (character.isLetter || character.isNumber) ? character : "-"
    }
    // FNV-1a, because Swift's own hash differs between runs.
    let hash = words.joined(separator: "\u{1F}").utf8.reduce(UInt32(0x811C_9DC5)) {
      ($0 ^ UInt32($1)) &* 0x0100_0193
    }
    return String(letters) + "-" + String(hash, radix: 16)
  }
}

/// An error thrown when the arguments of a case cannot be found.
struct CaseNameError: Error, CustomStringConvertible {
  let name: String

  var description: String {
    """
    The arguments of this case cannot be read, and they name its recording \(name)/…. Leave the trait out, and in \
    the test write: try await withRecording("\(name)/\\(argument)") { … }
    """
  }
}
