// Written by: understudy generate --module GenerationFixtures --protocol Diary --output Tests/UnderstudyCommandTests/Generation/Generated/Diary+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

@testable import GenerationFixtures
import Understudy

extension Intercepted.Operation where Base: Diary {
  /// ``Diary/pages()``.
  static var pages: Self { Self("pages") }
}

extension Intercepted: Diary where Base: Diary {
  /// ``Diary/pages()``, through the interceptors.
  func pages() async throws(TodoError) -> Int {
    try await intercept(.pages, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.pages()
    }
  }
}

/// A ``Diary`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
struct UnimplementedDiary: Diary {
  /// ``Diary/pages()``.
  var onPages: @Sendable () async throws(TodoError) -> Int = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("Diary.pages()", closure: "onPages"))
  }

  /// A double that implements nothing yet.
  init() {}

  /// Calls what the test says.
  func pages() async throws(TodoError) -> Int {
    try await onPages()
  }
}
