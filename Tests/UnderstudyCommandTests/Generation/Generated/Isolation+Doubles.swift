// Written by: understudy generate --module GenerationFixtures --protocol NoteScreen --protocol Storage --protocol Mixed --protocol Beacon --protocol Loose --protocol Shelf.Source --protocol Ledger --failure TodoError.init --output Tests/UnderstudyCommandTests/Generation/Generated/Isolation+Doubles.swift
// Change the command, not what follows; what must be written by hand is named with --omit.
// swift-format-ignore-file
// swiftlint:disable all

public import GenerationFixtures
public import Understudy

extension Intercepted.Operation where Base: NoteScreen {
  /// ``NoteScreen/title``.
  public static var title: Self { Self("title") }
  /// Setting ``NoteScreen/title``.
  public static var setTitle: Self { Self("setTitle") }
  /// ``NoteScreen/save(_:)``.
  public static var save: Self { Self("save") }
  /// ``NoteScreen/shown()``.
  public static var shown: Self { Self("shown") }
  /// ``NoteScreen/prefetch()``.
  public static var prefetch: Self { Self("prefetch") }
}

extension Intercepted: NoteScreen where Base: NoteScreen {
  /// ``NoteScreen/title``, which logs see and nothing else does.
  @MainActor public var title: String {
    get {
      forward(.title) { base in
        base.title
      }
    }
    set {
      forward(.setTitle, newValue) { base in base.title = newValue }
    }
  }

  /// ``NoteScreen/save(_:)``, through the interceptors.
  @MainActor public func save(_ note: String) async throws(TodoError) -> Int {
    try await intercept(.save, note, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.save(note)
    }
  }

  /// ``NoteScreen/shown()``, which logs see and nothing else does.
  @MainActor public func shown() -> [String] {
    forward(.shown) { base in
      base.shown()
    }
  }

  /// ``NoteScreen/prefetch()``, through the interceptors.
  nonisolated public func prefetch() async throws -> Int {
    try await intercept(.prefetch, failure: { TodoError($0) as any Error }) { base throws in
      try await base.prefetch()
    }
  }
}

extension Intercepted.Operation where Base: Storage {
  /// ``Storage/store(_:)``.
  public static var store: Self { Self("store") }
  /// ``Storage/size()``.
  public static var size: Self { Self("size") }
}

extension Intercepted: Storage where Base: Storage {
  /// ``Storage/store(_:)``, through the interceptors.
  @StorageActor public func store(_ bytes: [UInt8]) async throws -> Int {
    try await intercept(.store, bytes, failure: { TodoError($0) as any Error }) { base throws in
      try await base.store(bytes)
    }
  }

  /// ``Storage/size()``, which logs see and nothing else does.
  @StorageActor public func size() -> Int {
    forward(.size) { base in
      base.size()
    }
  }
}

extension Intercepted.Operation where Base: Mixed {
  /// ``Mixed/show(_:)``.
  public static var show: Self { Self("show") }
  /// ``Mixed/edit(_:)``.
  public static var edit: Self { Self("edit") }
  /// ``Mixed/shown()``.
  public static var shown: Self { Self("shown") }
  /// ``Mixed/isShown``.
  public static var isShown: Self { Self("isShown") }
  /// ``Mixed/compute(_:)``.
  public static var compute: Self { Self("compute") }
  /// ``Mixed/stay(_:)``.
  public static var stay: Self { Self("stay") }
  /// ``Mixed/on(_:_:)``.
  public static var on: Self { Self("on") }
  /// ``Mixed/send(_:)``.
  public static var send: Self { Self("send") }
}

extension Intercepted: Mixed where Base: Mixed {
  /// ``Mixed/show(_:)``, through the interceptors.
  @MainActor public func show(_ text: String) async throws -> String {
    try await intercept(.show, text, failure: { TodoError($0) as any Error }) { base throws in
      try await base.show(text)
    }
  }

  /// ``Mixed/edit(_:)``, through the interceptors.
  ///
  /// Logs do not have `draft`: not `Sendable`, or a function.
  @MainActor public func edit(_ draft: Draft) async throws -> Int {
    try await intercept(.edit, failure: { TodoError($0) as any Error }) { base throws in
      try await base.edit(draft)
    }
  }

  /// ``Mixed/shown()``, which logs see and nothing else does.
  @MainActor public func shown() -> Int {
    forward(.shown) { base in
      base.shown()
    }
  }

  /// ``Mixed/isShown``, which logs see and nothing else does.
  @MainActor public var isShown: Bool {
    forward(.isShown) { base in
      base.isShown
    }
  }

  /// ``Mixed/compute(_:)``, through the interceptors.
  @concurrent public func compute(_ number: Int) async throws -> Int {
    try await intercept(.compute, number, failure: { TodoError($0) as any Error }) { base throws in
      try await base.compute(number)
    }
  }

  /// ``Mixed/stay(_:)``, through the interceptors.
  nonisolated(nonsending) public func stay(_ number: Int) async throws -> Int {
    try await intercept(.stay, number, failure: { TodoError($0) as any Error }) { base throws in
      try await base.stay(number)
    }
  }

