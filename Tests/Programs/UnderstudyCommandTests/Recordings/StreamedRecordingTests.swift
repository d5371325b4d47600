import Foundation
import Testing
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyCommand

/// Recordings that are read from a pipe, as a shell makes it for `<(…)`.
@Suite(.stallLimit()) struct StreamedRecordingTests {
  /// A pipe with the contents of a file, which can be read once.
  private final class Stream {
    let path: String
    private let pipe = Pipe()

    init(_ data: Data) throws {
      // Within the capacity of a pipe.
      try #require(data.count < 32 << 10)
      try pipe.fileHandleForWriting.write(contentsOf: data)
      try pipe.fileHandleForWriting.close()
      path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    }
  }

  private func recording(_ secret: String = "none") -> Data {
    HTTPArchive(
      log: .init(entries: [
        .exchange(.post, "https://h/login", #"{"password": "\#(secret)"}"#, answering: "[1]")
      ])
    ).data
  }

  @Test(arguments: [
    ("validate @", "@: ok, 1 exchange"), ("inspect @", "POST"),
    ("inspect @ --format json", "https://h/login"),
    ("redact @ --check", "@: "), ("diff @ @", "1"), ("export openapi @", "/login"),
    ("export wiremock @", "/login"),
  ])
  func everyCommandReadsAPipe(_ line: String, _ expected: String) async throws {
    var streams: [Stream] = []
    let words = try line.split(separator: " ").map { word in
      guard word == "@" else { return String(word) }
      streams.append(try Stream(recording()))
      return streams[streams.count - 1].path
    }
    let result = await CommandResult(words.joined(separator: " "))
    #expect(result.error.isEmpty && result.status < 2)
    let path = try #require(streams.first).path
    #expect(result.output.contains(expected.replacing("@", with: path)), "\(result.output)")
  }

  @Test func aReplayServesAPipe() async throws {
    let stream = try Stream(recording())
    let command = RunningCommand(["replay", stream.path, "--port", "0"])
    #expect(try await command.send(.post, "/login", body: #"{"password": "none"}"#) == (200, "[1]"))
    #expect(await command.stop().status == 0)
  }

  @Test func thePositionOfAnErrorIsReported() async throws {
    let stream = try Stream(Data(#"{"log": {"entries": 1}}"#.utf8))
    let result = await CommandResult("inspect \(stream.path)")
    #expect(result.status == 2)
    #expect(
      result.error
        == "tool: \(stream.path): line 1, byte 20: log.entries: Expected an array, found the number 1: 1}}\n")
  }

  @Test func aPipeIsNotReplaced() async throws {
    let stream = try Stream(recording("correct horse"))
    let result = await CommandResult("redact \(stream.path)")
    #expect(result.status == 2)
    #expect(
      result.error
        == "tool: redact requires --output for \(stream.path), which is not a file that can be replaced.\n")
    let other = try Stream(recording("correct horse"))
    let output = try TemporaryFile("")
    #expect(await CommandResult("redact \(other.path) --output %", files: output).status == 0)
    let written = try String(contentsOfFile: output.path, encoding: .utf8)
    #expect(written.contains("/login") && !written.contains("correct horse"))
  }

  @Test func aDashIsAnOperand() throws {
    var reader = OptionReader(["-", "-x"], of: "tool validate")
    let dash = try #require(try reader.next())
    #expect(try reader.operand(dash) == "-")
    let option = try #require(try reader.next())
    #expect(throws: CommandError.self) { try reader.operand(option) }
  }

  /// Catches the other file, or the other secret, that `CommandLine.arguments` makes of it.
  @Test func anArgumentThatIsNotUTF8IsRefused() throws {
    #expect(try Program.arguments([Array("redact".utf8), Array("é.har".utf8)]) == ["redact", "é.har"])
    let error = #expect(throws: CommandError.self) {
      try Program.arguments([Array("redact".utf8), [0xE9] + Array(".har".utf8)])
    }
    #expect(error?.description == "Argument 2 is not UTF-8: \"\u{FFFD}.har\".")
  }
}
