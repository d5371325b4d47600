import Foundation
import Testing
import UnderstudyTesting

@testable import SharedServices

@Suite(.stallLimit()) struct Windows1252Tests {
  /// Another's table of the same code page, but for the five bytes that it leaves out.
  @Test func decodesAsFoundationDoes() {
    for byte in UInt8.min...UInt8.max {
      let decoded = Windows1252.decoded([byte])
      if [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte) {
        #expect(decoded.unicodeScalars.map(\.value) == [UInt32(byte)])
      } else {
        #expect(decoded == String(data: Data([byte]), encoding: .windowsCP1252), "byte \(byte)")
      }
    }
  }

  @Test func everyCharacterIsEncodedAsTheByteItCameFrom() {
    for byte in UInt8.min...UInt8.max
    where !(0x80...0x9F).contains(byte) || Windows1252.scalar(of: byte).value > 0xFF {
      #expect(Windows1252.byte(for: Windows1252.scalar(of: byte)) == byte)
    }
    #expect("€„”–œ".unicodeScalars.map { Windows1252.byte(for: $0) } == [0x80, 0x84, 0x94, 0x96, 0x9C])
    // U+0152 has a byte, U+0080 and the Cyrillic A have none.
    #expect("\u{80}А".unicodeScalars.map { Windows1252.byte(for: $0) } == [nil, nil])
  }
}
