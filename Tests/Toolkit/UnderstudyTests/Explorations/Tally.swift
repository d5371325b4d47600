import Understudy

/// A service with a number and a box of letters, which waits between looking and acting.
struct Tally: Sendable {
  /// A difference from the correct service; a mistake unless documented otherwise.
  enum Mistake: Sendable {
    /// Not a mistake: every second addition is cancelled, and every second of those takes effect nevertheless.
    case losesAnswers
    case doublesWhatIsLost
    case losesUpdates
    case readsFromACache
    case deliversTwice
    case stopsAtThree
    case hangs
  }

  private struct State: Sendable {
    var number = 0
    var cached: Int?
    var letters: [Int] = []
    var additions = 0
  }

  let mistake: Mistake?
  private let state = Locked(State())
  /// Sent when a call hangs.
  let isHanging = Signal<Void>()

  init(_ mistake: Mistake? = nil) { self.mistake = mistake }

  func add(_ amount: Int) async throws {
    if mistake == .losesAnswers || mistake == .doublesWhatIsLost {
      return try state.withLock { state in
        state.additions += 1
        if !state.additions.isMultiple(of: 4) { state.number += amount }
        guard state.additions.isMultiple(of: 2) else { return }
        if mistake == .doublesWhatIsLost { state.number += amount }
        throw CancellationError()
      }
    }
    guard mistake == .losesUpdates else {
      return state.withLock { state in
        if mistake == .stopsAtThree, state.number + amount > 3 { return }
        state.number += amount
      }
    }
    let before = state.withLock { $0.number }
    // The scheduling point between reading and writing, at which another task can come in between.
    await Task.yield()
    state.withLock { $0.number = before + amount }
  }

  func number() async -> Int {
    state.withLock { state in
      if mistake == .readsFromACache, let cached = state.cached { return cached }
      state.cached = state.number
      return state.number
    }
  }

  func send(_ letter: Int) async { state.withLock { $0.letters.append(letter) } }

  func receive() async -> Int? {
    if mistake == .hangs {
      isHanging.send(())
      // Ends by cancellation alone.
      for await _ in AsyncStream<Never>.makeStream().stream {}
    }
    guard mistake == .deliversTwice else {
      return state.withLock { $0.letters.isEmpty ? nil : $0.letters.removeFirst() }
    }
    let letter = state.withLock { $0.letters.first }
    // The scheduling point between reading and writing, at which another task can come in between.
    await Task.yield()
    state.withLock { $0.letters.removeAll { $0 == letter } }
    return letter
  }
}

struct TallyModel: Sendable, Hashable {
  var number = 0
  var letters: [Int] = []
  var letterCount = 0
}

enum TallyCommand: ExplorationCommand {
  case add(Int)
  case number
  case send
  case receive

  static func random(in model: TallyModel, using generator: inout some RandomNumberGenerator) -> Self {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .add(Int.random(in: 1...9, using: &generator))
    case 1: .number
    case 2: .send
    default: .receive
    }
  }

  func call(in model: TallyModel) -> ExplorationCall<Tally, TallyModel>? {
    switch self {
    case .add(let amount) where amount < 0: nil
    case .add(let amount):
      ExplorationCall(key: "number") {
        try await $0.add(amount)
      } unanswered: {
        $0.number += amount
      } step: { model, answer in
        model.number += amount
        return answer.returned
      }
    case .number:
      ExplorationCall(key: "number") {
        await $0.number()
      } step: { model, answer in
        answer.returned(model.number)
      }
    case .send:
      ExplorationCall(key: "letters") { [letter = model.letterCount] in
        await $0.send(letter)
        return letter
      } step: { model, answer in
        model.letterCount += 1
        model.letters.append(answer.value ?? 0)
        return answer.returned
      }
    case .receive:
      ExplorationCall(key: "letters") {
        await $0.receive()
      } step: { model, answer in
        answer.returned(model.letters.isEmpty ? nil : model.letters.removeFirst())
      }
    }
  }

  var simpler: [TallyCommand] {
    if case .add(let amount) = self { amount.simpler(toward: 1).map { .add($0) } } else { [] }
  }
}

extension Exploration where Command == TallyCommand {
  static var tally: Self { Exploration("tally") { _ in TallyModel() } }
}

extension Implementation where Subject == Tally {
  static var right: Self { Implementation("right") { _ in Tally() } }
  static var losesUpdates: Self { .wrong(.losesUpdates, "loses-updates") }
  static var readsFromACache: Self { .wrong(.readsFromACache, "reads-from-a-cache") }
  static var deliversTwice: Self { .wrong(.deliversTwice, "delivers-twice") }
  static var losesAnswers: Self { .wrong(.losesAnswers, "loses-answers") }
  static var doublesWhatIsLost: Self { .wrong(.doublesWhatIsLost, "doubles-what-is-lost") }
  static var hangs: Self { .wrong(.hangs, "hangs") }
  static var stopsAtThree: Self { .wrong(.stopsAtThree, "stops-at-three") }

  private static func wrong(_ mistake: Tally.Mistake, _ name: String) -> Self {
    Implementation(name) { _ in Tally(mistake) }
  }
}
