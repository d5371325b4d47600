public import Foundation

/// A message as a page of the history has it: what was stored, not yet validated (seed 000).
///
/// A ``MessageNormalizing`` makes a ``ValidatedMessage`` of it.
public struct PaginatedMessage: Sendable, Hashable, Identifiable, Codable {
  /// What the service calls it; the same as on the stream.
  public var id: String
  /// Who said it, as one of the names of ``ChatMessage/Role``.
  public var role: String
  /// What was said.
  ///
  /// Where a service stored something else than text, it is here as `AnyCodableValue(…)` around it.
  public var content: String
  /// When it was said, in ISO 8601.
  public var timestamp: String
  /// The tool that is used, or that answered.
  public var toolName: String?
  /// The use of a tool that this is.
  public var toolUseId: String?
  /// The use of a tool that this is the result of.
  public var toolResultId: String?
  /// What the tool is to do.
  public var toolInputDescription: String?
  /// What the tool answered.
  public var toolOutput: String?
  /// How many tokens it took.
  public var tokenCount: Int?
  /// How long the tool ran, in seconds.
  public var executionTime: TimeInterval?
  /// Where its image is.
  public var imagePath: String?
  /// Its image.
  public var imageData: Data?

  /// A message of a page; what is only true of tools and images is left out elsewhere.
  public init(
    id: String, role: String, content: String, timestamp: String, toolName: String? = nil,
    toolUseId: String? = nil, toolResultId: String? = nil, toolInputDescription: String? = nil,
    toolOutput: String? = nil, tokenCount: Int? = nil, executionTime: TimeInterval? = nil,
    imagePath: String? = nil, imageData: Data? = nil
  ) {
    self.id = id
    self.role = role
    self.content = content
    self.timestamp = timestamp
    self.toolName = toolName
    self.toolUseId = toolUseId
    self.toolResultId = toolResultId
    self.toolInputDescription = toolInputDescription
    self.toolOutput = toolOutput
    self.tokenCount = tokenCount
    self.executionTime = executionTime
    self.imagePath = imagePath
    self.imageData = imageData
  }
}
