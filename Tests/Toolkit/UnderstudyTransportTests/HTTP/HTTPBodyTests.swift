import Foundation
import TestSupport
import Testing
import UnderstudyTesting
import Understudy
@testable import UnderstudyTransport

@Suite(.stallLimit()) struct HTTPBodyTests {
  private static let chunks = ["one", "", "three"].map { Data($0.utf8) }

  /// A body that counts up to `count`, and reports the release of its source through `releases`.
  private func counting(to count: UInt8, _ releases: Releases) -> HTTP.Body {
    let (token, next) = (releases.token(), Locked<UInt8>(0))
    return HTTP.Body(unfolding: {
      token.touch()
      return next.withLock { next in
        defer { next += 1 }
        return next < count ? Data([next]) : nil
      }
    })
  }

  private func read(_ body: HTTP.Body) async throws -> [Data] {
    var chunks: [Data] = []
    for try await chunk in body { chunks.append(chunk) }
    return chunks
  }

  @Test func chunksAreDeliveredUnchanged() async throws {
    #expect(try await read(HTTP.Body(chunks: Self.chunks)) == Self.chunks)
    #expect(try await read(counting(to: 3, Releases())) == [Data([0]), Data([1]), Data([2])])
    #expect(try await read(HTTP.Body(Data())).isEmpty)
    #expect(try await read(.empty).isEmpty)
  }

  @Test func aBodyFromMemoryCanBeReadAgain() async throws {
    let body = HTTP.Body(chunks: Self.chunks)
    for _ in 0..<2 { #expect(try await body.collect() == Data("onethree".utf8)) }
  }

  @Test func aSecondReaderOfAConnectionReceivesNoChunks() async throws {
    let body = counting(to: 9, Releases())
    for try await chunk in body {
      #expect(chunk == Data([0]))
      break
    }
    #expect(try await read(body).isEmpty)
  }

  @Test func theErrorFollowsTheChunks() async throws {
    let body = HTTP.Body(chunks: Self.chunks, endingWith: TransportError(.connectionLost, "cut"))
    var chunks: [Data] = []
    let thrown = await code { for try await chunk in body { chunks.append(chunk) } }
    #expect(thrown == .connectionLost)
    #expect(chunks == Self.chunks)
    #expect(await code { _ = try await body.collect() } == .connectionLost)
  }

  @Test func nothingFollowsTheEnd() async throws {
    let asked = Locked(0)
    let body = HTTP.Body(unfolding: {
      asked.withLock { $0 += 1 }
      throw TransportError(.connectionLost, "cut")
    })
    var iterator = body.makeAsyncIterator()
    let thrown = await code { _ = try await iterator.next() }
    #expect(thrown == .connectionLost)
    #expect(try await iterator.next() == nil)
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func foreignErrorsAreWrapped() async throws {
    struct Foreign: Error {}
    let body = HTTP.Body(unfolding: { throw Foreign() })
    do throws(TransportError) {
      _ = try await body.collect()
      Issue.record("Nothing was thrown.")
    } catch {
      #expect(error.code == .unknown)
      #expect(error.cause is Foreign)
    }
  }

  @Test(arguments: [(0, false), (7, false), (8, true), (9, true), (.max, true), (-1, false)])
  func collectsUpToTheLimit(limit: Int, fits: Bool) async throws {
    let body = HTTP.Body(chunks: Self.chunks)
    let thrown = await code { _ = try await body.collect(upTo: limit) }
    #expect(thrown == (fits ? nil : .bodyTooLarge))
  }

  @Test func nothingFitsIntoNothing() async throws {
    #expect(try await HTTP.Body.empty.collect(upTo: 0).isEmpty)
  }

  @Test func theSourceIsReleasedAtTheEnd() async throws {
    let releases = Releases()
    let body = counting(to: 2, releases)
    var iterator = body.makeAsyncIterator()
    while try await iterator.next() != nil { #expect(releases.count == 0) }
    #expect(releases.count == 1, "Body and iterator are still there, but neither holds the source.")
    #expect(try await iterator.next() == nil)
  }

  @Test func leavingTheLoopReleasesTheSource() async throws {
    let releases = Releases()
    let body = counting(to: 2, releases)
    for try await _ in body { break }
    #expect(releases.count == 1)
    _ = body
  }

  @Test func anUnreadBodyReleasesTheSource() async throws {
    let releases = Releases()
    do { _ = counting(to: 2, releases) }
    #expect(releases.count == 1)
  }

  @Test func exceedingTheLimitReleasesTheSource() async throws {
    let releases = Releases()
    let body = counting(to: 200, releases)
    #expect(await code { _ = try await body.collect(upTo: 5) } == .bodyTooLarge)
    #expect(releases.count == 1)
  }

  @Test func cancellationEndsTheReader() async throws {
    let releases = Releases()
    let body = counting(to: 200, releases)
    let task = Task {
      await code {
        for try await chunk in body where chunk == Data([3]) { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    #expect(await task.value == .cancelled)
    #expect(releases.count == 1)
  }

  @Test func onlyWholeBodiesAreInMemory() {
    #expect(HTTP.Body(chunks: Self.chunks).chunksInMemory == Self.chunks)
    #expect(HTTP.Body(chunks: [], endingWith: TransportError(.timedOut, "")).chunksInMemory == nil)
    #expect(counting(to: 1, Releases()).chunksInMemory == nil)
  }
}
