public import Foundation

extension HTTP.Response {
  /// A response whose body is a value as JSON.
  ///
  /// - Parameters:
  ///   - value: What the body says.
  ///   - status: The status code.
  ///   - encoder: How the value is written.
  /// - Throws: What the encoder throws.
  public static func json(
    _ value: some Encodable, status: Int = 200, encoder: JSONEncoder = JSONEncoder()
  ) throws -> HTTP.Response {
    HTTP.Response(status: status, body: try encoder.encode(value), contentType: "application/json")
  }
}
