import UnderstudyHTTP

extension InMemoryDatabase {
  /// The changes of a table from now on, in the order in which their statements were kept.
  ///
  /// A role is told of the rows that its `SELECT` policies show it: a new or changed one as it is now, a removed one
  /// as it was. Nothing is told of a statement that was refused, and each change is told once its statement is kept.
  /// A consumer whose iterator and stream are released, or whose task is cancelled, is unsubscribed.
  ///
  /// ```swift
  /// for try await case .insert(let row) in try database.changes(on: "todos", as: .user(id)) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - table: Such as `children`.
  ///   - role: Whose policies hold.
  ///   - bufferSize: How many changes are kept for a consumer that is slow; with one more, the feed ends with
  ///     ``ChangeFeedOverflow`` after those that are kept, so that none is ever left out.
  /// - Returns: A feed that has begun, so that no later change is missed. It does not end by itself.
  /// - Throws: 42P01 if there is no such table.
  public func changes(
    on table: String, as role: DatabaseRole = .service, bufferSize: Int = 10_000
  ) throws(PostgRESTError) -> AsyncThrowingStream<DatabaseChange, any Error> {
    let size = max(1, bufferSize)
    let (stream, continuation) = AsyncThrowingStream<DatabaseChange, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(size))
    let id = try withState { (state) throws(PostgRESTError) in
      let place = try state.place(of: table)
      if let mistake = state.tables[place].mistake { throw mistake }
      return state.feeds.add(to: [place], as: role, size, continuation.listener { $0.change })
    }
    continuation.onTermination = { [weak self] reason in
      // A feed that is finished has been removed, by whoever holds the lock that finished it.
      if case .cancelled = reason { self?.removeFeed(id) }
    }
    return stream
  }

  /// Ends a feed, if it has not ended.
  func removeFeed(_ id: Int) {
    withState { $0.feeds.remove(id) }?.listener.finish(nil)
  }

  /// Ends every feed with an error, as a lost connection does; what they have been told is delivered first.
  public func breakChangeFeeds(with error: any Error) {
    for feed in withState({ $0.feeds.removeAll() }) { feed.listener.finish(error) }
  }

  /// How many feeds there are.
  public var changeFeedCount: Int { withState { $0.feeds.feeds.count } }

  /// Returns once there are so many feeds, or the task is cancelled.
  ///
  /// A subscription over a connection ends a little after its consumer has left.
  public func waitForChangeFeeds(_ count: Int) async {
    for await _ in withState({ $0.feeds.watch(for: count) }) {}
  }
}

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
  /// What hands the changes of a feed to this stream.
  func listener(_ element: @escaping @Sendable (RowChange) -> Element) -> ChangeFeeds.Listener {
    ChangeFeeds.Listener(
      tell: { change in
        switch yield(element(change)) {
        case .enqueued: .kept
        case .dropped: .full
        case .terminated: .gone
        @unknown default: .kept
        }
      }, finish: { finish(throwing: $0) })
  }
}
