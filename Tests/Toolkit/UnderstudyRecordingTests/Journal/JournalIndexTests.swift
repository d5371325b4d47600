import Testing
import UnderstudyHTTP

@testable import UnderstudyRecording

@Suite struct JournalIndexTests {
  /// A long line has several parts, and a secret can be between two of them.
  @Test func aSecretIsFoundAtEachPlaceOfALongLine() {
    let secret = Array("hunter22-late-secret".utf8)
    let part = 1 << 17
    for start in [0, part / 2, 3 * part - secret.count] + Array((part - 24)...(part + 4)) {
      var line = [UInt8](repeating: 0x20, count: 3 * part)
      line.replaceSubrange(start..<(start + secret.count), with: secret)
      var index = JournalIndex()
      index.add(.null, written: line, at: .init(offset: 7, length: line.count, hasBase64: false))
      #expect(index.lines(with: [secret]).map(\.offset) == [7], "at \(start)")
      #expect(index.lines(with: [Array("another-secret".utf8)]).isEmpty)
    }
  }

  @Test func theLinesAfterALongOneAreFoundAlone() {
    var index = JournalIndex()
    let long = [UInt8](repeating: 0x20, count: 300_000)
    index.add(.null, written: long, at: .init(offset: 0, length: long.count, hasBase64: false))
    for number in 0..<1000 {
      let line = Array("the ticket of number \(number) is here".utf8) + [UInt8](repeating: 0x20, count: 500)
      index.add(
        .null, written: line, at: .init(offset: 300_000 + number, length: line.count, hasBase64: false))
    }
    let found = index.lines(with: [Array("ticket of number 999 is".utf8)])
    #expect(found.contains { $0.offset == 300_999 })
    #expect(!found.contains { $0.offset == 300_000 }, "it is in another part")
  }
}
