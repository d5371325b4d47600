extension JSONValue {
  /// The document without white space, with its members in order.
  package var compactText: String {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes the document in UTF-8 on one line, with its members in order.
  ///
  /// - Parameter hasSpaces: Whether a space follows each comma and each colon.
  package func write(into bytes: inout [UInt8], hasSpaces: Bool = false) {
    func separate(with separator: Unicode.Scalar) {
      bytes.append(UInt8(ascii: separator))
      if hasSpaces { bytes.append(0x20) }
    }
    switch self {
    case .null: bytes += "null".utf8
    case .boolean(let value): bytes += (value ? "true" : "false").utf8
    case .number(let digits): bytes += digits.utf8
    case .string(let string): Self.write(string, into: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { separate(with: ",") }
        element.write(into: &bytes, hasSpaces: hasSpaces)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { separate(with: ",") }
        Self.write(member.name, into: &bytes)
        separate(with: ":")
        member.value.write(into: &bytes, hasSpaces: hasSpaces)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Writes the document in UTF-8 with indentation.
  ///
  /// - Parameters:
  ///   - depth: The nesting depth in the enclosing document; the first line is not indented.
  ///   - joinsFewScalars: Whether an object of few scalars is on one line.
  package func writeIndented(into bytes: inout [UInt8], depth: Int = 0, joinsFewScalars: Bool = true) {
    var compact: [UInt8] = []
    write(into: &compact)
    JSONIndentation.write(compact[...], depth: depth, joinsFewScalars: joinsFewScalars, into: &bytes)
  }

  /// Writes a string in quotes, with the escapes that RFC 8259 §7 requires.
  private static func write(_ string: String, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    func write(_ text: UnsafeBufferPointer<UInt8>) {
      let reader = JSONReader(UnsafeRawBufferPointer(text))
      var position = 0
      while true {
        let end = reader.endOfUnescaped(from: position)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[position..<end]))
        guard end < text.count else { break }
        // Near a byte to escape there are often others, as in JSON inside of JSON.
        let piece = text[end...].prefix(pieceLength)
        writeEscaped(UnsafeBufferPointer(rebasing: piece), into: &bytes)
        position = piece.endIndex
      }
    }
    if string.utf8.withContiguousStorageIfAvailable(write) == nil {
      Array(string.utf8).withUnsafeBufferPointer(write)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static var pieceLength: Int { 128 }

  /// Writes a piece of a string byte by byte.
  private static func writeEscaped(_ piece: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    // The longest escape has six bytes.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 6 * piece.count) { escaped in
      var count = 0
      for byte in piece {
        guard byte < 0x20 || byte == 0x22 || byte == 0x5C else {
          escaped[count] = byte
          count &+= 1
          continue
        }
        let letter = letter(escaping: byte)
        escaped[count] = UInt8(ascii: "\\")
        escaped[count &+ 1] = letter
        count &+= 2
        guard letter == UInt8(ascii: "u") else { continue }
        for digit in [0, 0, byte >> 4, byte & 15] {
          escaped[count] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
          count &+= 1
        }
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: escaped[..<count]))
    }
  }

  /// Returns the letter after the backslash; `u` for a byte without an escape of two characters.
  private static func letter(escaping byte: UInt8) -> UInt8 {
    switch byte {
    case 0x22, 0x5C: byte
    case 0x08: UInt8(ascii: "b")
    case 0x0C: UInt8(ascii: "f")
    case 0x0A: UInt8(ascii: "n")
    case 0x0D: UInt8(ascii: "r")
    case 0x09: UInt8(ascii: "t")
    default: UInt8(ascii: "u")
    }
  }
}

/// A formatter that indents a document without white space, with two spaces for each level.
///
/// It works on the text, so that formatting does not require parsing.
package struct JSONIndentation {
  /// An array or an object that is still open.
  private struct Container {
    let isObject: Bool
    /// The positions of its first three line breaks.
    var breaks: (Int, Int, Int)
    var count = 1
    /// Whether it contains no arrays or objects.
    var isFlat = true
  }

  /// The maximum number of scalars of an object on a single line.
  private static let fewMembers = 3

  private var open: [Container] = []
  private let depth: Int
  private let joinsFewScalars: Bool

  /// Formats a document, which must be valid.
  ///
  /// - Parameters:
  ///   - depth: The nesting depth in the enclosing document; the first line is not indented.
  ///   - joinsFewScalars: Whether an object of few scalars is on one line.
  package static func write(
    _ compact: ArraySlice<UInt8>, depth: Int, joinsFewScalars: Bool = true, into bytes: inout [UInt8]
  ) {
    var indentation = JSONIndentation(depth: depth, joinsFewScalars: joinsFewScalars)
    compact.withUnsafeBufferPointer { indentation.write($0, into: &bytes) }
  }

  private init(depth: Int, joinsFewScalars: Bool) {
    (self.depth, self.joinsFewScalars) = (depth, joinsFewScalars)
  }

  private mutating func write(_ compact: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    let reader = JSONReader(UnsafeRawBufferPointer(compact))
    var position = 0
    while position < compact.count {
      let byte = compact[position]
      switch byte {
      case UInt8(ascii: "\""):
        // A string that is not valid is not examined further.
        let end = (try? reader.text(from: position).end + 1) ?? compact.count
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: compact[position..<end]))
        position = end
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if !open.isEmpty { open[open.count - 1].isFlat = false }
        bytes.append(byte)
        let isEmpty = position + 1 < compact.count && (compact[position + 1] | 0x20) == 0x7D
        if isEmpty {
          position += 1
          bytes.append(compact[position])
        } else {
          open.append(Container(isObject: byte == UInt8(ascii: "{"), breaks: (bytes.count, 0, 0)))
          breakLine(into: &bytes)
        }
      case UInt8(ascii: ","):
        bytes.append(byte)
        note(bytes.count)
        breakLine(into: &bytes)
      case UInt8(ascii: ":"):
        bytes.append(byte)
        bytes.append(0x20)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        close(with: byte, into: &bytes)
      default:
        bytes.append(byte)
      }
      position += 1
    }
  }

  private mutating func note(_ place: Int) {
    guard let last = open.indices.last else { return }
    switch open[last].count {
    case 1: open[last].breaks.1 = place
    case 2: open[last].breaks.2 = place
    default: break
    }
    open[last].count += 1
  }

  private func breakLine(into bytes: inout [UInt8]) {
    bytes.append(0x0A)
    bytes += repeatElement(0x20, count: 2 * (depth + open.count))
  }

  private mutating func close(with bracket: UInt8, into bytes: inout [UInt8]) {
    let width = 1 + 2 * (depth + open.count)
    guard let container = open.popLast() else { return bytes.append(bracket) }
    if joinsFewScalars && container.isObject && container.isFlat && container.count <= Self.fewMembers {
      Self.join(container, width: width, in: &bytes)
      bytes.append(0x20)
    } else {
      breakLine(into: &bytes)
    }
    bytes.append(bracket)
  }

  /// Replaces each line break and its indentation with a space.
  private static func join(_ container: Container, width: Int, in bytes: inout [UInt8]) {
    let breaks = [container.breaks.0, container.breaks.1, container.breaks.2].prefix(container.count)
    var target = container.breaks.0
    for (number, start) in breaks.enumerated() {
      let end = number + 1 < breaks.count ? breaks[number + 1] : bytes.count
      bytes[target] = 0x20
      let count = end - (start + width)
      // A string can be long, and its bytes overlap with their new place.
      bytes.withUnsafeMutableBytes { bytes in
        guard count > 0, let base = bytes.baseAddress else { return }
        (base + target + 1).copyMemory(from: base + start + width, byteCount: count)
      }
      target += 1 + count
    }
    bytes.removeLast(bytes.count - target)
  }
}
