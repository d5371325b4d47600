import Foundation
import TestSupport
import Testing
import Understudy
import UnderstudyTransport
import UnderstudyTesting

@Suite(.stallLimit()) struct ServerSentEventsTests {
  @Test func eventsOfABody() async throws {
    let body = HTTP.Body(
      chunks: ["data: o", "", "ne\n\ndata: two\n\nda", "ta: three\n\ndata: four"].map { Data($0.utf8) })
    var data: [String] = []
    for try await event in body.serverSentEvents { data.append(event.data) }
    #expect(data == ["one", "two", "three"])
  }

  @Test func theErrorFollowsTheEvents() async throws {
    let body = HTTP.Body(
      chunks: [Data("data: one\n\ndata: tw".utf8)], endingWith: TransportError(.connectionLost, "cut"))
    var events = body.serverSentEvents.makeAsyncIterator()
    #expect(try await events.next()?.data == "one")
    let thrown = await code { _ = try await events.next() }
    #expect(thrown == .connectionLost)
    #expect(try await events.next() == nil, "An error is the end.")
  }

  @Test func aSlowReaderAppliesBackPressureToTheSender() async throws {
    let pulled = Locked(0)
    let body = HTTP.Body(unfolding: {
      let number = pulled.withLock { pulled in
        pulled += 1
        return pulled
      }
      return Data("data: \(number)\n\ndata: \(number)+\n\n".utf8)
    })
    var events = body.serverSentEvents.makeAsyncIterator()
    for (count, data) in [(1, "1"), (1, "1+"), (2, "2"), (2, "2+"), (3, "3")] {
      #expect(try await events.next()?.data == data)
      #expect(pulled.withLock { $0 } == count)
    }
  }

  @Test(arguments: ["leaving", "too much", "the end"]) func releasesTheSource(by route: String) async throws {
    let releases = Releases()
    let body = Self.body(
      endless: route != "the end", route == "too much" ? "12345678901" : "1", releases.token())
    let events = body.serverSentEvents(sizeLimit: 10)
    let thrown = await code {
      for try await _ in events where route == "leaving" { break }
    }
    #expect(thrown == (route == "too much" ? .bodyTooLarge : nil))
    #expect(releases.count == 1)
    _ = events
  }

  private static func body(endless: Bool, _ data: String, _ token: Releases.Token) -> HTTP.Body {
    let sent = Locked(false)
    return HTTP.Body(unfolding: {
      token.touch()
      if !endless, sent.withLock({ $0 }) { return nil }
      sent.withLock { $0 = true }
      return Data("data: \(data)\n\n".utf8)
    })
  }

  @Test func cancellationEndsTheReaderBetweenEventsOfOneChunk() async {
    let body = HTTP.Body(chunks: [Data("data: 1\n\ndata: 2\n\ndata: 3\n\n".utf8)])
    let task = Task {
      var data: [String] = []
      let thrown = await code {
        for try await event in body.serverSentEvents {
          data.append(event.data)
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      return (thrown, data)
    }
    let (thrown, data) = await task.value
    #expect(thrown == .cancelled)
    #expect(data == ["1"])
  }
}
