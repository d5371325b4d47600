import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@Suite(.stallLimit()) struct BodyInflaterTests {
  /// `printf 'hello hello hello' | gzip`, and the same as zlib and raw deflate.
  private static let encodings = [
    ("gzip", "H4sIAAAAAAACA8tIzcnJV8hAkACAiPnlEQAAAA=="), ("deflate", "eJzLSM3JyVfIQJAAOi4GfQ=="),
    ("deflate", "y0jNyclXyECQAA=="),
  ]

  private func decoded(_ chunks: [Data], _ codings: String...) async throws -> String {
    let body = try #require(BodyInflater.decoded(HTTP.Body(chunks: chunks), codings))
    return String(decoding: try await body.collect(), as: UTF8.self)
  }

  @Test(arguments: encodings) func decodesABodyThatIsCutAnywhere(_ coding: String, _ base64: String)
    async throws
  {
    let bytes = try #require(Data(base64Encoded: base64))
    for cut in 0...bytes.count {
      let text = try await decoded([bytes.prefix(cut), bytes.dropFirst(cut)], coding)
      #expect(text == "hello hello hello", "cut at \(cut)")
    }
    #expect(try await decoded(bytes.map { Data([$0]) }, coding) == "hello hello hello")
  }

  @Test(arguments: encodings) func aBodyThatEndsTooEarlyFails(_ coding: String, _ base64: String) async throws
  {
    let bytes = try #require(Data(base64Encoded: base64))
    let error = await #expect(throws: TransportError.self) { try await decoded([bytes.dropLast()], coding) }
    #expect(error?.code == .unreadableResponse)
    #expect(error?.message == "The body is encoded with \(coding), and ends too early.")
  }

  @Test func bytesThatAreNotInTheCodingFail() async throws {
    let error = await #expect(throws: TransportError.self) { try await decoded([Data("plain".utf8)], "gzip") }
    #expect(error?.message == "The body is encoded with gzip, and is not valid.")
  }

  /// RFC 1952 §2.2; the members are cut between and inside of them.
  @Test func membersOfAGzipFileAreJoined() async throws {
    let member = try #require(Data(base64Encoded: Self.encodings[0].1))
    let both = member + member
    for cut in 0...both.count {
      #expect(
        try await decoded([both.prefix(cut), both.dropFirst(cut)], "gzip")
          == "hello hello hellohello hello hello")
    }
  }

  @Test func anEmptyBodyHasNoCoding() async throws {
    #expect(try await decoded([], "gzip") == "")
  }

  /// What has arrived is not held back until the end, as an event stream requires.
  @Test func decodesWhatHasArrived() async throws {
    // A block without compression (RFC 1951 §3.2.4), which is not the last one.
    let stored = Data([0x00, 0x04, 0x00, 0xFB, 0xFF]) + Data("a\n\nb".utf8)
    let chunks = Locked([stored])
    let body = try #require(
      BodyInflater.decoded(
        HTTP.Body {
          if let chunk = chunks.withLock({ $0.popLast() }) { return chunk }
          for await _ in AsyncStream<Never>.makeStream().stream {}
          throw CancellationError()
        }, ["deflate"]))
    var reader = body.makeAsyncIterator()
    #expect(try await reader.next() == Data("a\n\nb".utf8))
  }

  @Test(arguments: [["br"], ["zstd"], ["gzip", "br"], ["br", "gzip"]])
  func anotherCodingIsNotSupported(_ codings: [String]) {
    #expect(BodyInflater.decoded(HTTP.Body(Data("x".utf8)), codings) == nil)
  }
}
