/// What a stream has delivered, for the clauses that a comparison prints.
///
/// ```swift
/// let changes = await ReceivedEvents { notes.changes() }
/// _ = try await notes.add("Milk")
/// trial.expect(await changes.after(1).text(), equals: "[.added(note: Note(id: 1, text: \"Milk\"))], open")
/// ```
public struct ReceivedEvents: Sendable {
  private let log: EventLog
  private let queue = ProgramQueue()

  /// Opens a stream, and reads it in the background.
  ///
  /// - Parameter open: Returns the stream.
  public init<Stream: AsyncSequence & Sendable>(
    _ open: @escaping @Sendable () async throws -> Stream
  ) async where Stream.Element: Sendable {
    log =
      (try? await queue.run {
        do { return EventLog(reading: try await open()) } catch { return EventLog(failedBy: error) }
      }) ?? EventLog(failedBy: CancellationError())
    log.begin(in: queue)
    queue.drain()
  }

  /// Waits until there are this many events or the stream has ended, or nothing runs in the process any more.
  public func after(_ count: Int) async -> Self {
    await wait(for: count)
    return self
  }

  /// Waits until the stream has ended, or nothing runs in the process any more, so that no event is on its way.
  public func settled() async -> Self {
    await wait(for: .max)
    return self
  }

  /// The events as Swift code, and how the stream ended or that it is open.
  ///
  /// Values that the service makes are replaced by names: each `UUID`, and those of some members.
  ///
  /// - Parameters:
  ///   - members: The names of members whose values the service makes.
  ///   - names: The names of values; others are numbered.
  public func text(
    renaming members: [String] = [], naming names: KeyValuePairs<String, any Sendable> = [:]
  ) -> String {
    let known = names.map { (ValueTree(of: $0.value), $0.key) }
    return log.contents.text(renaming: Set(members), naming: Dictionary(known) { first, _ in first })
  }

  private func wait(for count: Int) async {
    let signal = Signal<Void>()
    log.whenReached(count, signal)
    let watch = StallMonitor.current.watch(for: .seconds(1), isCharged: false) { _ in signal.send(()) }
    defer { watch.end() }
    _ = try? await queue.run { try? await signal.value() }
  }
}

extension EventLog.Contents {
  /// The events as Swift code, and the end.
  func text(renaming members: Set<String>, naming known: [ValueTree: String] = [:]) -> String {
    var names: [ValueTree: Int] = [:]
    let events = values.map { value in
      let text = SwiftText.of(value) { part, label in
        guard case .leaf(let leaf) = ValueTree(of: part), leaf.kind == 7 || members.contains(label) else {
          return nil
        }
        let tree = ValueTree.leaf(leaf)
        if let name = known[tree] { return name }
        let number = names[tree] ?? names.count + 1
        names[tree] = number
        return "#\(number)"
      }
      return text ?? String(describing: value)
    }
    let end = end.map { end in end.error.map { "threw \(SwiftText.of(error: $0))" } ?? "ended" } ?? "open"
    return "[\(events.joined(separator: ", "))], \(end)"
  }
}

extension SwiftText {
  /// An error as an expression, or its description.
  static func of(error: any Error) -> String { of(error, isTyped: false) ?? String(describing: error) }
}
