import Foundation
import Testing
import UnderstudyConsole
import UnderstudyTesting

@Suite(.stallLimit()) struct CommandErrorTests {
  /// The error of a write that the sandbox of a plugin forbids on macOS (SwiftPM #6948).
  private let ofSandbox = NSError(
    domain: NSCocoaErrorDomain, code: CocoaError.fileWriteNoPermission.rawValue,
    userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(EPERM))])

  @Test func aWriteInThePackageThatThePluginMayNotMakeNamesTheCommand() {
    let error = CommandError(
      writing: "Sources/Doubles/Todo+Doubles.swift", ofSandbox,
      pluginArguments: "generate\n--protocol\nTodo Service\n--output\nSources/Doubles/")
    #expect(
      error.description.hasSuffix(
        "SwiftPM lets no plugin write there without: swift package --allow-writing-to-package-directory understudy "
          + "generate --protocol 'Todo Service' --output Sources/Doubles/"), "\(error)")
  }

  @Test func aWriteElsewhereNamesTheFolder() {
    let error = CommandError(
      writing: "/elsewhere/my files/a.har", ofSandbox, cause: ofSandbox, pluginArguments: "redact")
    #expect(
      error.description.contains("--allow-writing-to-directory '/elsewhere/my files/' understudy redact"),
      "\(error)")
  }

  /// Catches the command in a message about a file that its permissions protect, and without a plugin.
  @Test func otherErrorsNameNoCommand() {
    let ofFile = NSError(
      domain: NSCocoaErrorDomain, code: CocoaError.fileWriteNoPermission.rawValue,
      userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(EACCES))])
    for (error, arguments) in [(ofFile, "generate"), (ofSandbox, nil)] {
      let message = CommandError(writing: "a.swift", error, pluginArguments: arguments).description
      #expect(
        message.hasPrefix("a.swift cannot be written: ") && !message.contains("swift package"), "\(message)")
    }
  }
}
