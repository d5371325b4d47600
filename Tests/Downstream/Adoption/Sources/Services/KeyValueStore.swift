public import Foundation

/// Without waiting: a store on the device.
public protocol KeyValueStore: Sendable {
  func data(forKey key: String) throws(StoreError) -> Data?
  func set(_ data: Data, forKey key: String) throws(StoreError)
  func removeAll()
  func contains(_ key: String) -> Bool
  var keys: Set<String> { get }
  subscript(_ key: String) -> String? { get }
}

/// Why the store failed.
public struct StoreError: Error, Equatable {
  /// The code.
  public let code: Int
  /// The message.
  public let message: String

  /// An error.
  public init(code: Int, message: String) {
    self.code = code
    self.message = message
  }
}
