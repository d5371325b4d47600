import Foundation
import UnderstudyConsole
import UnderstudyServer

/// The options of `record` and `replay` for a forward proxy.
struct ProxyOptions: Sendable {
  /// Whether the command runs a forward proxy.
  private(set) var isWanted = false
  /// The hosts whose exchanges are forwarded without being recorded, as in ``TunnelTarget``.
  private(set) var passthroughHosts: Set<String> = []
  private var folder: String?
  /// The first option that requires `--proxy`.
  private var dependent: String?

  /// Reads the current option, if it is one of these.
  ///
  /// - Returns: Whether it is one of these.
  mutating func take(_ option: String, from reader: inout OptionReader) throws(CommandError) -> Bool {
    switch option {
    case "--proxy": isWanted = true
    case "--passthrough":
      let word = try reader.value()
      guard let target = TunnelTarget(authority: word, scheme: "https"), !word.hasSuffix(":\(target.port)")
      else {
        throw CommandError(
          "--passthrough requires a host name or an address without a port, found \"\(word)\".")
      }
      passthroughHosts.insert(target.host)
      dependent = dependent ?? option
    case "--ca":
      folder = try reader.value()
      dependent = dependent ?? option
    default: return false
    }
    return true
  }

  /// Returns the termination of TLS for a forward proxy, with its certificate authority; `nil` without `--proxy`.
  ///
  /// - Parameter port: The port of the proxy; zero for any.
  func terminator(_ tool: CommandLineTool, port: UInt16) throws(CommandError) -> TLSTerminator? {
    guard isWanted else {
      if let dependent { throw CommandError("\(dependent) requires --proxy.") }
      return nil
    }
    for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
      guard port > 0, let value = ProcessInfo.processInfo.environment[name], let url = URL(string: value),
        url.port == Int(port), ["127.0.0.1", "localhost", "::1"].contains(url.host())
      else { continue }
      throw CommandError("\(name) leads to this proxy itself. Run it without: env -u \(name) \(tool.name) …")
    }
    let program = try OpenSSL(tool.environment.openSSL)
    let folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? Self.defaultFolder
    return try TLSTerminator(
      CertificateAuthority(in: folder, by: program), passthroughHosts: passthroughHosts)
  }

  private static var defaultFolder: URL {
    #if canImport(Darwin)
      let path = "Library/Application Support/Understudy/CA"
      return URL.homeDirectory.appending(path: path, directoryHint: .isDirectory)
    #else
      if let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"], data.hasPrefix("/") {
        return URL(filePath: data, directoryHint: .isDirectory).appending(path: "understudy/ca")
      }
      return URL.homeDirectory.appending(path: ".local/share/understudy/ca", directoryHint: .isDirectory)
    #endif
  }

  /// The description of `--ca`, for the help of a command.
  static let authorityUsage = """
      --ca <folder>       The folder of the proxy's certificate authority, which is created on first use (default: a
                          folder of this user, whose path is printed). No other user may write to it.
    """
}
