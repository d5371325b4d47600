package import Foundation

extension Data {
  /// A value as JSON with sorted keys, so that equal values have equal bytes.
  package static func json(of value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Only strings, integers, booleans and null are encoded here, and encoding them cannot fail.
    return (try? encoder.encode(value)) ?? Data()
  }
}
