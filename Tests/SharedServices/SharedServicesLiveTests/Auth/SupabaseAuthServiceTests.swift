import Foundation
import SharedServices
import TestSupport
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@testable import SharedServicesLive

@Suite(.stallLimit()) struct SupabaseAuthServiceTests {
  @Test func signIn() async throws {
    let bench = try Bench(answersSignIn: false) { _, _ in .tokens("1") }
    let user = try await bench.auth.signIn(email: "a@b.c", password: #"p"w/é"#)
    #expect(user == Sample.user)
    #expect(try await bench.auth.currentUserID() == Sample.user)
    let request = try #require(bench.transport.requests.first)
    #expect(bench.transport.requests.count == 1, "currentUserID asks no server.")
    #expect(request.method == .post)
    #expect(request.url.absoluteString == "https://project.example/base/auth/v1/token?grant_type=password")
    #expect(request.text == #"{"email":"a@b.c","password":"p\"w/é"}"#)
    #expect(request.fields["Authorization"] == "Bearer the-key")
    #expect(request.fields["apikey"] == "the-key")
    #expect(request.fields["X-Supabase-Api-Version"] == "2024-01-01")
    #expect(request.fields["Content-Type"] == "application/json")
  }

  @Test(
    arguments: [
      (AuthAPIError.invalidCredentials, AppError.authentication(.invalidCredentials)),
      (.userBanned, .authentication(.userBanned)),
      (.overRequestRateLimit, .network(.rateLimited(retryAfter: nil))),
    ], [nil, AuthAPIError.newerVersion])
  func aSignInThatFailsLeavesTheSession(
    refusal: (AuthAPIError, AppError), version: String?
  ) async throws {
    let bench = try Bench(answersSignIn: false) { _, number in
      number == 0 ? .tokens("1") : refusal.0.response(version: version)
    }
    _ = try await bench.auth.signIn(email: "a@b.c", password: "right")
    let thrown = await failure { () throws(AppError) in
      try await bench.auth.signIn(email: "a@b.c", password: "wrong")
    }
    #expect(thrown == refusal.1)
    #expect(try await bench.auth.currentUserID() == Sample.user)
  }

  @Test(arguments: ["", "{}", #"{"access_token":"a"}"#, "<html>", #"{"user":{"id":"x"}}"#])
  func tokensThatCannotBeRead(body: String) async throws {
    let bench = try Bench(answersSignIn: false) { _, _ in .json(body) }
    let thrown = await failure { () throws(AppError) in
      try await bench.auth.signIn(email: "a@b.c", password: "secret")
    }
    #expect(thrown == .network(.unreadableAnswer))
    #expect(
      await failure { () throws(AppError) in try await bench.auth.currentUserID() }
        == .authentication(.notSignedIn))
  }

  @Test func aCancelledSignInStartsNoSession() async throws {
    let bench = try Bench(answersSignIn: false) { _, _ in
      withUnsafeCurrentTask { $0?.cancel() }
      try Task.checkCancellation()
      return .tokens("1")
    }
    let task = Task {
      await failure { () throws(AppError) in try await bench.auth.signIn(email: "a@b.c", password: "secret") }
    }
    #expect(await task.value == .cancelled)
    #expect(
      await failure { () throws(AppError) in try await bench.auth.currentUserID() }
        == .authentication(.notSignedIn))
  }

  @Test func signOut() async throws {
    let bench = try await Bench.signedIn { _, _ in HTTP.Response(status: 204) }
    try await bench.auth.signOut()
    let request = try #require(bench.calls.first)
    #expect(request.method == .post)
    #expect(request.url.absoluteString == "https://project.example/base/auth/v1/logout?scope=local")
    #expect(request.token == "access-1")
    #expect(request.body == nil)
    try await bench.auth.signOut()
    #expect(bench.calls.count == 1, "Signing out when signed out is a success that asks no server.")
  }

  @Test(
    arguments: [
      (200, nil), (204, nil), (401, nil), (403, nil), (404, nil), (500, AppError.network(.serverError)),
      (429, .network(.rateLimited(retryAfter: nil))),
    ] as [(Int, AppError?)])
  func signOutEndsTheSessionInAnyCase(status: Int, expected: AppError?) async throws {
    let bench = try await Bench.signedIn { _, _ in HTTP.Response(status: status) }
    #expect(await failure { () throws(AppError) in try await bench.auth.signOut() } == expected)
    #expect(
      await failure { () throws(AppError) in try await bench.auth.currentUserID() }
        == .authentication(.notSignedIn))
    #expect(bench.calls.count == 1)
  }

  @Test func signOutOfflineEndsTheSession() async throws {
    let bench = try await Bench.signedIn { _, _ in throw TransportError(.offline, "no network") }
    #expect(
      await failure { () throws(AppError) in try await bench.auth.signOut() } == .network(.noConnection))
    #expect(
      await failure { () throws(AppError) in try await bench.auth.currentUserID() }
        == .authentication(.notSignedIn))
  }

  @Test func refresh() async throws {
    let bench = try await Bench.signedIn { request, _ in request.isExchange ? .tokens("2") : .json("[]") }
    try await bench.auth.refresh()
    let request = try #require(bench.calls.first)
    #expect(
      request.url.absoluteString == "https://project.example/base/auth/v1/token?grant_type=refresh_token")
    #expect(request.text == #"{"refresh_token":"refresh-1"}"#)
    #expect(request.token == "the-key")
    _ = try await bench.children.fetchChildren(userID: Sample.user)
    #expect(bench.calls.last?.token == "access-2")
  }

  @Test func refreshWithoutASession() async throws {
    let bench = try Bench { _, _ in .tokens("2") }
    #expect(
      await failure { () throws(AppError) in try await bench.auth.refresh() } == .authentication(.notSignedIn)
    )
    #expect(bench.transport.requests.isEmpty)
  }
}
