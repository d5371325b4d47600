import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A slot for the sessions of one transport: a subclass of `URLProtocol` used by no other configuration, and its
/// content.
///
/// URLSession instantiates a class, and the instance receives no information about its session; on Linux, not even the
/// fields that a configuration adds. The class itself must therefore identify the session.
final class URLProtocolSlot: Sendable {
  /// The content shared by the sessions of a slot.
  struct Content: Sendable {
    let transport: any HTTPTransport
    /// The fields that are added to each request that lacks them.
    let fields: HTTP.Fields
  }

  private struct Table: Sendable {
    var contents: [ObjectIdentifier: Content] = [:]
    var free: [Int] = []
    /// The number of slots allocated so far.
    var count = 0
  }

  /// The only state shared by all sessions.
  ///
  /// URLSession creates the protocols, and only their type identifies the session.
  private static let table = Locked(Table())

  let protocolClass: TransportProtocol.Type
  let number: Int

  /// Allocates a slot for the lifetime of this object.
  init(_ content: Content) {
    #if canImport(FoundationNetworking)
      UnstartedTask.prepare()
    #endif
    let number = Self.table.withLock { table in
      if let number = table.free.popLast() { return number }
      table.count += 1
      return table.count
    }
    let protocolClass = Self.protocolClass(number, End.self)
    self.number = number
    self.protocolClass = protocolClass
    Self.table.withLock { $0.contents[ObjectIdentifier(protocolClass)] = content }
  }

  deinit {
    // Released outside of the lock, because releasing a transport may run other code.
    let content = Self.table.withLock { table in
      table.free.append(number)
      return table.contents.removeValue(forKey: ObjectIdentifier(protocolClass))
    }
    withExtendedLifetime(content) {}
  }

  /// The content of the slot with a class; `nil` if the slot is free.
  static func content(of protocolClass: TransportProtocol.Type) -> Content? {
    table.withLock { $0.contents[ObjectIdentifier(protocolClass)] }
  }

  // MARK: Unlimited classes

  private final class Numbered<Digits>: TransportProtocol {}

  private enum End {}
  private enum Zero<Lower> {}
  private enum One<Lower> {}

  /// A class that encodes the number in binary, its lowest digit innermost.
  ///
  /// The highest digit is always one, so that no two numbers have the same class.
  private static func protocolClass<Lower>(_ number: Int, _ digits: Lower.Type) -> TransportProtocol.Type {
    if number == 0 { return Numbered<Lower>.self }
    return number.isMultiple(of: 2)
      ? protocolClass(number / 2, Zero<Lower>.self) : protocolClass(number / 2, One<Lower>.self)
  }
}
