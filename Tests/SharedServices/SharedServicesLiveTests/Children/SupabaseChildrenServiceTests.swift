import Foundation
import SharedServices
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@testable import SharedServicesLive
@testable import Understudy

@Suite(.stallLimit()) struct SupabaseChildrenServiceTests {

  private func expectCommonFields(_ request: HTTP.Request) {
    #expect(request.fields.values(of: "apikey") == ["the-key"])
    #expect(request.fields.values(of: "Authorization") == ["Bearer access-1"])
    #expect(request.fields.values(of: "Content-Type") == ["application/json"])
    #expect(request.fields["X-Client-Info"]?.hasPrefix("understudy/") == true)
    #expect(request.fields["X-Retry-Count"] == nil)
    #expect(request.timeout == .seconds(30))
  }

  @Test func create() async throws {
    let bench = try await Bench.signedIn { _, _ in .json(Sample.row(), status: 201) }
    let stored = try await bench.children.createChild(Sample.newChild())
    #expect(stored == (try Sample.child()))
    let request = try #require(bench.calls.first)
    #expect(request.method == .post)
    #expect(request.url.absoluteString == "https://project.example/base/rest/v1/children?select=*")
    expectCommonFields(request)
    #expect(request.fields.values(of: "Accept") == ["application/vnd.pgrst.object+json"])
    #expect(request.fields["Prefer"] == "return=representation")
    #expect(
      request.text == """
        {"age":8,"birthday":"2016-01-15","goals":["sleep"],"name":"Emma","temperament":"spirited",\
        "temperament_accountability":5,"temperament_sensitivity":2,"temperament_talkative":7,"topics":[],\
        "user_id":"\(Sample.userText)"}
        """)
  }

  /// A service that checks the values would differ from the table, which may have changed since.
  @Test func whatTheTableRefusesIsSent() async throws {
    let bench = try await Bench.signedIn { _, _ in
      .json(#"{"code":"23514","message":"violates a check constraint"}"#, status: 400)
    }
    var (new, stored) = (try Sample.newChild(), try Sample.child())
    (new.name, new.age, new.talkativeness) = (" ", 99, 0)
    (stored.name, stored.age, stored.talkativeness) = ("", -1, 11)
    let errors = [
      await failure { () throws(AppError) in try await bench.children.createChild(new) },
      await failure { () throws(AppError) in try await bench.children.updateChild(stored) },
    ]
    #expect(!errors.contains(nil))
    let sent = bench.calls.map(\.text)
    try #require(sent.count == 2)
    for part in [#""name":" ","#, #""age":99,"#, #""temperament_talkative":0,"#] {
      #expect(sent[0].contains(part))
    }
    for part in [#""name":"","#, #""age":-1,"#, #""temperament_talkative":11,"#] {
      #expect(sent[1].contains(part))
    }
  }

  /// Decoding a long list on the main thread would stop the screen.
  @MainActor @Test func aCallFromTheMainActorIsAnsweredOnAnotherThread() async throws {
    let isMain = Locked<[Bool]>([])
    let time = TestClock().time
    let client = SupabaseClient(
      SupabaseConfiguration(projectURL: try #require(URL(string: "https://project.example")), apiKey: "k"),
      over: ScriptedTransport { request in request.isSignIn ? .tokens("1") : .json("[\(Sample.row())]") },
      // The client compares the time with the end of the session before it sends, and with an answer's fields after it.
      clock: time.clock,
      now: {
        isMain.withLock { $0.append(MainQueue.isCurrent) }
        return time.now
      })
    _ = try await SupabaseAuthService(client).signIn(email: "a@b.c", password: "secret")
    #expect(try await SupabaseChildrenService(client).fetchChildren(userID: Sample.user).count == 1)
    #expect(isMain.withLock { Set($0) } == [false])
  }

  @Test func fetch() async throws {
    let bench = try await Bench.signedIn { _, _ in .json("[\(Sample.row())]") }
    let children = try await bench.children.fetchChildren(userID: Sample.user)
    #expect(children == [try Sample.child()])
    let request = try #require(bench.calls.first)
    #expect(request.method == .get)
    #expect(
      request.url.absoluteString == """
        https://project.example/base/rest/v1/children?select=*&user_id=eq.\(Sample.userText)\
        &order=created_at.desc,id.desc
        """)
    expectCommonFields(request)
    #expect(request.fields.values(of: "Accept") == ["application/json"])
    #expect(request.fields["Prefer"] == "count=exact")
    #expect(request.body == nil)
  }

  @Test func update() async throws {
    let bench = try await Bench.signedIn { _, _ in .json(Sample.row(updatedAt: "2026-01-05T00:00:00Z")) }
    let stored = try await bench.children.updateChild(Sample.child())
    #expect(stored.updatedAt == Date(timeIntervalSinceReferenceDate: 789_264_000))
    let request = try #require(bench.calls.first)
    #expect(request.method == .patch)
    #expect(request.query == "id=eq.\(Sample.childText)&select=*")
    expectCommonFields(request)
    #expect(request.fields["Accept"] == "application/vnd.pgrst.object+json")
    #expect(request.fields["Prefer"] == "return=representation")
    #expect(
      request.text == """
        {"age":8,"birthday":"2016-01-15","goals":["sleep"],"name":"Emma","temperament":"spirited",\
        "temperament_accountability":5,"temperament_sensitivity":2,"temperament_talkative":7,"topics":[]}
        """, "Neither the id nor the user nor a date is sent.")
  }

  @Test(arguments: [204, 200]) func delete(status: Int) async throws {
    let bench = try await Bench.signedIn { _, _ in .json(status == 204 ? "" : "[]", status: status) }
    try await bench.children.deleteChild(id: Sample.childID)
    let request = try #require(bench.calls.first)
    #expect(request.method == .delete)
    #expect(request.query == "id=eq.\(Sample.childText)")
    expectCommonFields(request)
    #expect(request.body == nil)
  }

  @Test func updateOfNothingIsNotFound() async throws {
    let bench = try await Bench.signedIn { _, _ in
      PostgRESTError.notSingular(rows: 0).response(isAuthenticated: true)
    }
    let child = try Sample.child()
    let thrown = await failure { () throws(AppError) in try await bench.children.updateChild(child) }
    #expect(thrown == .network(.notFound))
  }

  @Test(arguments: [
    "", "<html></html>", "[]", "{}", "null", #"{"id":"x"}"#, Sample.row().replacing("2016", with: "x"),
  ])
  func aSuccessThatCannotBeRead(body: String) async throws {
    let bench = try await Bench.signedIn { _, _ in .json(body, status: 201) }
    let child = try Sample.newChild()
    let thrown = await failure { () throws(AppError) in try await bench.children.createChild(child) }
    #expect(thrown == .network(.unreadableAnswer))
    #expect(bench.calls.count == 1, "The write may have been done, so it is not sent again.")
  }

  @Test func withoutASessionNothingIsSent() async throws {
    let bench = try Bench { _, _ in .json("[]") }
    #expect(
      await failure { () throws(AppError) in try await bench.children.fetchChildren(userID: Sample.user) }
        == .authentication(.notSignedIn))
    #expect(bench.transport.requests.isEmpty)
  }
}
