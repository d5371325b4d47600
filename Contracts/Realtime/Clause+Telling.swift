import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any RealtimeService {
  @ContractBuilder<Subject> static var telling: [Self] {
    Clause("realtime.tell.inserted", "A child that another device stores is delivered as it is stored.") {
      trial in
      let subscription = try await trial.subscribed()
      let child = try await subscription.mark()
      trial.expect(try await subscription.next(1), equals: [.inserted(child)], "the change")
    }

    Clause("realtime.tell.values", "A child is delivered with the words that it has, or without any.") {
      trial in
      let subscription = try await trial.subscribed()
      let (device, children) = (subscription.device, subscription.device.children)
      let words: [(goals: [String], topics: [String])] = [
        ([], []), (["sleep", "sleep", "listen"], ["school", "school", "", "art"]), ([""], []),
      ]
      var expected: [ChildChange?] = []
      for (number, words) in words.enumerated() {
        var sample = NewChild.sample(of: device.userID, named: "Child \(number)")
        (sample.goals, sample.topics) = words
        let child = try await children.createChild(sample)
        expected.append(.inserted(child))
        let changed = child.with { ($0.goals, $0.topics) = ($0.topics, $0.goals) }
        expected.append(.updated(try await children.updateChild(changed)))
      }
      trial.expect(try await subscription.next(expected.count), equals: expected, "the changes")
    }

    Clause("realtime.tell.again", "A child that is stored again after its deletion is inserted.") { trial in
      let subscription = try await trial.subscribed()
      let (device, children) = (subscription.device, subscription.device.children)
      let sample = NewChild.sample(of: device.userID, under: trial.uuid())
      var expected: [ChildChange?] = []
      for _ in 1...2 {
        let child = try await children.createChild(sample)
        try await children.deleteChild(id: child.id)
        expected += [.inserted(child), .deleted(id: child.id)]
      }
      trial.expect(try await subscription.next(4), equals: expected, "the changes")
    }

    Clause(
      "realtime.tell.updated",
      "A child that is updated is delivered with its new values, even if they are the same."
    ) { trial in
      _ = try await trial.given(.signedIn)
      let device = try await trial.given(.anotherDevice)
      var child = try await device.children.createChild(.sample(of: device.userID))
      let subscription = Subscription(device: device, changes: try await trial.subject.childChanges())
      child.age = 9
      child.goals = []
      let stored = try await device.children.updateChild(child)
      let again = try await device.children.updateChild(stored)
      let mark = try await subscription.mark()
      trial.expect(
        try await subscription.next(upTo: mark.id),
        equals: [.updated(stored), .updated(again), .inserted(mark)], "the changes")
    }

    Clause("realtime.tell.deleted", "The id of a removed child is delivered.") { trial in
      let subscription = try await trial.subscribed()
      let child = try await subscription.mark()
      try await subscription.device.children.deleteChild(id: child.id)
      trial.expect(
        try await subscription.next(2), equals: [.inserted(child), .deleted(id: child.id)], "the changes")
    }

    Clause("realtime.tell.order", "Changes are delivered in the order in which they were stored, each once.")
    {
      trial in
      let subscription = try await trial.subscribed()
      let children = subscription.device.children
      var expected: [ChildChange?] = []
      for number in 1...20 {
        var child = try await subscription.mark("Child \(number)")
        expected.append(.inserted(child))
        child.age = 6 + trial.integer(in: 0...10)
        expected.append(.updated(try await children.updateChild(child)))
        if number.isMultiple(of: 3) {
          try await children.deleteChild(id: child.id)
          expected.append(.deleted(id: child.id))
        }
      }
      trial.expect(try await subscription.next(expected.count), equals: expected, "the changes")
    }

    Clause("realtime.tell.at-once", "Forty children that are stored at once are each delivered once.") {
      trial in
      let subscription = try await trial.subscribed()
      let created = try await withThrowingTaskGroup(of: Child.self) { group in
        for number in 1...40 { group.addTask { try await subscription.mark("Child \(number)") } }
        return try await group.reduce(into: Set<Child>()) { $0.insert($1) }
      }
      let told = try await subscription.next(40)
      trial.expect(
        Set(told) == Set(created.map { .inserted($0) }), "Expected the forty children, each once.")
      let mark = try await subscription.mark()
      trial.expect(try await subscription.next(1), equals: [.inserted(mark)], "what comes after them")
    }

    Clause(
      "realtime.tell.removed-earlier",
      "The removal of a child that was stored before is delivered, however many there are."
    ) { trial in
      _ = try await trial.given(.signedIn)
      let device = try await trial.given(.anotherDevice)
      let children = device.children
      var ids: [UUID] = []
      for number in 1...25 {
        ids.append(
          try await children.createChild(.sample(of: device.userID, named: "Child \(number)")).id)
      }
      let subscription = Subscription(device: device, changes: try await trial.subject.childChanges())
      for id in ids { try await children.deleteChild(id: id) }
      let mark = try await subscription.mark()
      let told = try await subscription.next(upTo: mark.id)
      trial.expect(told.count, equals: 26, "the number of changes")
      trial.expect(
        told == ids.map { .deleted(id: $0) } + [.inserted(mark)],
        "Expected the removals in their order, and then the mark.")
    }

    Clause(
      "realtime.tell.quick",
      "Of changes in quick succession each is delivered with its own values, to the microsecond."
    ) { trial in
      let subscription = try await trial.subscribed()
      let passage = try await trial.given(.timePasses)
      let children = subscription.device.children
      var child = try await subscription.mark("Kim")
      var expected: [ChildChange?] = [.inserted(child)]
      for age in [9, 10, 9] {
        try await passage.pass(.microseconds(1_234_567))
        child.age = age
        let stored = try await children.updateChild(child)
        expected.append(.updated(stored))
        trial.expect(
          stored.updatedAt > child.createdAt, "Expected a later date of the change to \(age).")
      }
      try await children.deleteChild(id: child.id)
      let again = try await subscription.mark("Kim")
      trial.expect(
        try await subscription.next(upTo: again.id),
        equals: expected + [.deleted(id: child.id), .inserted(again)], "the changes")
    }

    Clause(
      "realtime.tell.many",
      "More unread changes than a page or a buffer has are all delivered in their order."
    ) {
      trial in
      let subscription = try await trial.subscribed()
      var expected: [ChildChange?] = []
      for number in 1...110 {
        expected.append(.inserted(try await subscription.mark("Child \(number)")))
      }
      let mark = try await subscription.mark()
      let told = try await subscription.next(upTo: mark.id)
      trial.expect(told.count, equals: 111, "the number of changes")
      trial.expect(told == expected + [.inserted(mark)], "Expected the changes in their order.")
    }

    Clause(
      "realtime.tell.next-user",
      "After another user signs in, a new subscription delivers that user's changes, and no one else's."
    ) { trial in
      let one = try await trial.subscribed()
      let first = try await one.mark("Kim")
      trial.expect(try await one.next(1), equals: [.inserted(first)], "the first user's change")
      let device = try await trial.given(.deviceOfAnotherUser)
      let earlier = try await device.children.createChild(.sample(of: device.userID, named: "Alex"))
      _ = try await trial.given(.anotherUserSignsIn)
      let other = Subscription(device: device, changes: try await trial.subject.childChanges())
      try await one.device.children.deleteChild(id: first.id)
      for name in ["Robin", "Lou"] { _ = try await one.mark(name) }
      try await device.children.deleteChild(id: earlier.id)
      let mark = try await other.mark()
      trial.expect(
        try await other.next(2), equals: [.deleted(id: earlier.id), .inserted(mark)],
        "the next user's changes")
      _ = try await trial.given(.userSignsInAgain)
      let again = Subscription(device: one.device, changes: try await trial.subject.childChanges())
      _ = try await other.mark("Kim")
      let last = try await again.mark()
      trial.expect(
        try await again.next(upTo: last.id), equals: [.inserted(last)], "the first user's changes, later")
    }

    Clause("realtime.tell.refused", "A change that is refused is not delivered.") { trial in
      let subscription = try await trial.subscribed()
      let children = subscription.device.children
      let other = try await subscription.mark("Kim")
      let child = try await subscription.mark("Robin")
      await trial.expect(throws: AppError.network(.conflict)) { try await subscription.mark("Robin") }
      var namesake = other
      namesake.name = "Robin"
      let renaming = namesake
      await trial.expect(throws: AppError.network(.conflict)) { try await children.updateChild(renaming) }
      var wrong = child
      wrong.age = 17
      let attempt = wrong
      await trial.expect(throws: AppError.validation(.outOfRange(field: "age"))) {
        try await children.updateChild(attempt)
      }
      try await children.deleteChild(id: trial.uuid())
      let mark = try await subscription.mark()
      trial.expect(
        try await subscription.next(3), equals: [.inserted(other), .inserted(child), .inserted(mark)],
        "the changes")
    }

    Clause("realtime.tell.own-only", "Changes by another user are never delivered.") { trial in
      let subscription = try await trial.subscribed()
      let other = try await trial.given(.deviceOfAnotherUser)
      var foreign = try await other.children.createChild(.sample(of: other.userID))
      foreign.age = 9
      _ = try await other.children.updateChild(foreign)
      try await other.children.deleteChild(id: foreign.id)
      let mark = try await subscription.mark()
      trial.expect(try await subscription.next(1), equals: [.inserted(mark)], "the first change")
    }
  }
}
