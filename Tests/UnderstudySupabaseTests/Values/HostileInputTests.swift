import Testing
import UnderstudyTesting

@testable import UnderstudySupabase

/// Hostile inputs, which must neither crash nor block the process.
@Suite(.stallLimit()) struct HostileInputTests {
  @Test(arguments: ["1e-9223372036854775808", "1e9223372036854775807", "1e99999999999999999999", "1e147456"])
  func anExponentOfAnySizeIsRead(_ text: String) {
    #expect(DecimalText(text) == nil)
  }
}
