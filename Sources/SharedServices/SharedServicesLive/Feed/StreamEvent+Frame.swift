import SharedServices

extension StreamEvent {
  /// Decodes the event of a frame, which may have any content.
  init(frame text: String) {
    guard let json = FeedValue(json: text.utf8), let type = json["type"]?.stringValue else {
      self = .unreadable(text)
      return
    }
    switch type {
    case "stream":
      guard let message = json["message"], let part = message.messageType else {
        self = .unreadable(text)
        return
      }
      self = .message(
        StreamedMessage(id: json.messageID ?? "", timestamp: json.timestamp ?? "", part, message))
    case "permission", "question":
      // The server also asks the user without an envelope; the request's id is then the only one.
      self = .message(
        StreamedMessage(id: json.messageID ?? "", timestamp: json.timestamp ?? "", type, json))
    default: self = .control(ControlMessage(type, json))
    }
  }
}
