package import Foundation

extension Data {
  /// A value as JSON with its members in alphabetical order, so that the same value is the same bytes.
  package static func json(of value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only strings, integers, booleans and null are ever encoded here, and none of them can be refused.
    return (try? encoder.encode(value)) ?? Data()
  }
}
