import UnderstudyHTTP

/// A formatter that indents a document without white space, with two spaces for each level.
///
/// It works on the text, so that formatting does not require parsing.
struct JSONIndentation {
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

  /// Formats a document, which must be valid.
  ///
  /// - Parameter depth: The nesting depth in the enclosing document; the first line is not indented.
  static func write(_ compact: ArraySlice<UInt8>, depth: Int, into bytes: inout [UInt8]) {
    var indentation = JSONIndentation(depth: depth)
    compact.withUnsafeBufferPointer { indentation.write($0, into: &bytes) }
  }

  private init(depth: Int) {
    self.depth = depth
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
    if container.isObject && container.isFlat && container.count <= Self.fewMembers {
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
      target += 1
      for position in (start + width)..<end {
        bytes[target] = bytes[position]
        target += 1
      }
    }
    bytes.removeLast(bytes.count - target)
  }
}
