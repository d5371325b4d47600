import Foundation
import SharedServices
import SharedServicesContracts
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP

/// The effects of a trial on streamed answers beyond the catalogue's faults: answers in the smallest pieces, with
/// events after the end, held back, or observed.
///
/// It is an interceptor before a handler or a transport or, without HTTP, a wrapper around the writer.
final class StreamedAnswers: Sendable {
  /// The effect on the answers that begin while it is set.
  fileprivate enum Effect: Sendable {
    case cutSmallest, goOn
    case hold(Event)
    case watch(Watch)
  }

  /// The number of chunks before a failure.
  private static let chunksBefore = 3

  private let effect = Locked<Effect?>(nil)
  /// The number of chunks that buffers between the source and the consumer may hold.
  private let lead: Int
  private let closesAtOnce: Bool

  /// Creates the effects of a trial.
  ///
  /// - Parameters:
  ///   - lead: The number of buffered chunks; 0 if the consumer pulls every chunk.
  ///   - closesAtOnce: Whether a source is closed as soon as its consumer releases the answer, because there is no task
  ///     and no socket between them. Otherwise the closing is waited for, up to the trial's time limit.
  init(lead: Int = 0, closesAtOnce: Bool = false) {
    self.lead = lead
    self.closesAtOnce = closesAtOnce
  }

  /// Registers the condition handlers for streamed answers.
  func setUpConditions(in trial: TrialEnvironment) {
    on(.piecesAreSmallest, in: trial) { (.cutSmallest, ()) }
    on(.answerGoesOn, in: trial) { (.goOn, ()) }
    on(.streamIsHeld, in: trial) {
      let reached = Event()
      return (.hold(reached), HeldStream(afterChunks: Self.chunksBefore, isReached: { await reached.wait() }))
    }
    on(.upstreamIsWatched, in: trial) { [lead, closesAtOnce] in
      let watch = Watch()
      return (
        .watch(watch),
        WatchedStream(
          lead: lead, taken: { watch.taken },
          isClosed: {
            if !closesAtOnce { await watch.closed.wait() }
            return watch.closed.hasHappened
          })
      )
    }
  }

  private func on<Fixture: Sendable>(
    _ condition: Condition<Fixture>, in trial: TrialEnvironment,
    _ begin: @escaping @Sendable () -> (Effect, Fixture)
  ) {
    trial.on(condition, until: { [effect] in effect.withLock { $0 = nil } }) { [effect] in
      let (new, fixture) = begin()
      effect.withLock { $0 = new }
      return fixture
    }
  }

  // MARK: - Interception

  /// Returns an interceptor that applies the effect.
  func interceptor<Base: Sendable>(before base: Base.Type) -> Interceptor<Base> {
    Interceptor(StreamedAnswersInterceptor<Base>(answers: self))
  }

  /// Returns a writer that applies the effect.
  func intercept(_ writer: ReplyWriter) -> ReplyWriter {
    ReplyWriter { child, history, message, memory in
      let reply = writer.reply(to: message, after: history, about: child, remembering: memory)
      guard let effect = self.effect.withLock({ $0 }) else { return reply }
      if case .cutSmallest = effect {
        return Reply(unfolding: Pieces(of: { try await reply.nextChunk() }, \.scalars).next)
      }
      return Reply(
        unfolding: Stream(effect, of: { try await reply.nextChunk() }, extra: MessageChunk(text: "more")).next
      )
    }
  }

  /// Applies the effect to a body, if it is an answer's.
  fileprivate func intercept(_ response: HTTP.Response) -> HTTP.Response {
    guard response.fields["Content-Type"] == "text/event-stream", let effect = effect.withLock({ $0 }) else {
      return response
    }
    var response = response
    let next = response.body.makeReader()
    if case .cutSmallest = effect {
      response.body = HTTP.Body(unfolding: Pieces(of: next) { $0.map { Data([$0]) } }.next)
    } else {
      response.body = HTTP.Body(
        unfolding: Stream(
          effect, of: next, extra: Data(#"data: {"text":"more","isDone":false}"#.utf8) + Data("\n\n".utf8)
        ).next)
    }
    return response
  }

  /// An answer with the effect.
  private final class Stream<Element: Sendable>: Sendable {
    private let effect: Effect
    private let base: @Sendable () async throws -> Element?
    private let extra: Element
    private let count = Locked(0)

    init(_ effect: Effect, of base: @escaping @Sendable () async throws -> Element?, extra: Element) {
      (self.effect, self.base, self.extra) = (effect, base, extra)
    }

    deinit {
      if case .watch(let watch) = effect { watch.closed.happen() }
    }

    @Sendable func next() async throws -> Element? {
      let number = count.withLock { count in
        count += 1
        return count
      }
      switch effect {
      case .watch(let watch):
        let element = try await base()
        if element != nil { watch.take() }
        return element
      case .goOn:
        return try await base() ?? (number < 1_000 ? extra : nil)
      case _ where number <= StreamedAnswers.chunksBefore: return try await base()
      case .cutSmallest: return try await base()
      case .hold(let reached):
        reached.happen()
        await Event().wait()
        throw CancellationError()
      }
    }
  }

  /// The elements of a source, each split into pieces.
  private final class Pieces<Element: Sendable>: Sendable {
    private let base: @Sendable () async throws -> Element?
    private let cut: @Sendable (Element) -> [Element]
    private let rest = Locked<ArraySlice<Element>>([])

    init(
      of base: @escaping @Sendable () async throws -> Element?,
      _ cut: @escaping @Sendable (Element) -> [Element]
    ) {
      (self.base, self.cut) = (base, cut)
    }

    @Sendable func next() async throws -> Element? {
      while true {
        if let piece = rest.withLock({ $0.popFirst() }) { return piece }
        guard let element = try await base() else { return nil }
        rest.withLock { $0 = cut(element)[...] }
      }
    }
  }
}

/// An interceptor that changes the bodies of responses.
private struct StreamedAnswersInterceptor<Base: Sendable>: CustomInterceptor {
  let answers: StreamedAnswers

  nonisolated(nonsending) func intercept<Result>(
    _ call: Intercepted<Base>.Call, next: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    let result = try await next()
    guard let response = result as? HTTP.Response, let changed = answers.intercept(response) as? Result else {
      return result
    }
    return changed
  }
}

extension MessageChunk {
  /// The same chunks, split into one for each Unicode scalar.
  fileprivate var scalars: [MessageChunk] {
    let scalars = text.unicodeScalars.map { MessageChunk(text: String($0)) }
    guard let last = scalars.last else { return [self] }
    return scalars.dropLast() + [MessageChunk(text: last.text, sources: sources, isDone: isDone)]
  }
}

/// The observed state of a source.
private final class Watch: Sendable {
  let closed = Event()
  private let count = Locked(0)

  var taken: Int { count.withLock { $0 } }

  func take() { count.withLock { $0 += 1 } }
}

/// An event that occurs once and that one task at a time can wait for; cancelling the task ends the wait.
private final class Event: Sendable {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation
  private let isOver = Locked(false)

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  var hasHappened: Bool { isOver.withLock { $0 } }

  func happen() {
    isOver.withLock { $0 = true }
    continuation.finish()
  }

  func wait() async { for await _ in stream {} }
}
