import UnderstudyTransport

/// Who listens to the changes of which table, and on whose behalf.
struct ChangeFeeds: Sendable {
  typealias Continuation = AsyncThrowingStream<DatabaseChange, any Error>.Continuation

  struct Feed: Sendable {
    let id: Int
    let table: Int
    let role: DatabaseRole
    let bufferSize: Int
    let continuation: Continuation
  }

  /// In the order of their subscriptions.
  private(set) var feeds: [Feed] = []
  private var nextID = 0

  mutating func add(
    to table: Int, as role: DatabaseRole, _ bufferSize: Int, _ continuation: Continuation
  ) -> Int {
    defer { nextID += 1 }
    feeds.append(
      Feed(id: nextID, table: table, role: role, bufferSize: bufferSize, continuation: continuation))
    return nextID
  }

  mutating func remove(_ id: Int) {
    feeds.removeAll { $0.id == id }
  }

  mutating func removeAll() -> [Feed] {
    defer { feeds = [] }
    return feeds
  }
}

extension DatabaseState {
  /// Tells the feeds what the statement that is being kept has done, row by row, in the order of its first writes.
  ///
  /// Called alone, with the statement done: so the feeds see the order of the commits, and whoever is told of a row
  /// and asks for it finds it.
  mutating func tellChanges(at now: Timestamp) {
    if feeds.feeds.isEmpty { return }
    let listened = Set(feeds.feeds.map(\.table))
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
      let old = write.values.map { DatabaseRow(layout: tables[write.table].table.layout, values: $0) }
      let change: DatabaseChange
      switch (old, row(write.slot, of: write.table)) {
      case (nil, nil): continue
      case (nil, let new?): change = .insert(new)
      case (_?, let new?): change = .update(new)
      case (let old?, nil): change = .delete(old)
      }
      for feed in feeds.feeds where feed.table == write.table {
        let context = StatementContext(role: feed.role, now: now, returnsRows: true)
        let isVisible =
          switch change {
          case .insert(let row), .update(let row): self.isVisible(row, of: write.table, to: .select, context)
          case .delete(let row): past?.isVisible(row, of: write.table, to: .select, context) ?? false
          }
        if isVisible { tell(feed, change) }
      }
    }
  }

  private mutating func tell(_ feed: ChangeFeeds.Feed, _ change: DatabaseChange) {
    switch feed.continuation.yield(change) {
    case .enqueued: break
    case .dropped:
      feeds.remove(feed.id)
      feed.continuation.finish(throwing: ChangeFeedOverflow(bufferSize: feed.bufferSize))
    case .terminated: feeds.remove(feed.id)
    @unknown default: break
    }
  }
}
