import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var childrenConcurrency: [Self] {
    Clause("children.concurrency.hundred", "A hundred children created at once are all stored, each once.") {
      trial in
      let user = try await trial.given(.signedIn)
      let created = try await withThrowingTaskGroup(of: Child.self) { group in
        for number in 1...100 {
          group.addTask {
            var sample = NewChild.sample(of: user, named: "Child \(number)")
            (sample.age, sample.goals, sample.topics) = (6 + number % 11, ["goal \(number)"], ["\(number)"])
            let child = try await trial.subject.createChild(sample)
            trial.expect(child.asCreated, equals: sample, "the created child")
            return child
          }
        }
        return try await group.reduce(into: Set<Child>()) { $0.insert($1) }
      }
      let fetched = try await trial.subject.fetchChildren(userID: user)
      trial.expect(fetched.count, equals: 100, "the number of children")
      trial.expect(Set(fetched) == created, "Expected the children as they were returned.")
    }

    Clause("children.concurrency.one-name", "Of twenty children of one name created at once, one is stored.")
    { trial in
      let user = try await trial.given(.signedIn)
      let results = await withTaskGroup(of: AppError?.self) { group in
        for _ in 1...20 {
          group.addTask {
            do throws(AppError) {
              _ = try await trial.subject.createChild(.sample(of: user))
              return nil
            } catch {
              return error
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      trial.expect(results.count { $0 == nil }, equals: 1, "the number that were stored")
      trial.expect(results.count { $0 == .network(.conflict) }, equals: 19, "the number of conflicts")
      trial.expect(
        try await trial.subject.fetchChildren(userID: user).count, equals: 1, "the number of children")
    }

    Clause("children.concurrency.users", "Twenty lists that are fetched at once are each that of their user.")
    {
      trial in
      let user = try await trial.given(.signedIn)
      let other = try await trial.given(.childOfAnotherUser).child.userID
      let child = try await trial.subject.createChild(.sample(of: user))
      let (own, others) = try await trial.during(.callsAreHeld) { held in
        let own = Task { try await trial.subject.fetchChildren(userID: user) }
        // From here on, a service could join the others to this call.
        await held.wait(forCalls: 1)
        let others = (1...19).map { _ in Task { try await trial.subject.fetchChildren(userID: other) } }
        await held.release()
        return (own, others)
      }
      trial.expect(try await own.value, equals: [child], "the list of the user")
      for list in others { trial.expect(try await list.value, equals: [], "the list of the other user") }
    }

    Clause("children.cancellation.before", "A call of a cancelled task throws and changes nothing.") {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.knownChild(of: user)
      await trial.expectCancelled(beforehand: ServiceCall.all(on: child))
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [child], "the children after it")
    }

    Clause(
      "children.cancellation.under-way", "A call that is cancelled under way throws and changes nothing."
    ) {
      trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.knownChild(of: user)
      try await trial.expectCancelled(underWay: ServiceCall.all(on: child))
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [child], "the children after it")
    }

    Clause("children.cancellation.others", "Cancelling one call leaves another that is under way alone.") {
      trial in
      let user = try await trial.given(.signedIn)
      try await trial.during(.callsAreHeld) { held in
        let cancelled = Task { try await trial.subject.createChild(.sample(of: user, named: "Kim")) }
        await held.wait(forCalls: 1)
        let other = Task { try await trial.subject.createChild(.sample(of: user, named: "Robin")) }
        await held.wait(forCalls: 2)
        cancelled.cancel()
        await trial.expect(throws: AppError.cancelled) { try await cancelled.value }
        await held.release()
        let child = try await trial.require("that was not cancelled to go on") { try await other.value }
        trial.expect(
          try await trial.subject.fetchChildren(userID: user), equals: [child], "the children after it")
      }
    }
  }
}
