import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyHTTP
@testable import UnderstudyTransport
@testable import UnderstudyServer

@Suite(.stallLimit()) struct ProxyScopeTests {
  static let proxy = URL(string: "http://127.0.0.1:8080/items/7?x") ?? URL(fileURLWithPath: "/")

  static let locations: [(upstream: String, location: String, expected: String)] = [
    // At the upstream.
    ("https://api.test", "https://api.test/a?b#c", "http://127.0.0.1:8080/a?b#c"),
    ("https://api.test", "HTTPS://API.test:443/a%2Fb", "http://127.0.0.1:8080/a%2Fb"),
    ("https://api.test", "//api.test/a", "http://127.0.0.1:8080/a"),
    ("http://api.test:81/", "http://api.test:81", "http://127.0.0.1:8080"),
    // Relative: the same place by itself.
    ("https://api.test", "/a", "/a"),
    ("https://api.test", "../b?c", "../b?c"),
    ("https://api.test", "?c", "?c"),
    // Elsewhere.
    ("https://api.test", "https://other.test/a", "https://other.test/a"),
    ("https://api.test", "http://api.test/a", "http://api.test/a"),
    ("https://api.test", "https://api.test:444/a", "https://api.test:444/a"),
    ("https://api.test", "https://api.test.evil/a", "https://api.test.evil/a"),
    ("https://api.test", "app://callback", "app://callback"),
    ("https://api.test", "http://[", "http://["),
    // Under a path.
    ("https://api.test/v1", "https://api.test/v1/a", "http://127.0.0.1:8080/a"),
    ("https://api.test/v1/", "https://api.test/v1", "http://127.0.0.1:8080/"),
    ("https://api.test/v1", "/v1/a?b", "http://127.0.0.1:8080/a?b"),
    ("https://api.test/v1", "8", "http://127.0.0.1:8080/items/8"),
    ("https://api.test/v1", "/v10/a", "https://api.test/v10/a"),
    ("https://api.test/v1", "/login", "https://api.test/login"),
  ]

  @Test(arguments: locations) func location(upstream: String, location: String, expected: String) throws {
    let scope = ProxyScope(upstream: try #require(URL(string: upstream)))
    let source = scope.upstreamURL(for: Self.proxy)
    #expect(scope.location(location, from: source, to: Self.proxy) == expected)
  }

  @Test(arguments: [
    ("a=b", "a=b"), ("a=b; Domain=api.example.test; HttpOnly", "a=b; HttpOnly"),
    ("a=b; domain=.EXAMPLE.test", "a=b"),
    ("a=b; Domain=other.test; Path=/x", "a=b; Domain=other.test; Path=/x"),
    ("a=b; Domain=ample.test", "a=b; Domain=ample.test"),
    ("a=b; Path=/v1/x; Max-Age=5", "a=b; Path=/x; Max-Age=5"),
    ("a=b; Path=/v1; Secure; SameSite=None", "a=b; Path=/; SameSite=None"),
    ("Domain=b; Secure", "Domain=b"), ("a=b; Path=/", "a=b; Path=/"),
  ]) func cookie(cookie: String, expected: String) throws {
    let scope = ProxyScope(upstream: try #require(URL(string: "https://api.example.test/v1")))
    #expect(scope.cookie(cookie, to: Self.proxy) == expected)
  }

  @Test(arguments: [
    (["a=b"], "a=b"), (["a=b", "c=d"], "a=b, c=d"), (["a=b", "c=d"], "a=b,c=d"),
    (
      ["a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT", "c=d"], "a=b; Expires=Wed, 21 Oct 2037 07:28:00 GMT, c=d"
    ),
    (
      ["a=b; Expires=Wednesday, 21-Oct-37 07:28:00 GMT; Path=/", "c="],
      "a=b; Expires=Wednesday, 21-Oct-37 07:28:00 GMT; Path=/, c="
    ),
    (["a={\"x\":1,\"y\":2}"], "a={\"x\":1,\"y\":2}"), ([""], ""), (["nonsense,"], "nonsense,"),
  ]) func joinedCookies(cookies: [String], list: String) {
    #expect(HTTP.Fields.cookies(in: list) == cookies)
  }
}
