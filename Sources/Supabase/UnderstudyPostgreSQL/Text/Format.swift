/// Concatenation, `format` and quoting (PostgreSQL documentation, 9.4 and 9.4.1).
extension Function {
  static let formatting: [Function] = [
    Function(
      "concat", [.any], variadic: .any, returns: .text, isStrict: false, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          .text(try texts(a[...], types, context).joined())
        }
      }),
    Function(
      "concat_ws", [.text, .any], variadic: .any, returns: .text, isStrict: false, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          if a[0].isNull { return .null }
          return .text(try texts(a.dropFirst(), types, context).joined(separator: a.text(0)))
        }
      }),
    Function(
      "format", [.text], variadic: .any, returns: .text, isStrict: false, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          if a[0].isNull { return .null }
          var formatter = Formatter(a.text(0), a, types)
          return .text(try formatter.format(context))
        }
      }),
    Function(
      "quote_ident", [.text], returns: .text, .scalar { a, _ in .text(Printer.identifier(a.text(0))) }),
    Function("quote_literal", [.text], returns: .text, .scalar { a, _ in .text(Printer.literal(a.text(0))) }),
    Function(
      "quote_literal", [.anyelement], returns: .text, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in .text(Printer.literal(try a[0].text(as: types[0], context))) }
      }),
    Function(
      "quote_nullable", [.anyelement], returns: .text, isStrict: false, .stable,
      .typed { types in
        { a, context throws(PostgreSQLError) in
          .text(a[0].isNull ? "NULL" : Printer.literal(try a[0].text(as: types[0], context)))
        }
      }),
  ]

  /// The texts of the arguments that are not null.
  private static func texts(
    _ a: ArraySlice<Value>, _ types: [BoundType], _ context: any FunctionContext
  ) throws(PostgreSQLError) -> [String] {
    var texts: [String] = []
    for index in a.indices where !a[index].isNull {
      texts.append(try a[index].text(as: types[index], context))
    }
    return texts
  }

  /// The interpreter of a format string.
  private struct Formatter {
    private let format: [Unicode.Scalar]
    private let arguments: [Value]
    private let types: [BoundType]
    private var position = 0
    private var next = 1

    init(_ format: String, _ arguments: [Value], _ types: [BoundType]) {
      self.format = Array(format.unicodeScalars)
      self.arguments = arguments
      self.types = types
    }

    private static func invalid(_ message: String, hint: String? = nil) -> PostgreSQLError {
      PostgreSQLError("22023", message, hint: hint)
    }

    private static let unterminated = invalid(
      "unterminated format() type specifier", hint: "For a single \"%\" use \"%%\".")

    mutating func format(_ context: any FunctionContext) throws(PostgreSQLError) -> String {
      var result = ""
      while position < format.count {
        let scalar = format[position]
        position += 1
        guard scalar == "%" else {
          result.unicodeScalars.append(scalar)
          continue
        }
        if position < format.count, format[position] == "%" {
          result += "%"
          position += 1
          continue
        }
        result += try specifier(context)
        try limit(result.utf8.count)
      }
      return result
    }

    private var peek: Unicode.Scalar? { position < format.count ? format[position] : nil }

    private mutating func number() throws(PostgreSQLError) -> Int? {
      var number: Int?
      while let scalar = peek, ("0"..."9").contains(scalar) {
        number = (number ?? 0) * 10 + Int(scalar.value - 0x30)
        if (number ?? 0) > Int(Int32.max) {
          throw PostgreSQLError("22003", "number is out of range")
        }
        position += 1
      }
      return number
    }

    private mutating func argument(_ index: Int?) throws(PostgreSQLError) -> (Value, BoundType) {
      let index = index ?? next
      if index == 0 {
        throw Self.invalid("format specifies argument 0, but arguments are numbered from 1")
      }
      guard index < arguments.count else { throw Self.invalid("too few arguments for format()") }
      next = index + 1
      return (arguments[index], types[index])
    }

    /// `[position$][flags][width]type`.
    private mutating func specifier(_ context: any FunctionContext) throws(PostgreSQLError) -> String {
      var place: Int?
      var width: Int?
      var isLeft = false
      // The place of the argument that has the width; the inner nil is the next one.
      var widthArgument: Int??
      if let number = try number() {
        if peek == "$" {
          position += 1
          place = number
          if number == 0 {
            throw Self.invalid("format specifies argument 0, but arguments are numbered from 1")
          }
        } else {
          width = number
        }
      }
      if width == nil {
        while peek == "-" {
          isLeft = true
          position += 1
        }
        if peek == "*" {
          position += 1
          var widthPlace: Int?
          if let number = try number() {
            guard peek == "$" else {
              throw Self.invalid("width argument position must be ended by \"$\"")
            }
            position += 1
            widthPlace = number
          }
          widthArgument = .some(widthPlace)
        } else {
          width = try number()
        }
      }
      guard let type = peek else { throw Self.unterminated }
      position += 1
      guard type == "s" || type == "I" || type == "L" else {
        throw Self.invalid(
          "unrecognized format() type specifier \"\(type)\"", hint: "For a single \"%\" use \"%%\".")
      }
      if let widthArgument {
        let (value, type) = try argument(widthArgument)
        let text = try value.text(as: type, context)
        width = try value.isNull ? 0 : Int(TextInput.integer(text, Int32.self, type: "integer"))
      }
      let (value, bound) = try argument(place)
      return padded(try text(value, bound, type, context), width ?? 0, isLeft: isLeft)
    }

    private func text(
      _ value: Value, _ type: BoundType, _ specifier: Unicode.Scalar, _ context: any FunctionContext
    ) throws(PostgreSQLError) -> String {
      if value.isNull {
        switch specifier {
        case "s": return ""
        case "L": return "NULL"
        default:
          throw PostgreSQLError(
            "22004", "null values cannot be formatted as an SQL identifier")
        }
      }
      let text = try value.text(as: type, context)
      switch specifier {
      case "I": return Printer.identifier(text)
      case "L": return Printer.literal(text)
      default: return text
      }
    }

    private func padded(_ text: String, _ width: Int, isLeft: Bool) -> String {
      let missing =
        Swift.min(width.magnitude, 1 << 26)
        - Swift.min(UInt(text.unicodeScalars.count), width.magnitude, 1 << 26)
      let space = String(repeating: " ", count: Int(missing))
      return isLeft || width < 0 ? text + space : space + text
    }
  }
}
