package import UnderstudyHTTP

/// A frame for tests, which may be invalid.
package struct RawFrame: Sendable {
  package var bytes: [UInt8]

  /// - Parameters:
  ///   - first: The first byte: FIN, the reserved bits and the opcode.
  ///   - length: The length in the header (default: that of the payload).
  ///   - form: The number of bytes for the length: 0 for the seven bits, 2 or 8 (default: the fewest).
  ///   - key: The key that masks the payload.
  package init(
    _ first: UInt8, _ payload: [UInt8] = [], length: UInt64? = nil, form: Int? = nil, key: UInt32? = nil
  ) {
    let length = length ?? UInt64(payload.count)
    let form = form ?? (length < 126 ? 0 : length < 0x10000 ? 2 : 8)
    let flag: UInt8 = key == nil ? 0 : 0x80
    bytes = [first, flag | (form == 0 ? UInt8(truncatingIfNeeded: length) : form == 2 ? 126 : 127)]
    for index in 0..<form {
      bytes.append(UInt8(truncatingIfNeeded: length >> UInt64((form - 1 - index) * 8)))
    }
    let keyBytes = key.map { key in (0..<4).map { UInt8(truncatingIfNeeded: key >> UInt32(24 - 8 * $0)) } }
    bytes += keyBytes ?? []
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ (keyBytes?[index % 4] ?? 0)) }
  }

  /// The same frame as a client sends it.
  package static func masked(_ first: UInt8, _ payload: [UInt8] = []) -> RawFrame {
    RawFrame(first, payload, key: 0x37FA_213D)
  }
}

/// The bytes split in every way: whole, one by one, and in two pieces at every position.
///
/// Long input is split only near its beginning, where the headers are.
package func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
  let last = bytes.count > 1_000 ? 20 : bytes.count
  return [[bytes], bytes.map { [$0] }]
    + (1..<max(1, last)).map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
}

extension WebSocketParser {
  /// The events that a parser returns for the pieces.
  package static func events(
    _ pieces: [[UInt8]], readBy role: WebSocketRole, limits: Limits = Limits()
  ) -> [Event] {
    var parser = WebSocketParser(role, limits: limits)
    return pieces.flatMap { parser.consume($0) }
  }
}
