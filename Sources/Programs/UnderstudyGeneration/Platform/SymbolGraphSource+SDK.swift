import UnderstudyConsole
import UnderstudyText

extension SymbolGraphSource {
  /// The options of the compiler for the SDK that modules are compiled with; none where there is no choice of SDKs.
  static func sdkOptions() throws(CommandError) -> [String] {
    #if canImport(Darwin)
      ["-sdk", try ChildProcess(["xcrun", "--show-sdk-path"]).output().trimmed]
    #else
      []
    #endif
  }
}
