public import SharedServices
public import Understudy

extension Exploration where Command == ThreadsCommand {
  /// Threads of two forums that are stored, replaced, marked, deleted and listed.
  public static var threadsRepository: Self {
    Exploration("threads") { _ in ThreadsModel() }
  }
}

/// A minimal model of a repository: its threads, unordered.
public struct ThreadsModel: Sendable, Hashable {
  var threads: [ForumThread] = []

  fileprivate mutating func store(_ thread: ForumThread) {
    var thread = thread
    if thread.forumID == nil { thread.forumID = threads.first { $0.id == thread.id }?.forumID }
    remove(thread.id)
    threads.append(thread)
    // Models with the same threads are equal.
    threads.sort { $0.id < $1.id }
  }

  fileprivate mutating func remove(_ id: Int) {
    threads.removeAll { $0.id == id }
  }

  fileprivate func list(_ forumID: Int) -> [ForumThread] {
    let newest = threads.filter { $0.forumID == forumID }.sorted {
      $0.lastPostDate == $1.lastPostDate ? $0.id > $1.id : $0.lastPostDate > $1.lastPostDate
    }
    return newest.filter(\.isSticky) + newest.filter { !$0.isSticky }
  }
}

/// A call of a repository of threads.
public enum ThreadsCommand: ExplorationCommand {
  /// Stores threads.
  case save([ThreadSample])
  /// Replaces the threads of a forum.
  case replace(inForum: Int, [ThreadSample])
  /// Marks a thread as read up to a post, or as never read.
  case mark(Int, upTo: Int?)
  /// Sets or removes the bookmark of a thread.
  case bookmark(Int, ForumThread.Bookmark?)
  /// Deletes threads.
  case delete([Int])
  /// Returns a part of a forum's list.
  case list(Int, offset: Int, limit: Int?)
  /// Returns a thread.
  case thread(Int)
  /// Begins to follow the changes of a forum's list, which begin with the list.
  case follow(Int)

  /// Returns a random call with few ids and forums, so that calls concern the same threads.
  public static func random(
    in model: ThreadsModel, using generator: inout some RandomNumberGenerator
  ) -> Self {
    let id = Int.random(in: 1...4, using: &generator)
    let forumID = Int.random(in: 1...2, using: &generator)
    let count = Int.random(in: 0...3, using: &generator)
    switch Int.random(in: 0..<9, using: &generator) {
    case 0, 1: return .save((0..<count).map { _ in .random(using: &generator) })
    case 2: return .replace(inForum: forumID, (0..<count).map { _ in .random(using: &generator) })
    case 3 where forumID == 2: return .bookmark(id, ForumThread.Bookmark(rawValue: count - 1))
    case 3: return .mark(id, upTo: [nil, -1, 0, 1, 2, 1000][Int.random(in: 0..<6, using: &generator)])
    case 4: return .delete((0..<count).map { _ in .random(in: 1...4, using: &generator) })
    case 5: return .thread(id)
    case 6: return .follow(forumID)
    default:
      return .list(
        forumID, offset: [0, 0, 0, -1, 1, 2][Int.random(in: 0..<6, using: &generator)],
        limit: [nil, nil, 1, 2, 3, 0, -1][Int.random(in: 0..<7, using: &generator)])
    }
  }

  /// Returns the lists of both forums.
  public static func observations(of model: ThreadsModel) -> [Self] {
    [.list(1, offset: 0, limit: nil), .list(2, offset: 0, limit: nil)]
  }