  /// ``Mixed/on(_:_:)``, through the interceptors.
  public func on(_ actor: isolated (any Actor)?, _ number: Int) async throws -> Int {
    try await intercept(.on, actor, number, failure: { TodoError($0) as any Error }) { base throws in
      try await base.on(actor, number)
    }
  }

  /// ``Mixed/send(_:)``, through the interceptors.
  public func send(_ numbers: sending [Int]) async throws -> sending [Int] {
    try await intercept(.send, numbers, failure: { TodoError($0) as any Error }) { base throws in
      try await base.send(numbers)
    }
  }
}

extension Intercepted.Operation where Base: Beacon {
  /// ``Beacon/blink(_:)``.
  public static var blink: Self { Self("blink") }
  /// ``Beacon/colour()``.
  public static var colour: Self { Self("colour") }
}

extension Intercepted: Beacon where Base: Beacon {
  /// ``Beacon/blink(_:)``, through the interceptors.
  public func blink(_ times: Int) async throws(TodoError) {
    try await intercept(.blink, times, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.blink(times)
    }
  }

  /// ``Beacon/colour()``, which logs see and nothing else does.
  public func colour() -> String {
    forward(.colour) { base in
      base.colour()
    }
  }
}

extension Intercepted.Operation where Base: Loose {
  /// ``Loose/run()``.
  public static var run: Self { Self("run") }
}

extension Intercepted: Loose where Base: Loose {
  /// ``Loose/run()``, through the interceptors.
  public func run() async throws -> Int {
    try await intercept(.run, failure: { TodoError($0) as any Error }) { base throws in
      try await base.run()
    }
  }
}

extension Intercepted.Operation where Base: Shelf.Source {
  /// ``Shelf.Source/take()``.
  public static var take: Self { Self("take") }
}

extension Intercepted: Shelf.Source where Base: Shelf.Source {
  /// ``Shelf.Source/take()``, through the interceptors.
  public func take() async throws(TodoError) -> Todo {
    try await intercept(.take, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.take()
    }
  }
}

extension Intercepted.Operation where Base: Ledger {
  /// ``Ledger/entries()``.
  package static var entries: Self { Self("entries") }
}

extension Intercepted: Ledger where Base: Ledger {
  /// ``Ledger/entries()``, through the interceptors.
  package func entries() async throws(TodoError) -> [Int] {
    try await intercept(.entries, failure: { TodoError($0) }) { base throws(TodoError) in
      try await base.entries()
    }
  }
}

/// A ``NoteScreen`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
@MainActor
public final class UnimplementedNoteScreen: NoteScreen {
  /// ``NoteScreen/title``.
  @MainActor public var title: String

  /// ``NoteScreen/save(_:)``.
  public var onSave: @MainActor @Sendable (_ note: String) async throws(TodoError) -> Int = {
    _ throws(TodoError) in
    throw TodoError(Fault.unimplemented("NoteScreen.save(_:)", closure: "onSave"))
  }

  /// ``NoteScreen/shown()``.
  public var onShown: @MainActor @Sendable () -> [String]

  /// ``NoteScreen/prefetch()``.
  public var onPrefetch: @Sendable () async throws -> Int = { () throws in
    throw TodoError(Fault.unimplemented("NoteScreen.prefetch()", closure: "onPrefetch"))
  }

  /// A double that implements what it is given.
  public init(title: String, onShown: @escaping @MainActor @Sendable () -> [String]) {
    self.title = title
    self.onShown = onShown
  }

  /// Calls what the test says.
  @MainActor public func save(_ note: String) async throws(TodoError) -> Int {
    try await onSave(note)
  }

  /// Calls what the test says.
  @MainActor public func shown() -> [String] {
    onShown()
  }

  /// Calls what the test says.
  nonisolated public func prefetch() async throws -> Int {
    try await onPrefetch()
  }
}

/// A ``Storage`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
@StorageActor
public struct UnimplementedStorage: Storage {
  /// ``Storage/store(_:)``.
  public var onStore: @StorageActor @Sendable (_ bytes: [UInt8]) async throws -> Int = { _ throws in
    throw TodoError(Fault.unimplemented("Storage.store(_:)", closure: "onStore"))
  }

  /// ``Storage/size()``.
  public var onSize: @StorageActor @Sendable () -> Int

  /// A double that implements what it is given.
  public init(onSize: @escaping @StorageActor @Sendable () -> Int) {
    self.onSize = onSize
  }

  /// Calls what the test says.
  @StorageActor public func store(_ bytes: [UInt8]) async throws -> Int {
    try await onStore(bytes)
  }

  /// Calls what the test says.
  @StorageActor public func size() -> Int {
    onSize()
  }
}

