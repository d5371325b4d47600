import Foundation

/// The content of a message: a text, a list of blocks, or nothing.
///
/// Blocks have the types `text`, `thinking`, `tool_use`, `tool_result` and `image`. A message has one text, one tool and
/// one image: the text is that of the most important kind of block, in this order: text, tool uses, results, reasoning.
/// Of several tools and images the first is kept.
struct MessageContent: Sendable {
  struct ToolUse: Sendable {
    var id: String?
    var name: String
    var input: String
    var description: String?
  }

  struct ToolResult: Sendable {
    var id: String?
    var tool: String
    var output: String
    var isSuccess: Bool
  }

  /// The text.
  private(set) var text = ""
  /// The role of a message whose blocks have no text; `nil` for any other.
  private(set) var kind: ChatMessage.Role?
  private(set) var toolUse: ToolUse?
  private(set) var toolResult: ToolResult?
  private(set) var imageData: Data?
  /// Whether there is no content, not even an empty one.
  var isMissing = false
  /// Whether something in the blocks is in none of these values.
  private(set) var leavesBlocksOut = false

  var isEmpty: Bool { text.isEmpty && kind == nil && imageData == nil }

  /// - Parameter toolCalls: The uses of tools that some servers write beside the text; its blocks contain the others.
  init(_ json: FeedValue?, toolCalls: [FeedValue] = []) {
    let calls = toolCalls.map(\.toolUse)
    if let json, !json.isNull {
      read(json.blocks + calls)
    } else {
      isMissing = calls.isEmpty
      read(calls)
    }
  }

  private mutating func read(_ blocks: [FeedValue]) {
    var (texts, uses, results, thoughts): ([String], [ToolUse], [ToolResult], [String]) = ([], [], [], [])
    // Images of the message, and those in the results of tools.
    var (images, resultImages): ([Data], [Data]) = ([], [])
    for block in blocks {
      switch block.blockType {
      case "text": texts.append(block.text("text", "content") ?? block.wrapped)
      case "thinking": thoughts.append(block.text("thinking", "content", "text") ?? block.wrapped)
      // It is encrypted, and has nothing to show.
      case "redacted_thinking": thoughts.append("")
      case "tool_use":
        uses.append(
          ToolUse(
            id: block.text("id", "toolUseId", "tool_use_id"), name: block.text("name", "tool") ?? "",
            input: block.text("input") ?? "",
            description: block.text("inputDescription", "input_description")))
      case "tool_result":
        let output = MessageContent(block.value("content", "output"))
        results.append(
          ToolResult(
            id: block.text("tool_use_id", "toolUseId", "id"), tool: block.text("tool", "name") ?? "",
            output: output.text, isSuccess: block.isSuccess))
        if let image = output.imageData { resultImages.append(image) }
        if output.leavesBlocksOut || output.hasTool { leavesBlocksOut = true }
      case "image":
        if let image = block.imageData { images.append(image) } else { leavesBlocksOut = true }
      default: texts.append(block.wrapped)
      }
    }
    (toolUse, toolResult) = (uses.first, results.first)
    imageData = images.first ?? resultImages.first
    let choice: (kind: ChatMessage.Role?, texts: [String]) =
      if texts.contains(where: { !$0.isEmpty }) || !images.isEmpty {
        (nil, texts)
      } else if !uses.isEmpty {
        (.toolUse, uses.map { $0.description ?? $0.name })
      } else if !results.isEmpty {
        (.toolResult, results.map(\.output))
      } else {
        (thoughts.isEmpty ? nil : .thinking, thoughts)
      }
    (kind, text) = (choice.kind, choice.texts.filter { !$0.isEmpty }.joined(separator: "\n\n"))
    let isOneOfEach = uses.count <= 1 && results.count <= 1 && images.count + resultImages.count <= 1
    if !isOneOfEach || (kind != .thinking && thoughts.contains { !$0.isEmpty }) { leavesBlocksOut = true }
  }

  /// Adds the image and the losses of a tool's result, whose text is kept elsewhere.
  mutating func add(_ result: MessageContent) {
    if result.leavesBlocksOut || result.hasTool || (imageData != nil && result.imageData != nil) {
      leavesBlocksOut = true
    }
    imageData = imageData ?? result.imageData
  }

  var hasTool: Bool { toolUse != nil || toolResult != nil }
}

extension FeedValue {
  /// The blocks of a message's content.
  fileprivate var blocks: [FeedValue] {
    if let text = stringValue { return [.textBlock(text)] }
    if let blocks = elements ?? (isObject ? [self] : nil), blocks.allSatisfy({ $0.blockType != nil }) {
      return blocks
    }
    // Another value, which the server stored in the wrong form; see `PaginatedMessage`.
    return [.textBlock(wrapped)]
  }

  private static func textBlock(_ text: String) -> FeedValue {
    .object([("type", .string("text")), ("text", .string(text))])
  }

  /// The block of a tool call, whose function has the tool's name and its input as text.
  fileprivate var toolUse: FeedValue {
    let function = object("function") ?? self
    return .object([
      ("type", .string("tool_use")), ("id", value("id") ?? .null), ("name", function.value("name") ?? .null),
      ("input", function.value("arguments", "input") ?? .null),
    ])
  }

  /// The type of a block, or that which its members have; `nil` for another value.
  fileprivate var blockType: String? {
    guard isObject else { return nil }
    if let type = self["type"]?.stringValue { return type }
    if self["tool_use_id"] != nil { return "tool_result" }
    if self["input"] != nil, self["name"] != nil { return "tool_use" }
    return ["text", "thinking"].first { self[$0]?.stringValue != nil }
  }

  fileprivate var wrapped: String { "AnyCodableValue(\(compactText))" }

  fileprivate var imageData: Data? {
    let source = value("source") ?? self
    return source.text("data").flatMap { Data(base64Encoded: $0) }
  }

  /// Whether the result of a tool is a success, which it is unless it says otherwise.
  var isSuccess: Bool { flag("isError", "is_error") != true && flag("success") != false }
}
