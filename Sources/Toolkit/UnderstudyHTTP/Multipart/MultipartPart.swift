import Foundation

/// A part of a multipart body (RFC 2046 §5.1), as sent by forms with files (RFC 7578).
package struct MultipartPart: Hashable, Sendable {
  /// The name of the form's field.
  package var name: String
  /// The name of the file; `nil` for a field that is not a file.
  package var fileName: String?
  /// The `Content-Type`.
  package var type: String?
  /// The contents.
  package var bytes: [UInt8]

  /// Returns the parts of a body.
  ///
  /// - Parameters:
  ///   - body: The bytes.
  ///   - type: The `Content-Type`, which contains the boundary.
  /// - Returns: `nil` if the body does not match its type.
  package static func parts(of body: [UInt8], type: String) -> [MultipartPart]? {
    guard let boundary = parameter("boundary", of: type), (1...70).contains(boundary.utf8.count) else {
      return nil
    }
    let delimiter = Array("\r\n--\(boundary)".utf8)
    // The first delimiter may be at the very beginning.
    let bytes = Array("\r\n".utf8) + body
    guard var position = place(of: delimiter, in: bytes, from: 0) else { return nil }
    var parts: [MultipartPart] = []
    while true {
      position += delimiter.count
      if bytes[position...].starts(with: "--".utf8) { return parts }
      // White space is allowed after a boundary.
      while position < bytes.count, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
      guard bytes[position...].starts(with: "\r\n".utf8),
        let end = place(of: delimiter, in: bytes, from: position)
      else { return nil }
      guard let part = part(bytes[position..<end]) else { return nil }
      parts.append(part)
      position = end
    }
  }

  /// - Parameter bytes: A line break, header fields, an empty line and the contents.
  private static func part(_ bytes: ArraySlice<UInt8>) -> MultipartPart? {
    let whole = Array(bytes)
    guard let end = place(of: Array("\r\n\r\n".utf8), in: whole, from: 0) else { return nil }
    var part = MultipartPart(name: "", bytes: Array(whole[(end + 4)...]))
    for line in String(decoding: whole[..<end], as: UTF8.self).components(separatedBy: "\r\n") {
      let halves = line.split(separator: ":", maxSplits: 1)
      guard halves.count == 2 else { continue }
      let value = halves[1].trimmingCharacters(in: .whitespaces)
      switch halves[0].lowercased() {
      case "content-disposition":
        part.name = parameter("name", of: value) ?? ""
        part.fileName = parameter("filename*", of: value) ?? parameter("filename", of: value)
      case "content-type":
        part.type = value
      default: break
      }
    }
    return part
  }

  /// Returns the value of a parameter of a field (RFC 9110 §5.6.6), without its quotes.
  static func parameter(_ name: String, of field: String) -> String? {
    var rest = field.drop { $0 != ";" }
    while rest.popFirst() != nil {
      let found = rest.prefix { $0 != "=" && $0 != ";" }
      rest = rest.dropFirst(found.count)
      var value = ""
      if rest.first == "=" {
        rest = rest.dropFirst()
        if rest.first == "\"" {
          rest = rest.dropFirst()
          while let character = rest.popFirst(), character != "\"" {
            if character == "\\", let next = rest.first, next == "\\" || next == "\"" {
              value.append(next)
              rest = rest.dropFirst()
            } else {
              value.append(character)
            }
          }
        } else {
          value = rest.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
        }
      }
      if found.trimmingCharacters(in: .whitespaces).lowercased() == name { return value }
      rest = rest.drop { $0 != ";" }
    }
    return nil
  }

  private static func place(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    var position = start
    while let first = bytes[position...].firstIndex(of: pattern[0]) {
      if bytes[first...].starts(with: pattern) { return first }
      position = first + 1
    }
    return nil
  }
}
