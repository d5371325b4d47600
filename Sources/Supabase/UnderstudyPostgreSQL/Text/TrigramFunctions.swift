/// The similarity of texts by their trigrams, as in the extension pg_trgm (PostgreSQL documentation, F.33).
extension Function {
  static let trigrams: [Function] = [
    Function(
      "similarity", [.text, .text], returns: .real, .scalar { a, _ in .double(Double(similarity(a))) }),
    Function(
      "show_trgm", [.text], returns: .array(.text),
      .scalar { a, _ in
        Value(trigrams(of: a.text(0)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      }),
  ]

  /// The share of the trigrams of both that are common, in the precision of `real`.
  fileprivate static func similarity(_ a: [Value]) -> Float {
    let (left, right) = (trigrams(of: a.text(0)), trigrams(of: a.text(1)))
    let common = left.intersection(right).count
    let all = left.count + right.count - common
    return left.isEmpty || right.isEmpty ? 0 : Float(common) / Float(all)
  }

  /// Three letters or digits in a row, in lower case.
  ///
  /// A word begins with two spaces and ends with one.
  private static func trigrams(of text: String) -> Set<String> {
    var trigrams: Set<String> = []
    let words = lowercased(text).unicodeScalars.split { !CharacterClass.Name.alnum.contains($0) }
    for word in words {
      let padded = Array("  ".unicodeScalars) + word + Array(" ".unicodeScalars)
      for index in 0..<padded.count - 2 { trigrams.insert(string(padded[index..<index + 3])) }
    }
    return trigrams
  }
}

extension Operator {
  static let trigrams: [Operator] = [
    Operator(
      .text, "%", .text, returns: .boolean,
      .scalar { a, context in
        let threshold = context.setting("pg_trgm.similarity_threshold").flatMap(Float.init) ?? 0.3
        return .boolean(Function.similarity(a) >= threshold)
      }),
    Operator(
      .text, "<->", .text, returns: .real, .scalar { a, _ in .double(Double(1 - Function.similarity(a))) }),
  ]
}
