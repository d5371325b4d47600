import Understudy

/// Accounts with an address.
protocol MemberService: Sendable {
  func find(_ address: String) async throws -> Int
}

enum MemberError: Error, Equatable { case unknown }

struct Members: MemberService {
  let address: String
  let ignoresCase: Bool

  func find(_ address: String) async throws -> Int {
    guard address == self.address || ignoresCase && address.lowercased() == self.address else {
      throw MemberError.unknown
    }
    return 1
  }
}

extension Intercepted: MemberService where Base: MemberService {
  func find(_ address: String) async throws -> Int {
    try await intercept(Operation("find"), address, failure: { $0 as any Error }) { base, address throws in
      try await base.find(address)
    }
  }
}

extension ServiceOperations where Subject == any MemberService {
  static var members: Self {
    Self(
      observing: { base, observer in
        func observed(_ base: some MemberService) -> any MemberService {
          Intercepted(base, by: .observer(observer))
        }
        return observed(base)
      },
      ServiceOperation("find(_:)") { base, address in try await base.find(address) })
  }
}

extension Condition where Fixture == String {
  static var hasMember: Self { Condition("there is a member") }
}

extension Contract where Subject == any MemberService {
  static var members: Self {
    Contract("members") {
      Clause("members.find.known", "A member is found by the address.") { trial in
        let address = try await trial.given(.hasMember)
        trial.expect(try await trial.subject.find(address), equals: 1)
      }
      Clause("members.find.unknown", "An unknown address is not found.") { trial in
        _ = try await trial.given(.hasMember)
        await trial.expect(throws: MemberError.unknown) { try await trial.subject.find("unknown") }
      }
    }
  }
}

extension Implementation where Subject == any MemberService {
  static func members(_ name: String, ignoringCase: Bool) -> Self {
    Implementation(name) { trial in
      let address = "\(name)@example.com"
      trial.on(.hasMember) { address }
      return Members(address: address, ignoresCase: ignoringCase)
    }
  }
}
