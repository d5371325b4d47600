import Foundation
import SharedServicesVerification
import Understudy
import UnderstudyConsole

/// A test that interrupts the connection of a chat at every frame: `swift run -c release fuzz drops`.
///
/// It first drops each session once, before or after each frame, and then twice at random. The chat must end with
/// exactly the messages of the session, in order and without duplicates, and its stream must deliver each once. The
/// first session that differs, has no dropped connection or takes a minute is printed and fails.
enum Drops {
  static func run(_ words: [String]) async throws {
    var (messages, pairs, seed) = (200, 1000, UInt64.random(in: 0...UInt64(Int32.max)))
    var reader = OptionReader(words, of: "fuzz drops")
    while let option = try reader.next() {
      switch option {
      case "--help", "-h": return print(usage)
      case "--messages": messages = max(1, try reader.number())
      case "--pairs": pairs = try reader.number()
      case "--seed": seed = try reader.number()
      default: throw reader.unknownOption
      }
    }

    let frames = try await outcome(messages, []).frames
    print("\(messages) messages in \(frames) frames, seed \(seed)")
    for frame in 1...frames {
      for isAfter in [false, true] { try await check(messages, [Drop(frame: frame, isAfter: isAfter)], seed) }
    }
    print("\(frames * 2) sessions with one drop: each chat was correct")
    var random = SeededGenerator(seed: seed)
    var both = 0
    for _ in 0..<pairs {
      // A drop changes the length of a session, so the second one may be after its end.
      let drops = [frames, frames + frames / 4].map {
        Drop(frame: Int.random(in: 1...$0, using: &random), isAfter: Bool.random(using: &random))
      }
      if try await check(messages, drops, seed) == drops.count { both += 1 }
    }
    print("\(pairs) sessions with two drops, of which \(both) reached the second: each chat was correct")
  }

  /// - Returns: The number of drops.
  @discardableResult private static func check(
    _ messages: Int, _ drops: [Drop], _ seed: UInt64
  ) async throws -> Int {
    let outcome = try await outcome(messages, drops)
    guard let difference = outcome.difference else { return outcome.drops }
    Fuzz.printError(
      "\(messages) messages, dropped \(drops.map(\.description).joined(separator: " and ")), seed \(seed): \(difference)"
    )
    exit(1)
  }

  private static func outcome(_ messages: Int, _ drops: [Drop]) async throws -> DropSession.Outcome {
    let watch = Task.detached {
      try await Task.sleep(for: .seconds(60))
      let places = drops.map(\.description).joined(separator: " and ")
      Fuzz.printError("\(messages) messages, dropped \(places): a message is missing after one minute.")
      exit(1)
    }
    defer { watch.cancel() }
    return try await DropSession(messages: messages, drops: drops).run()
  }

  private static let usage = """
    usage: fuzz drops [--messages <n>] [--pairs <n>] [--seed <n>]

    Interrupt the connection of a chat at every frame, once and then twice, and check that no message is lost or repeated.

      --messages <n>  The number of messages of a session (default: 200).
      --pairs <n>     The number of sessions with two drops (default: 1000).
      --seed <n>      The seed of these drops (default: random).
      --help          Show this help.

    Exit status: 0 if every chat was correct, 1 if one was not, 2 if the arguments are invalid.
    """
}
