import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyHTTP
import UnderstudyRecording
import UnderstudyTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Requests of sessions that received no transport.
@Suite(.stallLimit()) struct ActiveRecordingsTests {
  private static let echo = ScriptedTransport { .json(#"{"path":"\#($0.url.path())"}"#) }

  private static func ask(
    _ session: URLSession, _ url: String = "https://api.example/shared", method: String = "GET"
  ) async throws -> String {
    var request = URLRequest(url: try #require(URL(string: url)))
    request.httpMethod = method
    return String(decoding: try await session.data(for: request).0, as: UTF8.self)
  }

  #if canImport(FoundationNetworking)
    @Test(arguments: ["GET", "POST"])
    func theSharedSessionUsesTheRecordingOfItsTask(_ method: String) async throws {
      let folder = try TemporaryFolder()
      for mode in [RecordingMode.once, .replayOnly] {
        try await withRecordingSession(
          "shared", options: RecordingOptions(mode: mode), upstream: Self.echo,
          filePath: folder.file("SomeTests.swift").path(), hasPassed: { true }
        ) { _ in
          for _ in 0..<2 {
            let text = try await Self.ask(.shared, method: method)
            #expect(text == #"{"path":"/shared"}"#)
          }
        }
      }
      #expect(
        try HTTPArchive(Data(contentsOf: folder.file("Recordings/shared.har"))).entries.count == 2)
    }

    /// Foundation selects the protocol of its first request before anything can change it.
    @Test(arguments: ["GET", "POST"])
    func aSessionThatTheAppMakesIsRefused(_ method: String) async throws {
      let folder = try TemporaryFolder()
      for mode in [RecordingMode.once, .newEntries] {
        await #expect {
          try await withRecordingSession(
            "own", options: RecordingOptions(mode: mode), upstream: Self.echo,
            filePath: folder.file("SomeTests.swift").path(), hasPassed: { true }
          ) { session in
            _ = try await session.text(for: .get("/other"))
            let error = await #expect(throws: URLError.self) {
              try await Self.ask(URLSession(configuration: .default), method: method)
            }
            #expect(error?.code == .cancelled)
          }
        } throws: { error in
          "\(error)".hasPrefix(
            "The request \(method) to api.example was cancelled, because the recording own cannot answer")
        }
      }
    }

    @Test func anUnansweredRequestOfTheSharedSessionFails() async throws {
      let folder = try TemporaryFolder()
      func run(_ mode: RecordingMode, _ path: String) async throws {
        try await withRecordingSession(
          "refused", options: RecordingOptions(mode: mode), upstream: Self.echo,
          filePath: folder.file("SomeTests.swift").path(), hasPassed: { true }
        ) { _ in _ = try? await Self.ask(.shared, "https://api.example\(path)") }
      }
      try await run(.once, "/a")
      await #expect {
        try await run(.replayOnly, "/b")
      } throws: { "\($0)".hasPrefix("No recorded response matches GET https://api.example/b.") }
    }

    @Test func aHostIsLetThroughOnPurpose() async throws {
      let folder = try TemporaryFolder()
      let options = RecordingOptions(mode: .once, passthroughHosts: ["127.0.0.1"])
      try await withRecordingSession(
        "through", options: options, upstream: Self.echo, filePath: folder.file("SomeTests.swift").path(),
        hasPassed: { true }
      ) { _ in
        _ = try await Self.ask(.shared)
        let error = await #expect(throws: URLError.self) {
          try await Self.ask(.shared, "http://127.0.0.1:9/through")
        }
        #expect(error?.code == .cannotConnectToHost)
      }
      let file = try Data(contentsOf: folder.file("Recordings/through.har"))
      #expect(try HTTPArchive(file).entries.map(\.request.url) == ["https://api.example/shared"])
    }

    /// A transport over the shared session can be recorded.
    @Test func anUpstreamMayUseTheSharedSession() async throws {
      let folder = try TemporaryFolder()
      let shared = ScriptedTransport { request in
        _ = try await URLSession.shared.data(from: request.url)
        return .json("{}")
      }
      try await withRecordingSession(
        "upstream", options: RecordingOptions(mode: .once), upstream: shared,
        filePath: folder.file("SomeTests.swift").path(), hasPassed: { true }
      ) { session in
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let error = await session.failure(of: HTTP.Request(.get, url))
        #expect(error?.message.contains("127.0.0.1 port 9") == true, "\(error as Any)")
      }
    }
  #endif

  /// A request outside of the tasks of tests; in a process of its own, because other tests have recordings too.
  @Test func aRequestOutsideOfATestUsesTheOnlyActiveRecording() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.file("SomeTests.swift").path()
      let options = RecordingOptions(mode: .once)
      let ask: @Sendable () async -> Result<String, any Error> = {
        await Task.detached {
          do { return .success(try await Self.ask(.shared)) } catch { return .failure(error) }
        }.value
      }
      try await withRecordingSession(
        "one", options: options, upstream: Self.echo, filePath: path, hasPassed: { true }
      ) { _ in
        let text = try await ask().get()
        precondition(text == #"{"path":"/shared"}"#)
      }
      do {
        try await withRecordingSession(
          "outer", options: options, upstream: Self.echo, filePath: path, hasPassed: { true }
        ) { _ in
          try await withRecordingSession(
            "inner", options: options, upstream: Self.echo, filePath: path, hasPassed: { true }
          ) { _ in
            guard case .failure = await ask() else { preconditionFailure("The request was sent.") }
          }
        }
        preconditionFailure("No test failed.")
      } catch let error as RecordingError {
        precondition(
          error.description.contains(
            """
            The request GET to api.example could belong to 2 recordings, so it was not sent.
              active: inner, outer
            """))
      }
    }
  }
}