  /// Returns the call.
  public func call(in model: ThreadsModel) -> ExplorationCall<any ThreadsRepository, ThreadsModel>? {
    switch self {
    case .save(let samples):
      .writing {
        try await $0.save(samples.map(\.thread))
      } change: { model in
        for sample in samples { model.store(sample.thread) }
      }
    case .replace(let forumID, let samples):
      .writing {
        try await $0.replaceThreads(inForum: forumID, with: samples.map(\.thread))
      } change: { model in
        model.threads.removeAll { $0.forumID == forumID }
        for var sample in samples {
          sample.forumID = forumID
          model.store(sample.thread)
        }
      }
    case .mark(let id, let index):
      .writing {
        try await $0.markRead(threadID: id, upTo: index)
      } change: { model in
        for place in model.threads.indices where model.threads[place].id == id {
          let posts = model.threads[place].replyCount + 1
          model.threads[place].reading =
            index.map { .seen(unreadCount: max(0, posts - max(1, $0))) } ?? .never
        }
      }
    case .bookmark(let id, let bookmark):
      .writing {
        try await $0.setBookmark(bookmark, threadID: id)
      } change: { model in
        for place in model.threads.indices where model.threads[place].id == id {
          model.threads[place].bookmark = bookmark
        }
      }
    case .delete(let ids):
      .writing {
        try await $0.delete(threadIDs: ids)
      } change: { model in
        for id in ids { model.remove(id) }
      }
    case .list(let forumID, let offset, let limit):
      ExplorationCall {
        try await $0.threads(inForum: forumID, offset: offset, limit: limit)
      } step: { model, answer in
        let rest = model.list(forumID).dropFirst(max(0, offset))
        return answer.returned(Array(limit.map { rest.prefix(max(0, $0)) } ?? rest))
      }
    case .thread(let id):
      ExplorationCall {
        try await $0.thread(id: id)
      } step: { model, answer in
        answer.returned(model.threads.first { $0.id == id })
      }
    case .follow(let forumID):
      ExplorationCall {
        var changes = try await $0.changes(inForum: forumID).makeAsyncIterator()
        return try await changes.next()?.sections.flatMap(\.self) ?? []
      } step: { model, answer in
        answer.returned(model.list(forumID))
      }
    }
  }

  /// The same call with fewer and simpler threads, and with smaller numbers.
  public var simpler: [ThreadsCommand] {
    switch self {
    case .save(let samples): Self.simpler(samples).map { .save($0) }
    case .replace(let forumID, let samples):
      Self.simpler(samples).map { .replace(inForum: forumID, $0) }
        + forumID.simpler(toward: 1).map { .replace(inForum: $0, samples) }
    case .mark(let id, let index):
      id.simpler(toward: 1).map { .mark($0, upTo: index) }
        + (index?.simpler(toward: 1).map { .mark(id, upTo: $0) } ?? [])
    case .bookmark(let id, let bookmark):
      id.simpler(toward: 1).map { .bookmark($0, bookmark) } + (bookmark == nil ? [] : [.bookmark(id, nil)])
    case .delete(let ids):
      ids.indices.map { place in .delete(ids.enumerated().filter { $0.offset != place }.map(\.element)) }
    case .list(let forumID, let offset, let limit):
      (limit == nil ? [] : [.list(forumID, offset: offset, limit: nil)])
        + offset.simpler().map { .list(forumID, offset: $0, limit: limit) }
        + forumID.simpler(toward: 1).map { .list($0, offset: offset, limit: limit) }
    case .thread(let id): id.simpler(toward: 1).map { .thread($0) }
    case .follow(let forumID): [.list(forumID, offset: 0, limit: nil)]
    }
  }

  private static func simpler(_ samples: [ThreadSample]) -> [[ThreadSample]] {
    samples.indices.flatMap { place in
      var fewer = samples
      fewer.remove(at: place)
      let plainer = samples[place].simpler.map { simpler in
        var plainer = samples
        plainer[place] = simpler
        return plainer
      }
      return [fewer] + plainer
    }
  }
}

extension ExplorationCall where Subject == any ThreadsRepository, Model == ThreadsModel {
  /// Returns a call that succeeds and changes the stored threads.
  fileprivate static func writing(
    _ run: @escaping @Sendable (Subject) async throws -> Void,
    change: @escaping @Sendable (inout Model) -> Void
  ) -> Self {
    ExplorationCall(run: run, unanswered: change) { model, answer in
      change(&model)
      return answer.returned
    }
  }
}
