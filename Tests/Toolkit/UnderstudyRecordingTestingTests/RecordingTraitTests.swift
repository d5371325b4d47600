import Foundation
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

@testable import UnderstudyRecordingTesting

/// A transport that answers with the name of the recording, and only while it is recorded.
private struct NamingTransport: HTTPTransport {
  func send(_ request: HTTP.Request) async throws(TransportError) -> HTTP.Response {
    guard let session = RecordingSession.current, session.mode != .replayOnly else {
      throw TransportError(.unknown, "A replay asked the network.")
    }
    return HTTP.Response(status: 200, body: HTTP.Body(Data(session.place.name.utf8)))
  }
}

/// The answer to a request, which is the same in all tests.
private func answer() async throws -> String {
  let url = try #require(URL(string: "https://api.example/name"))
  return String(decoding: try await RecordedTransport().data(for: HTTP.Request(.get, url)).0, as: UTF8.self)
}

/// Tests with the trait; their recordings are in `Recordings/` beside this file.
@Suite(.stallLimit(), .recordings("trait", in: .module, upstream: NamingTransport()))
struct RecordingTraitTests {
  @Test func aTestOfASuiteHasARecordingOfItsOwn() async throws {
    #expect(try await answer() == "trait/aTestOfASuiteHasARecordingOfItsOwn")
  }

  @Test(.recording("trait/own", in: .module, upstream: NamingTransport()))
  func aRecordingOfATestGoesBeforeThatOfItsSuite() async throws {
    #expect(try await answer() == "trait/own")
  }

  @Test(arguments: ["first", "second"], [1, 2])
  func eachCaseHasARecordingOfItsOwn(_ word: String, _ number: Int) async throws {
    #expect(try await answer() == "trait/eachCaseHasARecordingOfItsOwn/\(word)-\(number)")
  }

  @Test func aTestThatAsksForNothingNeedsNoRecording() throws {
    let session = try #require(RecordingSession.current)
    #expect(session.place.name == "trait/aTestThatAsksForNothingNeedsNoRecording")
    #expect(!session.place.hasRecording)
  }
}
