/// A field line of a head (RFC 9112 §5) or of a trailer section.
struct FieldLine: Sendable {
  let name: ArraySlice<UInt8>
  let value: ArraySlice<UInt8>

  init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    guard let first = line.first, !first.isBlank else {
      throw .malformed("A field continues on a second line, which HTTP/1.1 does not allow (RFC 9112 §5.2).")
    }
    guard let colon = line.firstIndex(of: .colon), colon > line.startIndex else {
      throw .malformed("A field line has no name and colon (RFC 9112 §5).")
    }
    name = line[..<colon]
    guard name.allSatisfy(\.isToken) else {
      throw .malformed(
        "The name of a field has an invalid character, or a space before the colon "
          + "(RFC 9112 §5.1).")
    }
    value = line[(colon + 1)...].trimmingBlanks
    guard value.allSatisfy(\.isFieldContent) else {
      throw .malformed(
        "The value of \(name.text) contains a control character (RFC 9110 §5.5).")
    }
  }
}
