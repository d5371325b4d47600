public import Foundation

extension HTTP.Response {
  /// Creates a response with a value as its JSON body.
  ///
  /// - Parameters:
  ///   - value: The value to encode.
  ///   - status: The status code.
  ///   - encoder: The encoder.
  /// - Throws: The error of the encoder.
  public static func json(
    _ value: some Encodable, status: Int = 200, encoder: JSONEncoder? = nil
  ) throws -> HTTP.Response {
    let sorting = JSONEncoder()
    sorting.outputFormatting = .sortedKeys
    return HTTP.Response(
      status: status, body: try (encoder ?? sorting).encode(value), contentType: "application/json")
  }
}
