import UnderstudyHTTP

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
  let table: Table
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
