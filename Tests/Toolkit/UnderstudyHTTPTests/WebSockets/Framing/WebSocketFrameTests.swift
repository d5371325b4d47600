import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

@Suite(.stallLimit()) struct WebSocketFrameTests {
  @Test func framesMatchTheStandard() {
    // RFC 6455 §5.7.
    #expect(WebSocketFrame(.text("Hello")).bytes() == [0x81, 0x05] + Array("Hello".utf8))
    #expect(
      WebSocketFrame(.text("Hello")).bytes(maskedWith: 0x37FA_213D)
        == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
    #expect(
      WebSocketFrame(.text, Array("Hel".utf8), isFinal: false).bytes() == [0x01, 0x03, 0x48, 0x65, 0x6C])
    #expect(WebSocketFrame(.binary(Data(count: 256))).bytes().prefix(4) == [0x82, 0x7E, 0x01, 0x00])
    #expect(
      WebSocketFrame(.binary(Data(count: 65_536))).bytes().prefix(10) == [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
  }

  @Test func aMaskIsAppliedByteForByte() {
    var random = SeededGenerator(seed: 7)
    for count in 0..<70 {
      let key = UInt32(truncatingIfNeeded: random.next())
      let plain = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let expected = plain.enumerated().map { index, byte in
        byte ^ UInt8(truncatingIfNeeded: key >> UInt32(24 - index % 4 * 8))
      }
      // In one piece, and in two at every position.
      for cut in 0...count {
        var mask = WebSocketMask(key)
        var (first, second) = (Array(plain[..<cut]), Array(plain[cut...]))
        mask.apply(to: &first, from: 0)
        mask.apply(to: &second, from: 0)
        #expect(first + second == expected)
      }
      var behind = [0xAB] + plain
      var mask = WebSocketMask(key)
      mask.apply(to: &behind, from: 1)
      #expect(behind == [0xAB] + expected)
    }
  }

  @Test func utf8ValidationAgreesWithTheStandardLibrary() {
    // Every sequence of up to three bytes from those at which a rule begins or ends.
    let edges: [UInt8] = [
      0x00, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
      0xEE,
      0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    // Behind the second byte, the rules only ask whether a byte is a continuation.
    let later: [UInt8] = [0x61, 0x80, 0xBF, 0xC2]
    let three = edges.flatMap { a in edges.flatMap { b in later.map { [a, b, $0] } } }
    let four = ([0xF0, 0xF1, 0xF3, 0xF4, 0xF5] as [UInt8]).flatMap { first in
      edges.flatMap { a in later.flatMap { b in later.map { [first, a, b, $0] } } }
    }
    // After enough letters that they are skipped eight at a time.
    let letters = [UInt8](repeating: 0x61, count: 8)
    let wrong = (three + four).flatMap { [$0, letters + $0 + letters] }.filter { bytes in
      var validation = UTF8Validation()
      let isText = validation.accept(bytes, from: 0) && validation.isComplete
      return isText != (String(exactlyUTF8: bytes) != nil)
    }
    #expect(wrong == [])
  }
}
