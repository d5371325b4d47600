extension String {
  /// The text that these bytes are in UTF-8; `nil` if they are none.
  ///
  /// Each byte stays: Foundation's `String(bytes:encoding:)` and `String(data:encoding:)` drop U+FEFF at the start.
  package init?(exactlyUTF8 bytes: some Collection<UInt8>) {
    self.init(decoding: bytes, as: UTF8.self)
    // What is no UTF-8 has become U+FFFD.
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
