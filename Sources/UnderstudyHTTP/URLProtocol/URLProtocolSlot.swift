import Foundation
import Understudy

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A place among all sessions over transports: a subclass of `URLProtocol` that nobody else has, and what it serves.
///
/// URLSession makes an instance of a class, and nothing that it gives to it says for which session: on Linux, not even
/// the fields that a configuration adds. So the class itself must say it.
final class URLProtocolSlot: Sendable {
  /// What the sessions of a slot have.
  struct Content: Sendable {
    let transport: any HTTPTransport
    /// Added to each request that lacks them.
    let fields: HTTP.Fields
  }

  private struct Table: Sendable {
    var contents: [ObjectIdentifier: Content] = [:]
    var free: [Int] = []
    /// How many numbers were given out.
    var count = 0
  }

  /// The one thing that sessions share, because URLSession makes the protocols, and its type is all that one knows.
  private static let table = Locked(Table())

  let protocolClass: TransportProtocol.Type
  let number: Int

  /// Takes a slot, until this object goes.
  init(_ content: Content) {
    #if canImport(FoundationNetworking)
      DeafTask.prepare()
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
    // What a transport does when it goes must not happen under the lock.
    let content = Self.table.withLock { table in
      table.free.append(number)
      return table.contents.removeValue(forKey: ObjectIdentifier(protocolClass))
    }
    withExtendedLifetime(content) {}
  }

  /// What the slot with this class has; `nil` if the slot is free.
  static func content(of protocolClass: TransportProtocol.Type) -> Content? {
    table.withLock { $0.contents[ObjectIdentifier(protocolClass)] }
  }

  // MARK: Classes without end

  private final class Numbered<Digits>: TransportProtocol {}

  private enum End {}
  private enum Zero<Lower> {}
  private enum One<Lower> {}

  /// The class with the number in binary, its lowest digit innermost; because the last digit is always a one, no two
  /// numbers have the same class.
  private static func protocolClass<Lower>(_ number: Int, _ digits: Lower.Type) -> TransportProtocol.Type {
    if number == 0 { return Numbered<Lower>.self }
    return number.isMultiple(of: 2)
      ? protocolClass(number / 2, Zero<Lower>.self) : protocolClass(number / 2, One<Lower>.self)
  }
}
