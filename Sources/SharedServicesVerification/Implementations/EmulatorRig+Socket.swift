import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import UnderstudySupabase
import SharedServicesLive
import SharedServicesContracts

extension EmulatorRig {
  /// A rig whose client is the platform's own and reaches the backend through a server's socket.
  ///
  /// What fails on the way fails on the server's socket. What only the client's side can know is injected there: that
  /// there is no network, that a call has not left yet, and that time passes in silence, which the platform would measure
  /// with its own clock.
  init(onSocketWith seed: UInt64, tokenLifetime: Duration = .seconds(3600)) async throws {
    let backend = try TrialBackend(seed: seed, tokenLifetime: tokenLifetime)
    // No answer of a trial has more events than the buffers of two sockets hold.
    let streams = StreamInjector(lead: 10_000)
    let injector = Injector<Base>(time: backend.time)
    let server = try await MockServer(
      Base(base: backend.services.emulator, injector: streams), by: injector.interceptors)
    let client = Injector<URLSessionTransport>(time: backend.time)
    let silent = BrokenStream(afterChunks: 3)
    self.init(
      backend: backend, streams: streams, injector: injector,
      transport: client.intercept(URLSessionTransport()),
      configuration: SupabaseConfiguration(
        projectURL: server.url, apiKey: backend.services.emulator.apiKey,
        // Real time, which no clause waits for; a busy machine shall not run into it.
        timeout: .seconds(300)),
      replacements: [
        client.provision(.offline, .offline), client.provision(.doesNotAnswer, .timeout),
        client.provision(.streamStalls, [.on(.any, .stallStream(afterEvents: silent.chunks))]) { silent },
        client.callsAreHeld,
        .unavailable(.streamIsHeld, because: "when a reader waits cannot be seen through a socket"),
      ],
      close: { await server.close(grace: .zero) })
  }
}
