package import Testing
package import Understudy

extension UnderstudyReport {
  /// Attaches the report to the current test as an HTML page.
  ///
  /// ```swift
  /// @Test func isKeptAsAPage() async {
  ///   let contract = await Contract.todoService.report(on: [.inMemory, .live])
  ///   UnderstudyReport(contracts: [contract]).attach(named: "todos")
  /// }
  /// ```
  ///
  /// Outside of a test, it does nothing. `swift test --attachments-path <folder>` saves it as a file; Xcode saves it with
  /// the test result.
  ///
  /// - Parameters:
  ///   - name: The file name without `.html`.
  ///   - sourceLocation: The location of the attachment (default: the caller's line).
  package func attach(named name: String = "report", sourceLocation: SourceLocation = #_sourceLocation) {
    // Outside of a test, nothing would show to what it belongs.
    if Test.current == nil { return }
    Attachment.record(html(), named: "\(name).html", sourceLocation: sourceLocation)
  }
}
