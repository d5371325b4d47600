import Foundation
public import SharedServices
import Understudy

/// Writes the guide's answers in place of the language model behind the function `send-message`.
///
/// Seed 001 calls a model of OpenAI, whose answers a test cannot know in advance. Its prompt is what a writer receives.
///
/// A preview uses ``standard``; a test passes its own:
///
/// ```swift
/// let writer = ReplyWriter { _, _, message in
///   Reply([MessageChunk(text: "You said \(message)."), MessageChunk(text: "", isDone: true)])
/// }
/// let services = InMemorySharedServices(replyWriter: writer)
/// ```
public struct ReplyWriter: Sendable {
  private let write: @Sendable (ChildContext, [Message], String, String?) -> Reply

  /// A writer.
  ///
  /// - Parameter write: Receives the child's context, the previous messages, the oldest first, and the
  ///   user's message.
  public init(_ write: @escaping @Sendable (ChildContext, [Message], String) -> Reply) {
    self.write = { child, history, message, _ in write(child, history, message) }
  }

  /// A writer that uses what is remembered about the child.
  ///
  /// - Parameter write: Receives the child's context, the previous messages, the oldest first, the user's message, and
  ///   the content of the child's row in the table `child_memory` as JSON, if there is one.
  public init(
    remembering write: @escaping @Sendable (ChildContext, [Message], String, _ memory: String?) -> Reply
  ) {
    self.write = write
  }

  /// The answer to a message.
  package func reply(
    to message: String, after history: [Message], about child: ChildContext, remembering memory: String?
  ) -> Reply {
    write(child, history, message, memory)
  }

  /// A deterministic answer: it repeats the message in several chunks, names sources and ends with an empty
  /// chunk.
  public static let standard: ReplyWriter = ReplyWriter { child, history, message in
    let turn = history.count { $0.role == .user } + 1
    let text = """
      (\(turn)) You said: “\(message)”. With a child of \(child.age) who is \(child.temperament.rawValue), begin \
      with something small. Say what you see, stay calm, and give it time.
      """
    var chunks = pieces(of: text).map { MessageChunk(text: $0) }
    // The sources come with the text that cites them, not at the end.
    let place = chunks.count / 2
    chunks[place] = MessageChunk(text: chunks[place].text, sources: sources)
    return Reply(chunks + [MessageChunk(text: "", isDone: true)])
  }

  /// The sources of ``standard``.
  package static let sources: [Citation] = [
    Citation(title: "Naming what you see", url: URL(string: "https://example.com/naming?of=what%20you&see")),
    Citation(title: "An old saying"),
  ]

  /// The text, split after each space; at least one piece.
  private static func pieces(of text: String) -> [String] {
    var pieces = [""]
    for character in text {
      pieces[pieces.count - 1].append(character)
      if character == " " { pieces.append("") }
    }
    return pieces
  }
}

/// An answer of the guide, written chunk by chunk on demand.
public struct Reply: Sendable {
  let next: @Sendable () async throws -> MessageChunk?

  /// An answer with known chunks.
  ///
  /// It is complete only if the last chunk is done; otherwise it ends early.
  public init(_ chunks: [MessageChunk]) {
    let rest = LockedQueue(chunks)
    next = { rest.next() }
  }

  /// A complete answer that is already stored.
  package init(repeating message: Message) {
    self.init([
      MessageChunk(text: message.content, sources: message.sources.isEmpty ? nil : message.sources),
      MessageChunk(text: "", isDone: true),
    ])
  }

  /// An answer whose chunks are requested one by one, until one is done.
  ///
  /// The closure is released after the last chunk. `nil` before a chunk that is done ends the answer early, and so
  /// does an error: in memory the consumer receives an `AppError` unchanged, and any other error, as over HTTP, as
  /// `.network(.connectionLost)`.
  public init(unfolding next: @escaping @Sendable () async throws -> MessageChunk?) {
    self.next = next
  }

  /// The next chunk, for a writer that makes one answer from another.
  ///
  /// - Throws: What the writer throws.
  package func nextChunk() async throws -> MessageChunk? { try await next() }
}

/// A queue of values behind a lock.
private final class LockedQueue<Element: Sendable>: Sendable {
  private let rest: Locked<ArraySlice<Element>>

  init(_ elements: [Element]) {
    rest = Locked(elements[...])
  }

  func next() -> Element? { rest.withLock { $0.popFirst() } }
}
