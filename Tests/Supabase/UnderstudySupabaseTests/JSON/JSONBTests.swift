import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct JSONBTests {
  @Test func writes() throws {
    let value = JSONValue.object([.init("a\"", .array([.number("1.50"), .string("\u{1}\t\\é"), .null]))])
    #expect(String(decoding: value.data, as: UTF8.self) == #"{"a\"": [1.50, "\u0001\t\\é", null]}"#)
    #expect(try JSONValue(parsing: value.data) == value)
  }
}
