/// Test cases of JUnit XML that belong together.
struct JUnitSuite {
  /// A test case, and how it ended.
  struct Case {
    enum Ending {
      case passed
      case skipped(String)
      /// The first line, and all that there is to say.
      case failed(String, String)
    }

    /// What the case is grouped by, such as `children.in-memory`.
    let group: String
    let name: String
    var place: (file: String, line: Int)?
    var ending = Ending.passed

    var isFailure: Bool { if case .failed = ending { true } else { false } }
    var isSkipped: Bool { if case .skipped = ending { true } else { false } }
  }

  let name: String
  var cases: [Case] = []

  func write(into markup: inout Markup) {
    markup.element(
      "testsuite",
      [
        "name": name, "tests": "\(cases.count)", "failures": "\(cases.count(where: \.isFailure))",
        "errors": "0",
        "skipped": "\(cases.count(where: \.isSkipped))",
      ]
    ) { markup in
      markup.literal("\n")
      for item in cases {
        let attributes: KeyValuePairs<StaticString, String?> = [
          "classname": item.group, "name": item.name, "file": item.place?.file,
          "line": item.place.map { "\($0.line)" },
        ]
        switch item.ending {
        case .passed: markup.emptyElement("testcase", attributes)
        case .skipped(let reason):
          markup.element("testcase", attributes) { $0.emptyElement("skipped", ["message": reason]) }
        case .failed(let message, let text):
          markup.element("testcase", attributes) { $0.element("failure", ["message": message], text) }
        }
        markup.literal("\n")
      }
    }
    markup.literal("\n")
  }
}
