import SharedServices

/// What a wrong stream makes of the updates that it should tell.
struct WrongTelling: Sendable {
  private let mistake: WrongMessageStreamService.Mistake
  private let isFromTheBeginning: Bool

  /// What is still to be told.
  private var waiting: [FeedUpdate] = []
  /// Whether nothing more is told.
  private(set) var isOver = false

  private var wasConnected = false
  private var isReconnecting = false
  /// What was missed, the newest first.
  private var missed: [FeedUpdate] = []
  private var lastMessage: FeedUpdate?
  /// What was told of each answer that is not whole.
  private var pieces: [String: String] = [:]
  private var partsOfUnknownType: Set<String> = []
  /// The answers of which a part was told before the connection was lost.
  private var halfTold: Set<String> = []

  init(_ mistake: WrongMessageStreamService.Mistake, isFromTheBeginning: Bool) {
    self.mistake = mistake
    self.isFromTheBeginning = isFromTheBeginning
  }

  mutating func next() -> FeedUpdate? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// Makes of an update what is told.
  mutating func take(_ update: FeedUpdate, followers: Int) {
    switch update {
    case .connected:
      (wasConnected, isReconnecting) = (true, false)
      waiting += missed
      missed = []
    case .reconnecting: isReconnecting = true
    case .event(.message(let message)):
      if case .unknown = message.content { partsOfUnknownType.insert(message.id) }
      if case .assistant(let piece, isDelta: true) = message.content {
        takePiece(piece, of: message)
      } else {
        pieces[message.id] = nil
        takeMessage(update, followers)
      }
      return
    case .event, .abandoned, .missed, .reset: break
    }
    waiting += told(of: update)
  }

  /// What is told of an update that is no message.
  private mutating func told(of update: FeedUpdate) -> [FeedUpdate] {
    switch (mistake, update) {
    case (.hidesGaps, .missed), (.hidesAbandonedAnswers, .abandoned), (.hidesReconnecting, .reconnecting): []
    case (.takesResetsForGaps, .reset(let messages)): [.missed(messages)]
    case (.saysTwiceThatItReconnects, .reconnecting): [.reconnecting, .reconnecting]
    case (.goesOnAtTheLastMessage, .reconnecting): [.reconnecting] + (lastMessage.map { [$0] } ?? [])
    case (.abandonsWhatIsHalfTold, .reconnecting):
      [.reconnecting] + pieces.keys.sorted().map { .abandoned($0) }
    case (.endsAtALoss, .reconnecting): end()
    case (.repeatsPieces, .reconnecting): forgetPieces()
    default: [update]
    }
  }

  private mutating func end() -> [FeedUpdate] {
    isOver = true
    return []
  }

  private mutating func forgetPieces() -> [FeedUpdate] {
    halfTold = Set(pieces.keys)
    return [.reconnecting]
  }

  private mutating func takeMessage(_ update: FeedUpdate, _ followers: Int) {
    lastMessage = update
    switch mistake {
    case .tellsTwice: waiting += [update, update]
    case .tellsOncePerFollower: waiting += Array(repeating: update, count: followers)
    case .tellsTheNewestFirst where isReconnecting || !wasConnected: missed.insert(update, at: 0)
    case .forgetsWhereItWas where isReconnecting, .tellsNothingOld where isFromTheBeginning && !wasConnected:
      break
    case .losesTheCost:
      guard case .event(.message(var message)) = update, case .usage(var usage) = message.content else {
        return waiting.append(update)
      }
      usage.totalCost = nil
      message.content = .usage(usage)
      waiting.append(.event(.message(message)))
    default: waiting.append(update)
    }
  }

  private mutating func takePiece(_ piece: String, of message: StreamedMessage) {
    let all = pieces[message.id, default: ""] + piece
    pieces[message.id] = all
    var message = message
    switch mistake {
    case .hidesWhatIsBegun where !wasConnected,
      .takesPartsForMessages where partsOfUnknownType.contains(message.id):
      return
    case .tellsAllPiecesSoFar: message.content = .assistant(all, isDelta: true)
    case .repeatsPieces where halfTold.remove(message.id) != nil:
      message.content = .assistant(all, isDelta: true)
    default: break
    }
    waiting.append(.event(.message(message)))
  }
}
