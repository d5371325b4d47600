import Foundation
public import SharedServices

/// Writes the guide's answers: what stands in for the language model behind the function `send-message`.
///
/// A preview uses ``standard``; a test brings its own:
///
/// ```swift
/// let writer = ReplyWriter { _, _, message in
///   Reply([MessageChunk(text: "You said \(message)."), MessageChunk(text: "", isDone: true)])
/// }
/// let services = InMemorySharedServices(replyWriter: writer)
/// ```
public struct ReplyWriter: Sendable {
  private let write: @Sendable (ChildContext, [Message], String) -> Reply

  /// A writer.
  ///
  /// - Parameter write: Is given what is known of the child, what was said before, the oldest first, and what the
  ///   user says now.
  public init(_ write: @escaping @Sendable (ChildContext, [Message], String) -> Reply) {
    self.write = write
  }

  /// The answer to a message.
  public func reply(to message: String, after history: [Message], about child: ChildContext) -> Reply {
    write(child, history, message)
  }

  /// Always the same answer to the same words: it repeats them, word by word, names a source and ends with an empty
  /// chunk.
  public static let standard: ReplyWriter = ReplyWriter { child, history, message in
    let turn = history.count { $0.role == .user } + 1
    let text = """
      (\(turn)) You said: “\(message)”. With a child of \(child.age) who is \(child.temperament.rawValue), begin \
      with something small. Say what you see, stay calm, and give it time.
      """
    var chunks = pieces(of: text).map { MessageChunk(text: $0) }
    // The sources come with the words that rest on them, not at the end.
    let place = chunks.count / 2
    chunks[place] = MessageChunk(text: chunks[place].text, sources: sources)
    return Reply(chunks + [MessageChunk(text: "", isDone: true)])
  }

  /// What ``standard`` names as its sources.
  public static let sources: [Citation] = [
    Citation(title: "Naming what you see", url: URL(string: "https://example.com/naming?of=what%20you&see")),
    Citation(title: "An old saying"),
  ]

  /// The text, cut after each space; at least one piece.
  private static func pieces(of text: String) -> [String] {
    var pieces = [""]
    for character in text {
      pieces[pieces.count - 1].append(character)
      if character == " " { pieces.append("") }
    }
    return pieces
  }
}

/// One answer of the guide, written piece by piece as it is asked for.
public struct Reply: Sendable {
  let next: @Sendable () async throws -> MessageChunk?

  /// An answer that is there already.
  ///
  /// It is complete only with a last chunk that is done; without one it breaks off.
  public init(_ chunks: [MessageChunk]) {
    let rest = LockedQueue(chunks)
    next = { rest.next() }
  }

  /// An answer whose chunks are asked for one by one, until one is done.
  ///
  /// The closure is released when nobody wants more. `nil` before a chunk that is done breaks the answer off, and so
  /// does an error: in memory the consumer gets it as it is if it is an `AppError`, and else, as over HTTP,
  /// `.network(.connectionLost)`.
  public init(unfolding next: @escaping @Sendable () async throws -> MessageChunk?) {
    self.next = next
  }

  /// The next chunk, for a writer that makes one answer from another.
  ///
  /// - Throws: What the writer throws.
  public func nextChunk() async throws -> MessageChunk? { try await next() }
}
