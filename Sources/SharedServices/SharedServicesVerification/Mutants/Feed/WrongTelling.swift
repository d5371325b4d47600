import SharedServices

/// The updates that a wrong stream delivers in place of the right ones.
struct WrongTelling: Sendable {
  private let mistake: WrongMessageStreamService.Mistake
  private let isFromTheBeginning: Bool

  /// The updates to be delivered.
  private var waiting: [FeedUpdate] = []
  /// Whether the delivery has ended.
  private(set) var isOver = false

  /// The answers that were reported as abandoned since the connection was lost, and before.
  private var (abandoned, abandonedBefore): ([FeedUpdate], [FeedUpdate]) = ([], [])
  /// Whether the messages that were missed came from the history.
  private var isFilledFromHistory = false
  private var wasConnected = false
  private var isReconnecting = false
  private var lastMessage: FeedUpdate?
  /// The delivered parts of each unfinished answer.
  private var pieces: [String: String] = [:]
  private var partsOfUnknownType: Set<String> = []
  /// The answers of which a part was delivered before the connection was lost.
  private var halfTold: Set<String> = []

  init(_ mistake: WrongMessageStreamService.Mistake, isFromTheBeginning: Bool) {
    self.mistake = mistake
    self.isFromTheBeginning = isFromTheBeginning
  }

  mutating func next() -> FeedUpdate? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// Turns an update into the updates to be delivered.
  mutating func take(_ update: FeedUpdate, followers: Int) {
    switch update {
    case .connected:
      (wasConnected, isReconnecting, isFilledFromHistory) = (true, false, false)
      if mistake == .abandonsAgain { waiting += abandonedBefore }
      abandonedBefore += abandoned
      abandoned = []
    case .reconnecting: isReconnecting = true
    case .event(.message(let message)):
      if case .unknown = message.content {
        if mistake == .hidesUnknownTypes { return }
        partsOfUnknownType.insert(message.id)
      }
      if case .assistant(let piece, isDelta: true) = message.content {
        takePiece(piece, of: message)
      } else {
        pieces[message.id] = nil
        takeMessage(update, followers)
      }
      return
    case .abandoned: abandoned.append(update)
    case .missed(let messages), .reset(let messages):
      isFilledFromHistory = true
      if mistake == .takesTheHistoryForParts {
        waiting += messages.filter { pieces[$0.id] != nil }.map { .abandoned($0.id) }
      }
    case .event: break
    }
    waiting += told(of: update)
  }

  /// Returns the updates that are delivered for an update without a message.
  private mutating func told(of update: FeedUpdate) -> [FeedUpdate] {
    switch (mistake, update) {
    case (.hidesReconnecting, .reconnecting): []
    case (.abandonsOne, .abandoned) where abandoned.count > 1: []
    case (.abandonsNothingFromTheHistory, .abandoned) where isFilledFromHistory: []
    case (.takesResetsForGaps, .reset(let messages)): [.missed(messages)]
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
    case .losesOptions: waiting.append(update.withoutOptions)
    case .tellsTwice: waiting += [update, update]
    case .tellsOncePerFollower: waiting += Array(repeating: update, count: followers)
    case .forgetsWhereItWas where isReconnecting, .tellsNothingOld where isFromTheBeginning && !wasConnected:
      break
    default: waiting.append(update)
    }
  }

  private mutating func takePiece(_ piece: String, of message: StreamedMessage) {
    let all = pieces[message.id, default: ""] + piece
    pieces[message.id] = all
    var message = message
    switch mistake {
    case .takesPartsForMessages where partsOfUnknownType.contains(message.id): return
    case .tellsAllPiecesSoFar: message.content = .assistant(all, isDelta: true)
    case .repeatsPieces where halfTold.remove(message.id) != nil:
      message.content = .assistant(all, isDelta: true)
    default: break
    }
    waiting.append(.event(.message(message)))
  }
}

extension FeedUpdate {
  /// The update without the options of a question for a permission.
  fileprivate var withoutOptions: FeedUpdate {
    guard case .event(.message(var message)) = self, case .permission(var request) = message.content else {
      return self
    }
    request.options = []
    message.content = .permission(request)
    return .event(.message(message))
  }
}
