import Testing
import UnderstudyTesting
@testable import UnderstudyServer

@Suite(.stallLimit()) struct TunnelTargetTests {
  @Test(
    arguments: [
      ("api.example.com:443", "api.example.com", 443, .name),
      ("API.Example.com.:8443", "api.example.com", 8443, .name),
      ("a_b-c.test:1", "a_b-c.test", 1, .name), ("127.0.0.1:80", "127.0.0.1", 80, .address4),
      ("[2001:DB8::1]:443", "2001:db8::1", 443, .address6), ("localhost:65535", "localhost", 65_535, .name),
    ] as [(String, String, UInt16, TunnelTarget.Kind)])
  func readsAHostAndAPort(_ text: String, _ host: String, _ port: UInt16, _ kind: TunnelTarget.Kind) throws {
    let target = try #require(TunnelTarget(authority: text))
    #expect(target.host == host && target.port == port && target.kind == kind)
    #expect(TunnelTarget(authority: target.description) == target)
  }

  /// What would have a meaning in an argument, a path, or a configuration of OpenSSL.
  @Test(arguments: [
    "", "a", ":443", "a:", "a:0", "a:65536", "a:+1", "a:1:2", "-a:443", "a.-b:443", "..:443", "a..b:443",
    ".:443",
    "a/b:443", "a\\b:443", "a,DNS:b:443", "a\nb:443", "a b:443", "a%20:443", "*.a:443", "a;b:443", "$a:443",
    "ä:443", "a@b:443", "[::1%lo]:443", "[1.2.3.4]:443", "[v1.a]:443", "[::1:443", "::1:443", "[a]:443",
    "a:٣",
  ])
  func refusesEverythingElse(_ text: String) {
    #expect(TunnelTarget(authority: text) == nil)
  }

  @Test func aNameHasAtMost253BytesAndALabel63() {
    let label = String(repeating: "a", count: 63)
    let longest = [label, label, label, String(repeating: "b", count: 61)].joined(separator: ".")
    #expect(TunnelTarget(authority: longest + ":1") != nil)
    #expect(TunnelTarget(authority: longest + "b:1") == nil)
    #expect(TunnelTarget(authority: label + "a:1") == nil)
  }

  @Test func thePortOfTheSchemeIsTheDefault() {
    #expect(TunnelTarget(authority: "a", scheme: "https")?.port == 443)
    #expect(TunnelTarget(authority: "a", scheme: "http")?.port == 80)
    #expect(TunnelTarget(authority: "a:443")?.authority(besides: "https") == "a")
    #expect(TunnelTarget(authority: "[::1]:443")?.authority(besides: "http") == "[::1]:443")
  }
}
