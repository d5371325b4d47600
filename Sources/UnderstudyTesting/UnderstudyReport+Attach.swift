public import Testing
public import Understudy

extension UnderstudyReport {
  /// Attaches the report to the current test, as a page of HTML.
  ///
  /// ```swift
  /// @Test func isKeptAsAPage() async {
  ///   let contract = await Contract.todoService.report(on: [.inMemory, .live])
  ///   UnderstudyReport(contracts: [contract]).attach(named: "todos")
  /// }
  /// ```
  ///
  /// `swift test --attachments-path <folder>` keeps it as a file, and Xcode keeps it with the result.
  ///
  /// - Parameters:
  ///   - name: The file's name without `.html`.
  ///   - sourceLocation: Where it is attached: the caller's line.
  public func attach(named name: String = "report", sourceLocation: SourceLocation = #_sourceLocation) {
    Attachment.record(html(), named: "\(name).html", sourceLocation: sourceLocation)
  }
}