/// A ``Mixed`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedMixed: Mixed {
  /// ``Mixed/show(_:)``.
  public var onShow: @MainActor @Sendable (_ text: String) async throws -> String = { _ throws in
    throw TodoError(Fault.unimplemented("Mixed.show(_:)", closure: "onShow"))
  }

  /// ``Mixed/edit(_:)``.
  public var onEdit: @MainActor @Sendable (_ draft: Draft) async throws -> Int = { _ throws in
    throw TodoError(Fault.unimplemented("Mixed.edit(_:)", closure: "onEdit"))
  }

  /// ``Mixed/shown()``.
  public var onShown: @MainActor @Sendable () -> Int

  /// ``Mixed/isShown``.
  @MainActor public var isShown: Bool

  /// ``Mixed/compute(_:)``.
  public var onCompute: @Sendable (_ number: Int) async throws -> Int = { _ throws in
    throw TodoError(Fault.unimplemented("Mixed.compute(_:)", closure: "onCompute"))
  }

  /// ``Mixed/stay(_:)``.
  public var onStay: nonisolated(nonsending) @Sendable (_ number: Int) async throws -> Int = { _ throws in
    throw TodoError(Fault.unimplemented("Mixed.stay(_:)", closure: "onStay"))
  }

  /// ``Mixed/on(_:_:)``.
  public var onOn: @Sendable (_ actor: (any Actor)?, _ number: Int) async throws -> Int = { _, _ throws in
    throw TodoError(Fault.unimplemented("Mixed.on(_:_:)", closure: "onOn"))
  }

  /// ``Mixed/send(_:)``.
  public var onSend: @Sendable (_ numbers: sending [Int]) async throws -> sending [Int] = { _ throws in
    throw TodoError(Fault.unimplemented("Mixed.send(_:)", closure: "onSend"))
  }

  /// A double that implements what it is given.
  public init(onShown: @escaping @MainActor @Sendable () -> Int, isShown: Bool) {
    self.onShown = onShown
    self.isShown = isShown
  }

  /// Calls what the test says.
  @MainActor public func show(_ text: String) async throws -> String {
    try await onShow(text)
  }

  /// Calls what the test says.
  @MainActor public func edit(_ draft: Draft) async throws -> Int {
    try await onEdit(draft)
  }

  /// Calls what the test says.
  @MainActor public func shown() -> Int {
    onShown()
  }

  /// Calls what the test says.
  @concurrent public func compute(_ number: Int) async throws -> Int {
    try await onCompute(number)
  }

  /// Calls what the test says.
  nonisolated(nonsending) public func stay(_ number: Int) async throws -> Int {
    try await onStay(number)
  }

  /// Calls what the test says.
  public func on(_ actor: isolated (any Actor)?, _ number: Int) async throws -> Int {
    try await onOn(actor, number)
  }

  /// Calls what the test says.
  public func send(_ numbers: sending [Int]) async throws -> sending [Int] {
    try await onSend(numbers)
  }
}

/// A ``Beacon`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public final class UnimplementedBeacon: Beacon {
  /// ``Beacon/blink(_:)``.
  public let onBlink: @Sendable (_ times: Int) async throws(TodoError) -> Void

  /// ``Beacon/colour()``.
  public let onColour: @Sendable () -> String

  /// A double that implements what it is given.
  public init(
    onBlink: (@Sendable (_ times: Int) async throws(TodoError) -> Void)? = nil,
    onColour: @escaping @Sendable () -> String
  ) {
    if let onBlink {
      self.onBlink = onBlink
    } else {
      self.onBlink = { _ throws(TodoError) in
        throw TodoError(Fault.unimplemented("Beacon.blink(_:)", closure: "onBlink"))
      }
    }
    self.onColour = onColour
  }

  /// Calls what the test says.
  public func blink(_ times: Int) async throws(TodoError) {
    try await onBlink(times)
  }

  /// Calls what the test says.
  public func colour() -> String {
    onColour()
  }
}

/// A ``Loose`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedLoose: Loose, Sendable {
  /// ``Loose/run()``.
  public var onRun: @Sendable () async throws -> Int = { () throws in
    throw TodoError(Fault.unimplemented("Loose.run()", closure: "onRun"))
  }

  /// A double that implements nothing yet.
  public init() {}

  /// Calls what the test says.
  public func run() async throws -> Int {
    try await onRun()
  }
}

/// A ``Shelf.Source`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
public struct UnimplementedSource: Shelf.Source {
  /// ``Shelf.Source/take()``.
  public var onTake: @Sendable () async throws(TodoError) -> Todo = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("Shelf.Source.take()", closure: "onTake"))
  }

  /// A double that implements nothing yet.
  public init() {}

  /// Calls what the test says.
  public func take() async throws(TodoError) -> Todo {
    try await onTake()
  }
}

/// A ``Ledger`` of which a test says only what it uses, with a closure for each requirement.
///
/// A requirement that can throw and has no closure throws an error that names it; the initialiser asks for
/// the rest.
package struct UnimplementedLedger: Ledger {
  /// ``Ledger/entries()``.
  package var onEntries: @Sendable () async throws(TodoError) -> [Int] = { () throws(TodoError) in
    throw TodoError(Fault.unimplemented("Ledger.entries()", closure: "onEntries"))
  }

  /// A double that implements nothing yet.
  package init() {}

  /// Calls what the test says.
  package func entries() async throws(TodoError) -> [Int] {
    try await onEntries()
  }
}
