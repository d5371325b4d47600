// Written by: understudy generate --module SharedServices --protocol MessageStreamService --write intercepted --omit 'updates(of:after:)' --output Sources/SharedServicesDoubles/Interception/Generated/MessageStreamService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import SharedServices
public import Understudy

extension Intercepted.Operation where Base: MessageStreamService {
  /// ``MessageStreamService/updates(of:after:)``.
  public static var updates: Self { Self("updates") }
}

extension Intercepted: MessageStreamService where Base: MessageStreamService {}
