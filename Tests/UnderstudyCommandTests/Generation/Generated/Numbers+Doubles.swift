// Written by: understudy generate --module GenerationFixtures --protocol Numbers --write intercepted --omit Repository --output Tests/UnderstudyCommandTests/Generation/Generated/Numbers+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import GenerationFixtures
public import Understudy

extension Intercepted.Operation where Base: Numbers {
  /// ``Numbers/sum()``.
  public static var sum: Self { Self("sum") }
}

extension Intercepted: Numbers where Base: Numbers {
  /// ``Numbers/sum()``, through the interceptors.
  public func sum() async throws(TodoError) -> Base.Item {
    try await intercept(.sum, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.sum()
    }
  }
}
