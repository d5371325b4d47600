import Foundation
import SharedServicesVerification
import Understudy

/// Breaks a chat's connection at every frame: `swift run -c release drops [--messages N] [--pairs N] [--seed N]`.
///
/// First the connection breaks once in each session, before or after each frame; then twice, at random. The chat must end
/// with exactly the messages of the session, in order, each once, and its stream must tell each once. The first session
/// that differs, or in which no connection broke, is printed with what it takes to have it again, and the command exits
/// with 1; so it does when a session takes a minute, for then something was lost.
@main struct Drops {
  static func main() async throws {
    var options = ["--messages": 200, "--pairs": 1000, "--seed": Int.random(in: 0...Int(Int32.max))]
    var arguments = CommandLine.arguments.dropFirst()
    while let name = arguments.popFirst() {
      guard options[name] != nil, let value = arguments.popFirst().flatMap({ Int($0) }), value >= 0 else {
        complain("drops: expected --messages, --pairs or --seed with a whole number, found \(name).")
        exit(2)
      }
      options[name] = value
    }
    let (messages, pairs, seed) = (
      max(1, options["--messages"] ?? 0), options["--pairs"] ?? 0, options["--seed"] ?? 0
    )

    let frames = try await outcome(messages, []).frames
    print("\(messages) messages in \(frames) frames, seed \(seed)")
    for frame in 1...frames {
      for isAfter in [false, true] { try await check(messages, [Drop(frame: frame, isAfter: isAfter)], seed) }
    }
    print("\(frames * 2) sessions with one drop: each chat was right")
    var random = SeededGenerator(seed: UInt64(seed))
    var both = 0
    for _ in 0..<pairs {
      // A drop makes a session longer or shorter, so the second may lie behind its end.
      let drops = [frames, frames + frames / 4].map {
        Drop(frame: Int.random(in: 1...$0, using: &random), isAfter: Bool.random(using: &random))
      }
      if try await check(messages, drops, seed) == drops.count { both += 1 }
    }
    print("\(pairs) sessions with two drops, of which \(both) came to the second: each chat was right")
  }

  /// - Returns: How many of the drops took place.
  @discardableResult private static func check(
    _ messages: Int, _ drops: [Drop], _ seed: Int
  ) async throws -> Int {
    let outcome = try await outcome(messages, drops)
    guard let difference = outcome.difference else { return outcome.drops }
    complain(
      "\(messages) messages, dropped \(drops.map(\.description).joined(separator: " and ")), seed \(seed): \(difference)"
    )
    exit(1)
  }

  private static func outcome(_ messages: Int, _ drops: [Drop]) async throws -> DropSession.Outcome {
    let watch = Task.detached {
      try await Task.sleep(for: .seconds(60))
      let places = drops.map(\.description).joined(separator: " and ")
      complain("\(messages) messages, dropped \(places): the chat waits for ever for a message.")
      exit(1)
    }
    defer { watch.cancel() }
    return try await DropSession(messages: messages, drops: drops).run()
  }

  private static func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
  }
}
