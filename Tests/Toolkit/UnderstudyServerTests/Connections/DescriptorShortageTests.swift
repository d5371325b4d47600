import TestSupport

#if os(Linux) || os(macOS)
  import Foundation
  import Testing
  import UnderstudyTesting
  import UnderstudyServer
  import UnderstudyHTTP

  @testable import UnderstudyServer

  /// In a separate process, because the limit applies to the whole process.
  @Suite(.stallLimit()) struct DescriptorShortageTests {
    @Test func withoutDescriptorsAServerResetsClientsAndRecovers() async {
      await #expect(processExitsWith: .success) {
        let server = try await MockServer(Handler.echo)
        let network = try RawClient.Network()
        let good = try await RawClient.connect(to: server.port, on: network)
        #expect(try await good.exchange(get()).status == 200)

        // Dispatch traps when it first needs descriptors of its own, for a timer of one of its clocks, and has none. A
        // deadline that has passed needs no timer, so on a busy machine only the first of each pair arms one.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(3600)) {}
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + .seconds(3600)) {}
        let sleepers = [
          Task { try await ContinuousClock().sleep(for: .seconds(3600)) },
          Task { try await SuspendingClock().sleep(for: .seconds(3600)) },
        ]
        defer { for sleeper in sleepers { sleeper.cancel() } }
        await withCheckedContinuation { done in
          DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(1)) { done.resume() }
        }
        await withCheckedContinuation { done in
          DispatchQueue.global().asyncAfter(wallDeadline: .now() + .milliseconds(1)) { done.resume() }
        }
        try await ContinuousClock().sleep(for: .milliseconds(1))
        try await SuspendingClock().sleep(for: .milliseconds(1))
        var limit = rlimit()
        #if os(Linux)
          let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
          let resource = RLIMIT_NOFILE
        #endif
        getrlimit(resource, &limit)
        limit.rlim_cur = 256
        try #require(setrlimit(resource, &limit) == 0)
        var taken: [CInt] = []
        while case let number = open("/dev/null", O_RDONLY), number >= 0 { taken.append(number) }

        for _ in 1...3 {
          // One is left: the client takes it, and the server has no descriptor.
          close(taken.removeLast())
          do {
            let client = try await RawClient.connect(to: server.port, on: network)
            #expect(try await client.ending() == ("", .reset))
          } catch let error as SocketError {
            // It was reset before it knew that it was connected.
            #expect(error.code == .connectionReset)
          }
          taken.append(open("/dev/null", O_RDONLY))
          #expect(try await good.exchange(get()).status == 200)
        }
        for _ in 1...4 { close(taken.removeLast()) }
        let late = try await RawClient.connect(to: server.port, on: network)
        #expect(try await late.exchange(get()).status == 200)
        for number in taken { close(number) }
        await server.close()
      }
    }
  }
#endif
