import Testing
import UnderstudyHTTP
import UnderstudyServer
import UnderstudyTesting

@Suite(.stallLimit()) struct FieldTextTests {
  @Test(
    arguments: [
      (Array("é".utf8), "é"), ([0xE9], "é"), ([0xC3, 0xA9, 0xE9], "Ã©é"),
      // Foundation would take a U+FEFF at the start for a mark of the byte order, and drop it.
      ([0xEF, 0xBB, 0xBF, 0x78], "\u{FEFF}x"),
    ] as [([UInt8], String)])
  func aFieldIsUTF8OrElseLatin1(_ bytes: [UInt8], _ text: String) throws {
    var parser = RequestParser(limits: ServerLimits(), authority: "127.0.0.1:80")
    parser.append(Array("GET / HTTP/1.1\r\nHost: h\r\nA: ".utf8) + bytes + Array("\r\n\r\n".utf8))
    guard case .head(let head)? = try parser.next() else {
      Issue.record("There is no head.")
      return
    }
    #expect(head.fields["A"] == text)
  }

  /// A server of handshakes must distinguish a client of HTTP/1.0 from one that can upgrade (RFC 9110 §7.8).
  @Test func theVersionIsKept() throws {
    var parser = RequestParser(limits: ServerLimits(), authority: "127.0.0.1:80")
    parser.append(Array("GET / HTTP/1.0\r\n\r\n".utf8))
    guard case .head(let head)? = try parser.next() else {
      Issue.record("There is no head.")
      return
    }
    #expect(head.minorVersion == 0)
  }
}
