import Foundation
import SharedServices
import SharedServicesDoubles
import Understudy
import Testing
import UnderstudyTesting

@Suite(.stallLimit()) struct InMemoryChildrenServiceTests {
  let date: Locked<Date>
  let services: InMemorySharedServices
  let pat: UUID
  let kim: UUID

  init() async throws {
    let date = Locked(Date(timeIntervalSince1970: 1_767_441_600))
    self.date = date
    services = InMemorySharedServices(
      seed: 3, time: Time(clock: ContinuousClock()) { date.withLock { $0 } })
    pat = try services.addUser(email: "pat@example.com", password: "secret1")
    kim = try services.addUser(email: "kim@example.com", password: "secret2")
    _ = try await services.auth.signIn(email: "pat@example.com", password: "secret1")
  }

  private func child(_ name: String = "Mia", of user: UUID? = nil, age: Int = 8) throws -> NewChild {
    NewChild(
      userID: user ?? pat, name: name, age: age, birthday: try #require(CalendarDate("2017-05-04")),
      goals: ["Calm, \"really\""], topics: ["{x}"], temperament: .spirited, talkativeness: 9)
  }

  @Test func aChildIsStoredAsGiven() async throws {
    let mia = try await services.children.createChild(try child())
    #expect(mia.userID == pat)
    #expect(mia.name == "Mia")
    #expect(mia.birthday == CalendarDate("2017-05-04"))
    #expect(mia.goals == ["Calm, \"really\""])
    #expect(mia.topics == ["{x}"])
    #expect(mia.temperament == .spirited)
    #expect(mia.talkativeness == 9)
    #expect(mia.accountability == 5)
    #expect(mia.createdAt == date.withLock { $0 })
    #expect(try await services.children.fetchChildren(userID: pat) == [mia])
  }

  @Test func fetchesTheNewestFirstAndOnlyOnesOwn() async throws {
    for name in ["A", "B", "C"] { _ = try await services.children.createChild(try child(name)) }
    #expect(try await services.children.fetchChildren(userID: pat).map(\.name) == ["C", "B", "A"])
    #expect(try await services.children.fetchChildren(userID: kim).isEmpty)
  }

  @Test func refusalsBecomeTheAppsErrors() async throws {
    _ = try await services.children.createChild(try child())
    for (refused, error) in [
      (try child(), AppError.network(.conflict)),
      (try child("Two", age: 5), .validation(.outOfRange(field: "age"))),
      (try child("Two", age: 17), .validation(.outOfRange(field: "age"))),
      (try child(" "), .validation(.outOfRange(field: "name"))),
      (try child("Two", age: .max), .validation(.malformed(field: nil))),
      (try child("Two", of: kim), .network(.forbidden)),
    ] {
      await #expect(throws: error) { try await services.children.createChild(refused) }
    }
    #expect(try await services.children.fetchChildren(userID: pat).count == 1)
  }

  @Test func updatesAndDeletes() async throws {
    var mia = try await services.children.createChild(try child())
    let tom = try await services.children.createChild(try child("Tom"))
    mia.age = 9
    date.withLock { $0 += 60 }
    let changed = try await services.children.updateChild(mia)
    #expect(changed.age == 9)
    #expect(changed.createdAt == mia.createdAt)
    #expect(changed.updatedAt == date.withLock { $0 })
    mia.name = "Tom"
    await #expect(throws: AppError.network(.conflict)) { try await services.children.updateChild(mia) }
    try await services.children.deleteChild(id: mia.id)
    try await services.children.deleteChild(id: mia.id)
    await #expect(throws: AppError.network(.notFound)) { try await services.children.updateChild(mia) }
    #expect(try await services.children.fetchChildren(userID: pat).map(\.id) == [tom.id])
  }

  @Test func othersRowsAreNotThere() async throws {
    let mia = try await services.children.createChild(try child())
    _ = try await services.auth.signIn(email: "kim@example.com", password: "secret2")
    await #expect(throws: AppError.network(.notFound)) { try await services.children.updateChild(mia) }
    try await services.children.deleteChild(id: mia.id)
    #expect(services.backend.children == [mia])
  }

  @Test func anExpiredTokenIsExchangedUnseen() async throws {
    let mia = try await services.children.createChild(try child())
    date.withLock { $0 += 3601 }
    #expect(try await services.children.fetchChildren(userID: pat) == [mia])
    #expect(services.backend.exchangeCount == 1)
  }

  @Test func anEndedSessionIsOverOnceItsTokenIs() async throws {
    services.backend.endSessions(of: pat)
    #expect(try await services.children.fetchChildren(userID: pat).isEmpty, "the token still holds")
    services.backend.expireTokens(of: pat)
    await #expect(throws: AppError.network(.unauthorized)) {
      try await services.children.fetchChildren(userID: pat)
    }
    await #expect(throws: AppError.authentication(.notSignedIn)) {
      try await services.children.fetchChildren(userID: pat)
    }
  }

  @Test func aFailingDatabaseIsAServerErrorThatPasses() async throws {
    services.backend.failCalls(true)
    await #expect(throws: AppError.network(.serverError)) {
      try await services.children.fetchChildren(userID: pat)
    }
    services.backend.failCalls(false)
    #expect(try await services.children.fetchChildren(userID: pat).isEmpty)
  }

  @Test func aCancelledCallChangesNothing() async throws {
    let new = try child()
    let mia = try await services.children.createChild(try child("Old"))
    let errors = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var errors: [AppError] = []
      do throws(AppError) { _ = try await services.children.createChild(new) } catch { errors.append(error) }
      do throws(AppError) { _ = try await services.children.fetchChildren(userID: pat) } catch {
        errors.append(error)
      }
      do throws(AppError) { _ = try await services.children.updateChild(mia) } catch { errors.append(error) }
      do throws(AppError) { try await services.children.deleteChild(id: mia.id) } catch {
        errors.append(error)
      }
      return errors
    }.value
    #expect(errors == Array(repeating: AppError.cancelled, count: 4))
    #expect(services.backend.children.map(\.name) == ["Old"])
  }
}
