import Foundation

/// What is wrong with a JSON text, for people.
enum JSONProblem {
  /// A part of a sentence, such as `contracts[0].name is missing`.
  static func sentence(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): "\(path(context.codingPath + [key])) is missing"
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      "\(path(context.codingPath)) is no \(type)"
    case DecodingError.dataCorrupted(let context) where context.underlyingError == nil:
      (context.codingPath.isEmpty ? "" : "\(path(context.codingPath)): ")
        + withoutStop(context.debugDescription)
    case DecodingError.dataCorrupted: "it is not JSON"
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
