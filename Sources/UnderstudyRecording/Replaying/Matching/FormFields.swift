import UnderstudyHTTP

/// The decoded fields of a form (`application/x-www-form-urlencoded`), in order.
enum FormFields {
  /// - Returns: `nil` if an escape is invalid or does not decode to UTF-8, so that the bytes are compared.
  static func fields(of body: [UInt8]) -> [(name: String, value: [UInt8])]? {
    var fields: [(name: String, value: [UInt8])] = []
    for item in body.split(separator: UInt8(ascii: "&")) {
      let name = item.prefix { $0 != UInt8(ascii: "=") }
      guard let text = decoded(name).flatMap({ String(exactlyUTF8: $0) }),
        let value = decoded(item.dropFirst(name.count + 1)), String(exactlyUTF8: value) != nil
      else { return nil }
      fields.append((text, value))
    }
    return fields
  }

  private static func decoded(_ encoded: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encoded.count)
    var rest = encoded
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
          return nil
        }
        bytes.append(high << 4 | low)
      default:
        bytes.append(byte)
      }
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
