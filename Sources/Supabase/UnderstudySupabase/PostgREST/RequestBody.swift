import Foundation
import UnderstudyHTTP

/// The body of a request that writes rows or calls a function (`ApiRequest/Payload.hs`).
enum RequestBody: Sendable {
  /// A document with the names of its columns.
  case json(String, names: [String], isObject: Bool)
  /// The arguments of a form.
  case form([(name: String, value: String)])
  /// A body that is the only argument of a function.
  case raw(Data)

  /// - Parameters:
  ///   - columns: The parameter `columns`, with which the document itself is not examined.
  ///   - isCall: Whether a function is called.
  /// - Throws: PGRST102.
  init(_ request: HTTP.Request, columns: [String]?, isCall: Bool) throws(PostgRESTError) {
    let data = request.body ?? Data()
    let type = request.fields["Content-Type"] ?? "application/json"
    switch Self.mediaType(request) {
    case "application/json": self = try Self.json(data, columns: columns, isCall: isCall)
    case "text/csv":
      let rows = try CSVReader.rows(of: data)
      self = .json(
        JSONValue.array(rows.map { row in .object(row.map { .init($0.name, $0.value) }) }).compactText,
        names: rows.first.map { $0.map(\.name) } ?? [], isObject: false)
    case "application/x-www-form-urlencoded":
      let items = RequestTarget.items(of: String(decoding: data, as: UTF8.self)).map {
        (name: $0.name, value: $0.value)
      }
      if isCall {
        self = .form(items)
      } else {
        let members = Dictionary(items.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        self = .json(
          JSONValue.object(members.map { .init($0.key, .string($0.value)) }).compactText,
          names: Array(members.keys),
          isObject: true)
      }
    case "text/plain", "text/xml", "application/octet-stream":
      guard isCall else { throw .unusableBody("Content-Type not acceptable: \(type)") }
      self = .raw(data)
    default: throw .unusableBody("Content-Type not acceptable: \(type)")
    }
  }

  /// The media type of a request's body without its parameters.
  static func mediaType(_ request: HTTP.Request) -> String {
    (request.fields["Content-Type"] ?? "application/json").prefix { $0 != ";" }
      .trimmingCharacters(in: .whitespaces).lowercased()
  }

  private static func json(_ data: Data, columns: [String]?, isCall: Bool) throws(PostgRESTError)
    -> RequestBody
  {
    if let columns {
      guard let text = String(exactlyUTF8: data) else { throw .unusableBody() }
      let first = text.first { !$0.isWhitespace }
      return .json(text, names: columns, isObject: first == "{")
    }
    if data.isEmpty, isCall { return .json("{}", names: [], isObject: true) }
    guard let text = String(exactlyUTF8: data), let value = try? JSONValue(parsing: data) else {
      throw .unusableBody()
    }
    switch value {
    case .object(let members): return .json(text, names: members.map(\.name), isObject: true)
    case .array(let elements):
      guard let first = elements.first else { return .json("[]", names: [], isObject: false) }
      guard let names = names(of: first),
        elements.allSatisfy({ Self.names(of: $0).map(Set.init) == Set(names) })
      else { throw .unusableBody("All object keys must match") }
      return .json(text, names: names, isObject: false)
    // PostgREST treats any other document as an empty array.
    default: return .json("[]", names: [], isObject: false)
    }
  }

  private static func names(of value: JSONValue) -> [String]? {
    guard case .object(let members) = value else { return nil }
    return members.map(\.name)
  }
}

/// A reader of comma-separated values with a header (RFC 4180).
enum CSVReader {
  typealias Row = [(name: String, value: JSONValue)]

  /// - Throws: PGRST102.
  static func rows(of data: Data) throws(PostgRESTError) -> [Row] {
    guard let text = String(exactlyUTF8: data) else { throw .unusableBody() }
    var lines = try lines(of: text)
    guard !lines.isEmpty else { throw .unusableBody("parse error (not enough input) at \"\"") }
    let header = lines.removeFirst()
    var rows: [Row] = []
    for line in lines {
      guard line.count == header.count else {
        throw .unusableBody("All lines must have same number of fields")
      }
      rows.append(zip(header, line).map { ($0, $1 == "NULL" ? .null : .string($1)) })
    }
    return rows
  }

  private static func lines(of text: String) throws(PostgRESTError) -> [[String]] {
    var lines: [[String]] = []
    var line: [String] = []
    var value = ""
    var isQuoted = false
    var scalars = text.unicodeScalars.makeIterator()
    var pending = scalars.next()
    func isEmpty() -> Bool { line.isEmpty && value.isEmpty }
    while let scalar = pending {
      pending = scalars.next()
      switch scalar {
      case "\"" where isQuoted && pending == "\"":
        value += "\""
        pending = scalars.next()
      case "\"": isQuoted.toggle()
      case _ where isQuoted: value.unicodeScalars.append(scalar)
      case ",":
        line.append(value)
        value = ""
      case "\r" where pending == "\n": continue
      case "\n", "\r":
        if !isEmpty() { lines.append(line + [value]) }
        (line, value) = ([], "")
      default: value.unicodeScalars.append(scalar)
      }
    }
    guard !isQuoted else { throw .unusableBody("parse error (not enough input) at \"\"") }
    if !isEmpty() { lines.append(line + [value]) }
    return lines
  }
}
