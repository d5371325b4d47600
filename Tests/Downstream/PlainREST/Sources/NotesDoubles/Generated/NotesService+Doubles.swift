// Written by: understudy generate --module Notes --protocol NotesService --failure NotesError.init --output Sources/NotesDoubles/Generated/NotesService+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import Notes
public import Understudy

extension Intercepted.Operation where Base: NotesService {
  /// ``NotesService/notes()``.
  public static var notes: Self { Self("notes") }
  /// ``NotesService/add(_:)``.
  public static var add: Self { Self("add") }
  /// ``NotesService/remove(id:)``.
  public static var remove: Self { Self("remove") }
  /// ``NotesService/changes()``.
  public static var changes: Self { Self("changes") }
}

extension Intercepted: NotesService where Base: NotesService {
  /// ``NotesService/notes()``, through the interceptors.
  public func notes() async throws -> [Note] {
    try await intercept(.notes, failure: { NotesError($0) as any Error }) { base throws in
      try await base.notes()
    }
  }

  /// ``NotesService/add(_:)``, through the interceptors.
  public func add(_ text: String) async throws -> Note {
    try await intercept(.add, text, failure: { NotesError($0) as any Error }) { base throws in
      try await base.add(text)
    }
  }

  /// ``NotesService/remove(id:)``, through the interceptors.
  public func remove(id: Note.ID) async throws {
    try await intercept(.remove, id, failure: { NotesError($0) as any Error }) { base throws in
      try await base.remove(id: id)
    }
  }

  /// ``NotesService/changes()``, through the interceptors: what would fail the call fails its stream.
  public func changes() -> AsyncThrowingStream<Change, any Error> {
    interceptStream(.changes, streamFailure: { NotesError($0) as any Error }) { base in
      base.changes()
    }
  }
}

/// A ``NotesService`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedNotesService: NotesService {
  /// ``NotesService/notes()``.
  public var onNotes: @Sendable () async throws -> [Note] = { () throws in
    throw NotesError(Fault.unimplemented("NotesService.notes()", closure: "onNotes"))
  }

  /// ``NotesService/add(_:)``.
  public var onAdd: @Sendable (_ text: String) async throws -> Note = { _ throws in
    throw NotesError(Fault.unimplemented("NotesService.add(_:)", closure: "onAdd"))
  }

  /// ``NotesService/remove(id:)``.
  public var onRemove: @Sendable (_ id: Note.ID) async throws -> Void = { _ throws in
    throw NotesError(Fault.unimplemented("NotesService.remove(id:)", closure: "onRemove"))
  }

  /// ``NotesService/changes()``.
  public var onChanges: @Sendable () -> AsyncThrowingStream<Change, any Error> = { () in
    AsyncThrowingStream { $0.finish(throwing: NotesError(Fault.unimplemented("NotesService.changes()", closure: "onChanges"))) }
  }

  /// A double that implements nothing yet.
  public init() {}

  /// Calls what the test says.
  public func notes() async throws -> [Note] {
    try await onNotes()
  }

  /// Calls what the test says.
  public func add(_ text: String) async throws -> Note {
    try await onAdd(text)
  }

  /// Calls what the test says.
  public func remove(id: Note.ID) async throws {
    try await onRemove(id)
  }

  /// Calls what the test says.
  public func changes() -> AsyncThrowingStream<Change, any Error> {
    onChanges()
  }
}
