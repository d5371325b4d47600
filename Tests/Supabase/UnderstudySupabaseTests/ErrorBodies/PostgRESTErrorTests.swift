import Foundation
import Testing
import UnderstudyHTTP
import UnderstudySupabase
import UnderstudyTesting

@Suite(.stallLimit()) struct PostgRESTErrorTests {
  /// Every row of the table of PostgREST (`Error.hs`), with a code of each class.
  static let statuses: [(Int, [String])] = [
    (409, ["23503", "23505"]),
    (400, ["23502", "23514", "22P02", "22008", "23000", "23P01", "22000"]),
    (403, ["42501", "28000", "28P01", "0L000", "0LP01", "0P000"]),
    (404, ["42P01", "42883", "PGRST202", "PGRST205"]),
    (
      500,
      [
        "42P17", "25000", "25P02", "40001", "40P01", "54000", "54001", "55000", "55P03", "57000", "57014",
        "58000", "58030", "P0000", "P0002", "XX000", "XX001", "53400", "21000", "PGRST300",
      ]
    ),
    (400, ["P0001", "PGRST100", "PGRST102", "PGRST122", "PGRST124", "PGRST200", "42703"]),
    (501, ["UNDERSTUDY"]),
    (503, ["08000", "08006", "53000", "53100", "53300", "57P01", "PGRST000", "PGRST001", "PGRST002"]),
    (504, ["PGRST003"]),
    (405, ["25006"]),
    (416, ["PGRST103"]),
    (406, ["PGRST106", "PGRST107", "PGRST116"]),
    (300, ["PGRST201", "PGRST203"]),
    (401, ["PGRST301", "PGRST302", "PGRST303"]),
    (402, ["PT402"]),
    (599, ["PT599"]),
    (500, ["PT000", "PTabc", "PT", "PT-01", "PT999"]),
    (400, ["", "1", "ZZZZZ"]),
  ]

  @Test(arguments: statuses) func statusOfEveryCode(status: Int, codes: [String]) {
    for code in codes {
      #expect(PostgRESTError(code: code, message: "").status(isAuthenticated: true) == status, "\(code)")
    }
  }

  @Test func missingPrivilegesAre401ForAnonymousUsers() {
    let error = PostgRESTError.refusedByPolicy(table: "children")
    #expect(error.status(isAuthenticated: false) == 401)
    #expect(error.response(isAuthenticated: false).fields["WWW-Authenticate"] == "Bearer")
    #expect(error.response(isAuthenticated: true).fields["WWW-Authenticate"] == nil)
    #expect(
      PostgRESTError(code: "23505", message: "").status(isAuthenticated: false) == 409,
      "Only 42501 looks at it.")
  }

  @Test func aTokenErrorReportsTheReason() {
    let expired = PostgRESTError.tokenExpired.response(isAuthenticated: false)
    #expect(expired.status == 401)
    #expect(
      expired.fields["WWW-Authenticate"] == #"Bearer error="invalid_token", error_description="JWT expired""#)
    let missing = PostgRESTError(code: "PGRST302", message: "Anonymous access is disabled")
    #expect(missing.response(isAuthenticated: false).fields["WWW-Authenticate"] == "Bearer")
  }

  @Test func theBodyHasAllFourMembers() async throws {
    let error = PostgRESTError.duplicateKey(
      constraint: "children_user_id_name_key", columns: ["user_id", "name"], values: ["1", "Em\"ma"])
    let response = error.response(isAuthenticated: true)
    #expect(response.status == 409)
    #expect(response.fields["Content-Type"] == "application/json; charset=utf-8")
    #expect(response.fields["Proxy-Status"] == "PostgREST; error=23505")
    let bytes = try await response.body.collect()
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"code":"23505","details":"Key (user_id, name)=(1, Em\\"ma) already exists.","hint":null,\
        "message":"duplicate key value violates unique constraint \\"children_user_id_name_key\\""}
        """)
    #expect(try JSONDecoder().decode(PostgRESTError.self, from: bytes) == error)
  }

  @Test func theKnownErrorsHaveTheirStatus() {
    let known: [(PostgRESTError, Int)] = [
      (.notSingular(rows: 0), 406), (.unknownTable("x"), 404), (.statementTimeout, 500),
      (.databaseUnavailable, 503), (.unfilteredChange("DELETE"), 400), (.poolTimeout, 504),
      (.tokenExpired, 401),
    ]
    for (error, status) in known { #expect(error.status(isAuthenticated: true) == status, "\(error.code)") }
    #expect(PostgRESTError.notSingular(rows: 0).details == "The result contains 0 rows")
  }
}
