import Foundation

/// What is wrong with a JSON text, for people.
enum JSONProblem {
  /// A part of a sentence, such as `contracts[0].name is missing`.
  static func sentence(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(context.codingPath.isEmpty ? "the document" : path(context.codingPath)) is of another type"
    // What Foundation says of a text that it cannot read has no place in it.
    case DecodingError.dataCorrupted(let context)
    where context.codingPath.isEmpty && context.debugDescription.contains("not valid JSON"):
      "it is not JSON"
    case DecodingError.dataCorrupted(let context):
      (context.codingPath.isEmpty ? "" : "\(path(context.codingPath)): ")
        + withoutStop(context.debugDescription)
    default: withoutStop("\(error)")
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce("") { path, key in
      if let index = key.intValue { return "\(path)[\(index)]" }
      return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
    }
  }

  private static func withoutStop(_ sentence: String) -> String {
    let line = sentence.split(separator: "\n").joined(separator: " ")
    return line.hasSuffix(".") ? String(line.dropLast()) : line
  }
}
