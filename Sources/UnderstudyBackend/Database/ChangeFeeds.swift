public import UnderstudyTransport

/// Who listens to the changes of which tables, and on whose behalf.
struct ChangeFeeds: Sendable {
  struct Feed: Sendable {
    let id: Int
    let tables: Set<Int>
    var role: DatabaseRole
    /// Whether every removal is told, as Realtime does, which cannot ask the policies about a row that is gone.
    let tellsEveryRemoval: Bool
    let bufferSize: Int
    let listener: Listener
  }

  /// Where the changes of a feed go.
  struct Listener: Sendable {
    enum Reception {
      case kept, full, gone
    }

    let tell: @Sendable (RowChange) -> Reception
    let finish: @Sendable ((any Error)?) -> Void
  }

  /// In the order of their subscriptions.
  private(set) var feeds: [Feed] = [] {
    didSet { watchers.tell(feeds.count) }
  }
  private var nextID = 0
  private var watchers = CountWatchers()

  mutating func add(
    to tables: Set<Int>, as role: DatabaseRole, tellingEveryRemoval: Bool = false, _ bufferSize: Int,
    _ listener: Listener
  ) -> Int {
    defer { nextID += 1 }
    feeds.append(
      Feed(
        id: nextID, tables: tables, role: role, tellsEveryRemoval: tellingEveryRemoval,
        bufferSize: bufferSize, listener: listener))
    return nextID
  }

  @discardableResult mutating func remove(_ id: Int) -> Feed? {
    feeds.firstIndex { $0.id == id }.map { feeds.remove(at: $0) }
  }

  mutating func removeAll() -> [Feed] {
    defer { feeds = [] }
    return feeds
  }

  /// Goes on with a feed on behalf of another role.
  mutating func setRole(_ role: DatabaseRole, of id: Int) {
    guard let place = feeds.firstIndex(where: { $0.id == id }) else { return }
    feeds[place].role = role
  }

  /// A stream that ends once there are so many feeds.
  mutating func watch(for count: Int) -> AsyncStream<Never> {
    watchers.add(for: count, now: feeds.count)
  }
}

/// What a statement did to one row, with what is told beside it on the wire.
struct RowChange: Sendable {
  let table: DatabaseTable
  let change: DatabaseChange
  /// The row before; `nil` for a new one.
  let old: DatabaseRow?
  let moment: Timestamp
}

extension DatabaseState {
  /// Tells the feeds what the statement that is being kept has done, row by row, in the order of its first writes.
  ///
  /// Called alone, with the statement done: so the feeds see the order of the commits, and whoever is told of a row
  /// and asks for it finds it.
  mutating func tellChanges(at now: Timestamp) {
    if feeds.feeds.isEmpty { return }
    let listened = feeds.feeds.reduce(into: Set<Int>()) { $0.formUnion($1.tables) }
    var seen: Set<[Int]> = []
    let written = undo.filter {
      listened.contains($0.table) && seen.insert([$0.table, $0.slot]).inserted
    }
    if written.isEmpty { return }
    // Whether somebody saw a row that is gone is for the rows to say that were there with it.
    var past: DatabaseState?
    if written.contains(where: { row($0.slot, of: $0.table) == nil }) {
      past = self
      past?.rollBack()
    }
    for write in written {
      let table = tables[write.table].table
      let old = write.values.map { DatabaseRow(layout: table.layout, values: $0) }
      let change: DatabaseChange
      switch (old, row(write.slot, of: write.table)) {
      case (nil, nil): continue
      case (nil, let new?): change = .insert(new)
      case (_?, let new?): change = .update(new)
      case (let old?, nil): change = .delete(old)
      }
      for feed in feeds.feeds where feed.tables.contains(write.table) {
        let context = StatementContext(role: feed.role, now: now, returnsRows: true)
        let isVisible =
          switch change {
          case .insert(let row), .update(let row): isShown(row, of: write.table, context)
          case .delete(let row):
            feed.tellsEveryRemoval || past?.isShown(row, of: write.table, context) ?? false
          }
        if isVisible { tell(feed, RowChange(table: table, change: change, old: old, moment: now)) }
      }
    }
  }

  /// Whether a role that has a right to the table is shown a row; a policy that cannot be evaluated shows none.
  private func isShown(_ row: DatabaseRow, of table: Int, _ context: StatementContext) -> Bool {
    do throws(PostgRESTError) {
      try checkAccess(to: table, for: [.select], context)
      return try isVisible(row, of: table, to: [.select], context)
    } catch {
      return false
    }
  }

  private mutating func tell(_ feed: ChangeFeeds.Feed, _ change: RowChange) {
    switch feed.listener.tell(change) {
    case .kept: break
    case .full:
      feeds.remove(feed.id)
      feed.listener.finish(ChangeFeedOverflow(bufferSize: feed.bufferSize))
    case .gone: feeds.remove(feed.id)
    }
  }
}

/// Who waits for a count to reach a number.
struct CountWatchers: Sendable {
  private var waiting: [(count: Int, wake: AsyncStream<Never>.Continuation)] = []

  /// A stream that ends when the count is what is waited for, which it may be now.
  mutating func add(for count: Int, now: Int) -> AsyncStream<Never> {
    let (stream, wake) = AsyncStream<Never>.makeStream()
    if count == now { wake.finish() } else { waiting.append((count, wake)) }
    return stream
  }

  /// Wakes those who wait for this count.
  mutating func tell(_ count: Int) {
    for waiter in waiting where waiter.count == count { waiter.wake.finish() }
    waiting.removeAll { $0.count == count }
  }
}

/// What a statement did to one row.
public enum DatabaseChange: Sendable, Equatable {
  /// The row was added; it is stored as given.
  case insert(DatabaseRow)
  /// The row was written again; it is now as given.
  case update(DatabaseRow)
  /// The row was removed; it was as given.
  case delete(DatabaseRow)
}

/// The consumer of a change feed was so far behind that changes had to be dropped, so the feed ended.
public struct ChangeFeedOverflow: Error, Sendable, Equatable, CustomStringConvertible {
  /// How many changes were kept for it.
  public let bufferSize: Int

  /// An overflow of so many changes.
  public init(bufferSize: Int) {
    self.bufferSize = bufferSize
  }

  /// What happened, and what to do.
  public var description: String {
    "The change feed ended because more than \(bufferSize) changes waited to be read. Read faster, or keep more."
  }
}

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
