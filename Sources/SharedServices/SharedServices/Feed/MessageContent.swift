import Foundation

/// The content of a message: a text, a list of blocks, or nothing.
///
/// Blocks have the types `text`, `thinking`, `tool_use`, `tool_result` and `image`. A message has one text and one tool:
/// the text is that of the most important kind of block, in this order: text, tool uses, results, reasoning. Of several
/// tools the first is kept.
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

  var isEmpty: Bool { text.isEmpty && kind == nil && imageData == nil }

  init(_ json: FeedValue?) {
    guard let json, !json.isNull else { return }
    if let text = json.stringValue {
      self.text = text
    } else if let blocks = json.elements ?? (json.isObject ? [json] : nil),
      blocks.allSatisfy({ $0.blockType != nil })
    {
      read(blocks)
    } else {
      // Another value, which the server stored in the wrong form; see `PaginatedMessage`.
      text = json.wrapped
    }
  }

  private mutating func read(_ blocks: [FeedValue]) {
    var (texts, uses, results, thoughts): ([String], [ToolUse], [ToolResult], [String]) = ([], [], [], [])
    for block in blocks {
      switch block.blockType {
      case "text": texts.append(block.text("text", "content") ?? "")
      case "thinking": thoughts.append(block.text("thinking", "content", "text") ?? "")
      case "redacted_thinking": thoughts.append("")
      case "tool_use":
        uses.append(
          ToolUse(
            id: block.text("id", "toolUseId", "tool_use_id"), name: block.text("name", "tool") ?? "",
            input: block.text("input") ?? "",
            description: block.text("inputDescription", "input_description")))
      case "tool_result":
        results.append(
          ToolResult(
            id: block.text("tool_use_id", "toolUseId", "id"), tool: block.text("tool", "name") ?? "",
            output: MessageContent(block.value("content", "output")).text, isSuccess: block.isSuccess))
      case "image": imageData = imageData ?? block.imageData
      default: texts.append(block.wrapped)
      }
    }
    (toolUse, toolResult) = (uses.first, results.first)
    let choice: (kind: ChatMessage.Role?, texts: [String]) =
      if !texts.isEmpty || imageData != nil {
        (nil, texts)
      } else if !uses.isEmpty {
        (.toolUse, uses.map { $0.description ?? $0.name })
      } else if !results.isEmpty {
        (.toolResult, results.map(\.output))
      } else {
        (thoughts.isEmpty ? nil : .thinking, thoughts)
      }
    (kind, text) = (choice.kind, choice.texts.filter { !$0.isEmpty }.joined(separator: "\n\n"))
  }
}

extension FeedValue {
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
