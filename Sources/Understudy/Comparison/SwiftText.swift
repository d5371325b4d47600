import Foundation

/// Values as Swift code.
enum SwiftText {
  /// The name of the case of an enumeration; `nil` for other values.
  static func caseName(of value: Any) -> String? {
    func name<Value>(_ value: Value) -> String? {
      guard Mirror(reflecting: value).displayStyle == .enum else { return nil }
      return enumCaseName(value).map { String(cString: $0) }
    }
    return _openExistential(value, do: name)
  }

  static func kind(of error: any Error) -> String { "\(type(of: error))" }
}

/// The runtime's function behind the description of an enumeration, which a `description` of its own hides.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
