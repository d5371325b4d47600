import Foundation
import SharedServices
import Understudy

extension Clause where Subject == any ChildrenService {
  @ContractBuilder<Subject> static var deleting: [Self] {
    Clause("children.delete.gone", "A child that was deleted is gone, and the others are there.") { trial in
      let user = try await trial.given(.signedIn)
      let kept = try await trial.subject.createChild(.sample(of: user, named: "Kim"))
      let child = try await trial.subject.createChild(.sample(of: user, named: "Robin"))
      try await trial.subject.deleteChild(id: child.id)
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [kept], "the children")
    }

    Clause("children.delete.several", "Each deletion deletes its child, and again nothing.") { trial in
      let user = try await trial.given(.signedIn)
      var children: [Child] = []
      for name in ["Kim", "Robin", "Sascha"] {
        children.append(try await trial.subject.createChild(.sample(of: user, named: name)))
      }
      while let child = children.popLast() {
        for _ in 1...2 {
          try await trial.require("to be a success") { try await trial.subject.deleteChild(id: child.id) }
          trial.expect(
            try await trial.subject.fetchChildren(userID: user), equals: children.reversed(), "the children")
        }
      }
    }

    Clause("children.delete.absent", "Deleting a missing child is a success.") { trial in
      let user = try await trial.given(.signedIn)
      let kept = try await trial.subject.createChild(.sample(of: user))
      let id = trial.uuid()
      try await trial.require("to be a success") { try await trial.subject.deleteChild(id: id) }
      trial.expect(
        try await trial.subject.fetchChildren(userID: user), equals: [kept], "the children after it")
    }

    Clause(
      "children.delete.hidden", "Deleting another user's child looks like a success and deletes nothing."
    ) {
      trial in
      _ = try await trial.given(.signedIn)
      let foreign = try await trial.given(.childOfAnotherUser)
      try await trial.require("to look like a success") {
        try await trial.subject.deleteChild(id: foreign.child.id)
      }
      trial.expect(try await foreign.current(), equals: foreign.child, "the other user's child after it")
    }

    Clause("children.delete.frees-name", "The name of a deleted child can be given again.") { trial in
      let user = try await trial.given(.signedIn)
      let child = try await trial.subject.createChild(.sample(of: user))
      try await trial.subject.deleteChild(id: child.id)
      let again = try await trial.require("to be given a name that is free again") {
        try await trial.subject.createChild(.sample(of: user))
      }
      trial.expect(again.id != child.id, "Expected a new id, found \(child.id) again.")
      trial.expect(try await trial.subject.fetchChildren(userID: user), equals: [again], "the children")
    }
  }
}
