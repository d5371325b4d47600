import Understudy
import UnderstudyHTTP
import Foundation
import UnderstudyRecording

/// What makes two recorded requests the same one: method, path, query and body, without the origin and without secrets.
struct RequestIdentity: Hashable {
  private enum Body: Hashable {
    case none
    case json(JSONValue)
    case text([String])
    case bytes(Data)
  }

  private let method: HTTPMethod
  private let path: String
  /// In order of the alphabet.
  private let query: [String]
  private let body: Body

  init(_ request: HTTPArchive.Request) {
    method = request.method
    let target = RecordedURL(request.url).target
    path = SecretNames.masked(String(target.prefix { $0 != "?" }))
    query = SecretNames.masked(items: target.drop { $0 != "?" }.dropFirst()).filter { !$0.isEmpty }.sorted()
    body = Self.body(request.postData)
  }

  /// Method, path and query, for a person.
  var description: String {
    ("\(method) \(path)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))).visible
  }

  private static func body(_ data: HTTPArchive.PostData?) -> Body {
    guard let data, let body = data.body, !body.isEmpty else { return .none }
    if let json = try? JSONValue(parsing: body) { return .json(masked(json)) }
    guard let text = String(exactlyUTF8: body) else { return .bytes(body) }
    let isForm = data.mimeType?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
    return .text(isForm ? SecretNames.masked(items: text[...]) : [SecretNames.masked(text)])
  }

  /// The document without secrets, its members in order of their names, of which the last counts.
  private static func masked(_ json: JSONValue) -> JSONValue {
    switch json {
    case .string(let text): .string(SecretNames.masked(text))
    case .array(let elements): .array(elements.map { masked($0) })
    case .object(let members):
      .object(
        Dictionary(members.map { ($0.name, $0.value) }) { $1 }.sorted { $0.key < $1.key }.map { name, value in
          .init(name, SecretNames.contain(name) ? masked(secret: value) : masked(value))
        })
    case .null, .boolean, .number: json
    }
  }

  private static func masked(secret value: JSONValue) -> JSONValue {
    switch value {
    case .string, .number: .string(SecretNames.mask)
    default: masked(value)
    }
  }
}
