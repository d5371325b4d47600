// The other files of this target are written by `understudy adopt`; see the script `check`.

import Testing

@testable import Wallet

/// The tests of the live service, which an app has before it adopts a contract.
struct WalletServiceTests {
  @Test func aTerminalHasANumber() {
    #expect(Terminal(scanning: "12")?.number == 12)
  }
}
