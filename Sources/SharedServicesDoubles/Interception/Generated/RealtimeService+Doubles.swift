// Written by: understudy generate --module SharedServices --protocol RealtimeService --write intercepted --omit 'childChanges()' --output Sources/SharedServicesDoubles/Interception/Generated/RealtimeService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import SharedServices
public import Understudy

extension Intercepted.Operation where Base: RealtimeService {
  /// ``RealtimeService/childChanges()``.
  public static var childChanges: Self { Self("childChanges") }
}

extension Intercepted: RealtimeService where Base: RealtimeService {}
