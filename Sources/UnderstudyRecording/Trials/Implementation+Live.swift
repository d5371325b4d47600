public import Understudy
public import UnderstudyHTTP

extension Implementation {
  /// A double behind an ``Intercepted``, into whose calls failures are injected.
  ///
  /// ```swift
  /// static var inMemory: Self { .double("in-memory", InMemoryTodoService()) { $0 } }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - makeBase: A fresh double for each trial.
  ///   - subject: The same as the service that it is: `{ $0 }`.
  public static func double<Base: Sendable>(
    _ name: String, _ makeBase: @autoclosure @escaping @Sendable () throws -> Base,
    as subject: @escaping @Sendable (Intercepted<Base>) -> Subject
  ) -> Self {
    Implementation(name) { _ in
      let injector = Injector<Base>(time: ManualTime(.jumping))
      return Stage(subject(injector.intercept(try makeBase())), provisions: injector.failures)
    }
  }

  /// A live service over a backend in this process; failures happen on the way.
  ///
  /// ```swift
  /// static var live: Self {
  ///   .live(over: TodoBackend()) { transport, _ in
  ///     LiveTodoService(session: URLSession(configuration: .over(transport)))
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name in reports.
  ///   - makeBackend: A fresh backend for each trial.
  ///   - service: The service over a transport, on a time that costs nothing.
  public static func live<Backend: HTTPHandler>(
    _ name: String = "live", over makeBackend: @autoclosure @escaping @Sendable () throws -> Backend,
    as service: @escaping @Sendable (any HTTPTransport, Time) -> Subject
  ) -> Self {
    Implementation(name) { _ in
      let time = ManualTime(.jumping)
      let injector = Injector<InProcessTransport<Backend>>(time: time)
      let transport = InProcessTransport(to: try makeBackend(), time: time.time)
      return Stage(service(injector.intercept(transport), time.time), provisions: injector.failures)
    }
  }

  /// A live service over recordings, one for each clause.
  ///
  /// - Parameters:
  ///   - folder: Where they are.
  ///   - service: The service over a transport, on a time that begins when the clause was recorded.
  public static func recorded(
    in folder: RecordingFolder, as service: @escaping @Sendable (any HTTPTransport, Time) -> Subject
  ) -> Self {
    Implementation("recorded") { trial in
      let clause = try ReplayedClause(trial, in: folder)
      return clause.stage(service(clause.transport, clause.replayed.time.time))
    }
  }

  /// A live service over a backend, which writes a recording of each clause that it keeps.
  ///
  /// - Parameters:
  ///   - folder: Where they are written.
  ///   - makeBackend: A fresh backend for each trial.
  ///   - service: The service over a transport.
  public static func recording<Backend: HTTPHandler>(
    into folder: RecordingFolder, over makeBackend: @autoclosure @escaping @Sendable () throws -> Backend,
    as service: @escaping @Sendable (any HTTPTransport, Time) -> Subject
  ) -> Self {
    Implementation("recorded") { trial in
      let time = ManualTime(.jumping)
      let injector = Injector<InProcessTransport<Backend>>(time: time)
      let transport = InProcessTransport(to: try makeBackend(), time: time.time)
      let clause = RecordedClause(trial, over: injector.intercept(transport), time: time)
      return clause.stage(
        service(clause.transport, time.time), provisions: injector.failures, into: folder)
    }
  }
}
