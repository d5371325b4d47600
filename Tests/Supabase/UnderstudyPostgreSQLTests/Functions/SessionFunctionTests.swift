import Testing

@testable import UnderstudyPostgreSQL

@Suite struct SessionFunctionTests {
  private func call(_ name: String, _ types: [DataType], _ arguments: [Value], _ session: TestSession) throws
    -> Value
  {
    let function = try #require(
      Functions.named(name).first { function in
        function.parameters.count == types.count
          && zip(function.parameters, types).allSatisfy { $0 == $1 || [.any, .anyenum].contains($0) }
      })
    switch function.body {
    case .scalar(let scalar): return try scalar(arguments, session)
    case .typed(let make): return try make(types.map { BoundType($0) })(arguments, session)
    default: return .null
    }
  }

  @Test func labelsOfEnumerations() throws {
    let session = TestSession()
    let mood = TestSession.mood
    let (sad, ok, happy) = (
      Value.label("sad", order: 1), Value.label("ok", order: 2), Value.label("happy", order: 3)
    )
    #expect(try call("enum_first", [mood], [.null], session) == sad)
    #expect(try call("enum_last", [mood], [.null], session) == happy)
    #expect(try call("enum_range", [mood], [.null], session) == .array(ArrayValue([sad, ok, happy])))
    #expect(try call("enum_range", [mood, mood], [ok, .null], session) == .array(ArrayValue([ok, happy])))
    #expect(try call("enum_range", [mood, mood], [happy, sad], session) == .array(ArrayValue([])))
  }

  @Test func typesHaveTheirNames() throws {
    let session = TestSession()
    #expect(try call("pg_typeof", [.timestamptz], [.null], session) == .text("timestamp with time zone"))
    #expect(try call("pg_typeof", [.array(.integer)], [.null], session) == .text("integer[]"))
  }

  @Test func settingsAndSequences() throws {
    let session = TestSession()
    let error = #expect(throws: PostgreSQLError.self) {
      try call("current_setting", [.text, .boolean], [.text("app.x")], session)
    }
    #expect(error?.code == "42704")
    #expect(
      try call("current_setting", [.text, .boolean], [.text("app.x"), .boolean(true)], session) == .null)
    #expect(
      try call(
        "set_config", [.text, .text, .boolean], [.text("app.x"), .text("1"), .boolean(true)], session)
        == .text("1"))
    #expect(try call("current_setting", [.text, .boolean], [.text("app.x")], session) == .text("1"))
    #expect(try call("nextval", [.regclass], [.text("s")], session) == .integer(1))
    #expect(
      try call("setval", [.regclass, .bigint, .boolean], [.text("s"), .integer(9)], session) == .integer(9))
    #expect(try call("nextval", [.regclass], [.text("s")], session) == .integer(10))
  }

  @Test func randomIdentifiersAreOfVersion4() throws {
    let session = TestSession()
    guard case .uuid(let identifier) = try call("gen_random_uuid", [], [], session) else {
      Issue.record("gen_random_uuid returns no uuid")
      return
    }
    let text = Array(identifier.text)
    #expect(text[14] == "4")
    #expect("89ab".contains(text[19]))
    #expect(UniqueIdentifier(parsing: identifier.text) == identifier)
    #expect(try call("gen_random_uuid", [], [], session) != .uuid(identifier))
  }
}
