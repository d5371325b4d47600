#if os(macOS) || os(Linux)
  import TestSupport
  import Testing

  @Suite(.enabled(if: PostgreSQLServer.isNamed, PostgreSQLServer.absence)) struct PostgreSQLServerTests {
    @Test func valuesAndErrorsHaveOneLineEach() async throws {
      let values = try await PostgreSQLServer().values(of: [
        "SELECT 1", "SELECT null", "SELECT E'a\\nb\\\\n'", "SELECT 1/0", "SELECT ''",
      ])
      #expect(values == ["=1", "NULL", "=a\nb\\n", "ERROR 22012: division by zero", "="])
    }
  }
#endif
