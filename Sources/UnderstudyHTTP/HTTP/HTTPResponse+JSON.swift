public import Foundation

extension HTTP.Response {
  /// A response whose body is a value as JSON.
  ///
  /// - Parameters:
  ///   - value: What the body says.
  ///   - status: The status code.
  ///   - encoder: How the value is written; `nil` sorts the keys, so that a recording is the same each time.
  /// - Throws: What the encoder throws.
  public static func json(
    _ value: some Encodable, status: Int = 200, encoder: JSONEncoder? = nil
  ) throws -> HTTP.Response {
    let sorting = JSONEncoder()
    sorting.outputFormatting = .sortedKeys
    return HTTP.Response(
      status: status, body: try (encoder ?? sorting).encode(value), contentType: "application/json")
  }
}
