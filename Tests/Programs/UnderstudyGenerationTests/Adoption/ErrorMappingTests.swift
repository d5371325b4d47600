import Foundation
import Testing
import UnderstudyTesting

@testable import UnderstudyGeneration

@Suite(.stallLimit()) struct ErrorMappingTests {
  /// The lines of a mapping, without brackets and comments.
  private func lines(_ cases: [String]) throws -> [String] {
    func symbol(_ kind: String, _ id: String, _ path: [String], _ source: String, line: Int = 0) -> String {
      #"{"kind":{"identifier":"\#(kind)"},"identifier":{"precise":"s:3App\#(id)"},"pathComponents":[\#(path.map { "\"\($0)\"" }.joined(separator: ","))],"declarationFragments":[{"kind":"text","spelling":"\#(source)"}],"accessLevel":"public","location":{"uri":"App.swift","position":{"line":\#(line),"character":0}}}"#
    }
    let error = symbol("swift.enum", "8AppErrorO", ["AppError"], "enum AppError")
    let members = cases.enumerated().map { number, source in
      symbol("swift.enum.case", "8AppErrorO\(number)", ["AppError", source], "case \(source)", line: number)
    }
    let relationships = cases.indices.map {
      #"{"kind":"memberOf","source":"s:3App8AppErrorO\#($0)","target":"s:3App8AppErrorO"}"#
    }
    let graph = """
      {"module":{"name":"App"},"symbols":[\(([error] + members).joined(separator: ","))],
      "relationships":[\(relationships.joined(separator: ","))]}
      """
    let index = SymbolIndex([try JSONDecoder().decode(SymbolGraph.self, from: Data(graph.utf8))])
    let found = try #require(index.types(named: "AppError").first)
    let mapping = try #require(ErrorMapping(found, samples: SampleValues(index: index, access: .public)))
    var source = SourceText()
    mapping.write(to: &source, access: "", isolation: "")
    return source.lines.map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("case ") || $0.hasPrefix("default") || $0.hasPrefix("self = ") }
  }

  // Catches a failing server that becomes the last case, whatever it is for.
  @Test(
    arguments: [
      (["http(String)", "noneLeft", "full"], "self = .http(\"\\(fault)\")"),
      (["api(message: String)", "noneLeft", "full"], "self = .api(message: \"\\(fault)\")"),
      (["remote(String)", "noneLeft", "full"], "self = .remote(\"\\(fault)\")"),
      (["serviceError", "noneLeft", "full"], "self = .serviceError"),
      (["unspecified", "noneLeft", "full"], "self = .unspecified"),
      (["message(String)", "noneLeft", "full"], "self = .message(\"\\(fault)\")"),
      (["underlying(any Error)", "noneLeft", "full"], "default: .underlying(fault)"),
      (["noConnection", "badResponse", "noneLeft"], "default: .badResponse"),
      (["network(any Error)", "decoding(any Error)", "invalidURL"], "default: .network(fault)"),
      (["http(response: Int)", "noneLeft"], "default: .http(response: 503)"),
      // A case for everything else is better than one for the server.
      (["http(String)", "unknown"], "default: .unknown"),
      // Nothing fits.
      (["noneLeft", "full"], "self = .full"),
    ] as [([String], String)])
  func aFailingServerIsTheCaseThatIsForIt(_ cases: [String], _ line: String) throws {
    #expect(try lines(cases).last == line)
  }

  // Catches a number of the response that becomes the seconds to wait.
  @Test func aNumberOfTheResponseIsTheStatus() throws {
    #expect(
      try lines(["http(response: Int)", "noneLeft"]).contains("case .rateLimited: .http(response: 429)"))
  }
}
