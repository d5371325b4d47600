import Testing
import UnderstudyTesting

@testable import UnderstudyRecording

/// The search for copies of known texts, which skips most positions.
@Suite(.stallLimit()) struct CopySearchTests {
  private func ranges(_ search: CopySearch, in text: String) -> [Range<Int>] {
    Array(text.utf8).withUnsafeBufferPointer { search.matches(in: $0).map(\.range) }
  }

  /// Texts that are shorter than a window, as long as one, and longer.
  @Test(arguments: 1...12) func aCopyIsFoundAtEachPosition(_ length: Int) {
    let text = String("0123456789ab".prefix(length))
    var search = CopySearch()
    search.insert(Array(text.utf8), as: 7)
    for before in 0..<10 {
      for after in 0..<10 {
        let whole = String(repeating: "-", count: before) + text + String(repeating: "-", count: after)
        #expect(ranges(search, in: whole) == [before..<(before + length)], "\(whole)")
      }
    }
  }

  @Test func textsWithTheSameBeginningAndEndAreDistinguished() {
    let texts = (100..<400).map { "token-\($0)-of-the-session" }
    var search = CopySearch()
    for (number, text) in texts.enumerated() { search.insert(Array(text.utf8), as: number) }
    for (number, text) in texts.enumerated() {
      let found = Array("\(text),x\(text)".utf8).withUnsafeBufferPointer { search.matches(in: $0) }
      #expect(found.map(\.number) == [number, number])
      #expect(found.map(\.range.lowerBound) == [0, text.utf8.count + 2])
    }
    #expect(ranges(search, in: "token-400-of-the-session").isEmpty)
  }

  @Test func ofOverlappingCopiesTheFirstCounts() {
    var search = CopySearch()
    search.insert(Array("abcabcabc".utf8), as: 0)
    #expect(ranges(search, in: "xabcabcabcabcabcabcabc") == [1..<10, 10..<19])
    search.insert(Array("bcabca".utf8), as: 1)
    #expect(ranges(search, in: "xabcabcabc") == [1..<10, 2..<8])
  }

  /// All texts have the same windows, so none of them is unique.
  @Test func repetitiveTextsAreFound() {
    var search = CopySearch()
    for length in 6..<60 { search.insert([UInt8](repeating: 0x61, count: length), as: length) }
    let found = [UInt8](repeating: 0x61, count: 20).withUnsafeBufferPointer { search.matches(in: $0) }
    #expect(Set(found.map(\.number)) == Set(6...20))
  }
}
