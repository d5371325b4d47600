import Understudy
import UnderstudyPostgreSQL

/// The subscriptions to the changes of tables.
struct ChangeFeeds: Sendable {
  struct Feed: Sendable {
    let id: Int
    let tables: Set<QualifiedName>
    var role: DatabaseRole
    /// Whether every deletion is reported, as Realtime does, which cannot check the policies of a deleted row.
    let reportsEveryDeletion: Bool
    let bufferSize: Int
    let listener: Listener
  }

  /// The receiver of a feed's changes.
  struct Listener: Sendable {
    enum Reception {
      case kept, full, ended
    }

    let send: @Sendable (RowChange) -> Reception
    let finish: @Sendable ((any Error)?) -> Void
  }

  /// The feeds, in the order of their subscriptions.
  private(set) var feeds: [Feed] = [] {
    didSet { watchers.update(feeds.count) }
  }
  private var nextID = 0
  private var watchers = CountWatchers()

  mutating func add(
    to tables: Set<QualifiedName>, as role: DatabaseRole, reportingEveryDeletion: Bool = false,
    _ bufferSize: Int,
    _ listener: Listener
  ) -> Int {
    defer { nextID += 1 }
    feeds.append(
      Feed(
        id: nextID, tables: tables, role: role, reportsEveryDeletion: reportingEveryDeletion,
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

  /// Changes the role of a feed.
  mutating func setRole(_ role: DatabaseRole, of id: Int) {
    guard let place = feeds.firstIndex(where: { $0.id == id }) else { return }
    feeds[place].role = role
  }

  /// Returns a stream that ends once the number of feeds is `count`.
  mutating func watch(for count: Int) -> AsyncStream<Never> {
    watchers.add(for: count, now: feeds.count)
  }
}

/// A change of one row, with the additional values that Realtime sends.
struct RowChange: Sendable {
  let table: Table
  let change: DatabaseChange
  /// The previous row; `nil` for a new one.
  let old: DatabaseRow?
  let moment: Timestamp
  /// A session over the rows after the change, to evaluate conditions.
  let session: @Sendable () -> Session
}

extension ChangeFeeds {
  /// Sends the changes of a statement to the feeds, row by row, in their order.
  ///
  /// Called under the lock after the statement, so that feeds receive the changes in the order of commits.
  ///
  /// - Parameter session: Makes a session of a role over a state.
  mutating func send(
    _ changes: [Session.ObservedChange], before: State, after: State, at moment: Int64,
    session: @escaping @Sendable (DatabaseRole, State) -> Session
  ) {
    if feeds.isEmpty { return }
    // The feeds of equal claims share a session.
    var sessions: [String: Session] = [:]
    for observed in changes {
      let listening = feeds.filter { $0.tables.contains(observed.table) }
      guard !listening.isEmpty, let table = after.catalogue.tables[observed.table],
        let time = Timestamp(microseconds: moment &+ Timestamp.from1970To2000)
      else { continue }
      let change: DatabaseChange
      switch (observed.old, observed.new) {
      case (nil, nil): continue
      case (nil, let new?): change = .insert(DatabaseRow(table, new))
      case (_?, let new?): change = .update(DatabaseRow(table, new))
      case (let old?, nil): change = .delete(DatabaseRow(table, old))
      }
      let sent = RowChange(
        table: table, change: change, old: observed.old.map { DatabaseRow(table, $0) }, moment: time,
        session: { session(.service, after) })
      for feed in listening {
        let isVisible =
          switch change {
          case .insert(let row), .update(let row):
            sessions.value(of: feed.role.claims) { session(feed.role, after) }.sees(
              row.values, of: table.name)
          // Whether a role could see a deleted row depends on the rows of that time.
          case .delete(let row):
            feed.reportsEveryDeletion || session(feed.role, before).sees(row.values, of: table.name)
          }
        if isVisible { send(feed, sent) }
      }
    }
  }

  private mutating func send(_ feed: Feed, _ change: RowChange) {
    switch feed.listener.send(change) {
    case .kept: break
    case .full:
      remove(feed.id)
      feed.listener.finish(ChangeFeedOverflow(bufferSize: feed.bufferSize))
    case .ended: remove(feed.id)
    }
  }
}

extension [String: Session] {
  /// Returns the session of a role's claims, which is made at the first use.
  fileprivate mutating func value(of claims: String, make: () -> Session) -> Session {
    if let session = self[claims] { return session }
    let session = make()
    self[claims] = session
    return session
  }
}

/// The change of one row by a statement.
package enum DatabaseChange: Sendable, Equatable {
  /// The row was inserted, with its stored values.
  case insert(DatabaseRow)
  /// The row was updated, with its new values.
  case update(DatabaseRow)
  /// The row was deleted, with its last values.
  case delete(DatabaseRow)
}

extension DatabaseChange {
  /// The row after the change, or the deleted one.
  var row: DatabaseRow {
    switch self {
    case .insert(let row), .update(let row), .delete(let row): row
    }
  }
}

/// A change feed ended because its consumer did not read fast enough and its buffer was full.
package struct ChangeFeedOverflow: Error, Sendable, Equatable, CustomStringConvertible {
  /// The size of the buffer.
  package let bufferSize: Int

  /// Creates the error for a buffer of this size.
  package init(bufferSize: Int) {
    self.bufferSize = bufferSize
  }

  /// A description of the error and its remedy.
  package var description: String {
    "The change feed ended: more than \(bufferSize) changes were not read. Read faster, or increase bufferSize."
  }
}

extension InMemoryDatabase {
  /// Returns a feed of the changes of a table from now on, in the order of commits.
  ///
  /// A role receives the changes of the rows that its `SELECT` policies let it see: inserted and updated rows with their
  /// new values, deleted rows with their last ones. A change is sent once its statement is committed.
  /// A consumer whose iterator and stream are released, or whose task is cancelled, is unsubscribed.
  ///
  /// ```swift
  /// for try await case .insert(let row) in try database.changes(on: "todos", as: .user(id)) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - table: The name of the table, such as `children`.
  ///   - role: The role whose policies apply.
  ///   - bufferSize: The number of changes to buffer for a slow consumer; with one more, the feed ends with
  ///     `ChangeFeedOverflow` after the buffered changes, so that no change is skipped silently.
  /// - Returns: A started feed, which misses no later change and only ends explicitly.
  /// - Throws: 42P01 if the table does not exist.
  package func changes(
    on table: String, as role: DatabaseRole = .service, bufferSize: Int = 10_000
  ) throws(PostgRESTError) -> AsyncThrowingStream<DatabaseChange, any Error> {
    let size = max(1, bufferSize)
    let (stream, continuation) = AsyncThrowingStream<DatabaseChange, any Error>.makeStream(
      bufferingPolicy: .bufferingOldest(size))
    let name = Self.name(table)
    guard catalogue.tables[name] != nil else {
      throw PostgRESTError(Catalogue.noRelation(QualifiedName(table)))
    }
    let id = withFeeds { $0.add(to: [name], as: role, size, continuation.listener { $0.change }) }
    continuation.onTermination = { [weak self] reason in
      // A finished feed was removed when it was finished, under the same lock.
      if case .cancelled = reason { self?.removeFeed(id) }
    }
    return stream
  }

  /// Ends a feed, if it has not ended.
  func removeFeed(_ id: Int) {
    withFeeds { $0.remove(id) }?.listener.finish(nil)
  }

  /// Ends every feed with an error, as a lost connection does, after the changes that are already buffered.
  package func breakChangeFeeds(with error: any Error) {
    for feed in withFeeds({ $0.removeAll() }) { feed.listener.finish(error) }
  }

  /// The number of feeds.
  package var changeFeedCount: Int { withFeeds { $0.feeds.count } }

  /// Returns once the number of feeds is `count`, or the task is cancelled.
  ///
  /// A subscription over a connection ends shortly after its consumer has stopped.
  package func waitForChangeFeeds(_ count: Int) async {
    for await _ in withFeeds({ $0.watch(for: count) }) {}
  }
}

extension AsyncThrowingStream.Continuation where Element: Sendable, Failure == any Error {
  /// Returns a receiver that yields the changes of a feed to this stream.
  func listener(_ element: @escaping @Sendable (RowChange) -> Element) -> ChangeFeeds.Listener {
    ChangeFeeds.Listener(
      send: { change in
        switch yield(element(change)) {
        case .enqueued: .kept
        case .dropped: .full
        case .terminated: .ended
        @unknown default: .kept
        }
      }, finish: { finish(throwing: $0) })
  }
}
