public import Testing
public import Understudy

extension Report {
  /// Attaches the report to the current test, as a page of HTML that needs nothing else.
  ///
  /// ```swift
  /// @Test func isKeptAsAPage() async {
  ///   let section = await Contract.todoService.report(on: [.inMemory, .live])
  ///   Report(contracts: [section]).attach(named: "todos")
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
