import Foundation

// Each fault has one spelling in Swift and one in text, for commands, reports and messages.

extension Fault: CustomStringConvertible {
  /// The fault as text that commands parse, such as `conflict`, `drop-stream:3` or `latency:200ms`.
  ///
  /// A fault without such a text, such as an answer made by a test, is described in words.
  public var description: String {
    if let spelling { return spelling.typed }
    return switch effect {
    case .answer(let answer): "status \(answer.status) with fields or a body"
    case .handed: "answered by the test"
    case .unimplemented(let sentence): sentence
    case .drawnLatency(let distribution): "latency, \(distribution)"
    default: "\(effect)"
    }
  }

  /// The fault as text; `nil` for a fault that ``init(typed:)`` cannot parse.
  package var typedName: String? { spelling?.typed }

  /// The fault as a Swift expression of type ``Fault``, such as `.dropStream(afterEvents: 3)`.
  ///
  /// An answer that is not in the catalogue is spelled with its fields and its body, which requires Foundation. An
  /// answer made by a test cannot be spelled; its description is used instead.
  package var swiftSpelling: String {
    if let spelling { return spelling.swift }
    guard case .answer(let answer) = effect else { return description }
    let fields = answer.fields.map { "\($0.name.swiftLiteral): \($0.value.swiftLiteral)" }
    let body =
      String(data: answer.body, encoding: .utf8).map { "Data(\($0.swiftLiteral).utf8)" }
      ?? "Data([\(answer.body.map { "\($0)" }.joined(separator: ", "))])"
    let list = fields.isEmpty ? ":" : fields.joined(separator: ", ")
    return ".status(\(answer.status), fields: [\(list)], body: \(body))"
  }

  private var spelling: (typed: String, swift: String)? {
    func counting(_ typed: String, _ swift: String, _ label: String?, _ count: Int) -> (String, String) {
      ("\(typed):\(count)", ".\(swift)(\(label.map { $0 + ": " } ?? "")\(count))")
    }
    return switch effect {
    case .refusal(let refusal): refusal.spelling
    case .answer(let answer) where answer.fields.isEmpty && answer.body.isEmpty && 200...399 ~= answer.status:
      ("status:\(answer.status)", ".status(\(answer.status))")
    case .answer, .handed, .unimplemented: nil
    case .failure(.offline): ("offline", ".offline")
    case .failure(.hostNotFound): ("host-not-found", ".hostNotFound")
    case .failure(.connectionRefused): ("connection-refused", ".connectionRefused")
    case .failure(.connectionLost): ("connection-lost", ".connectionLost")
    case .failure(.cancelled): ("cancelled", ".cancelled")
    case .silence(workIsDone: false): ("timeout", ".timeout")
    case .silence(workIsDone: true): ("answer-lost", ".answerLost")
    case .lostAnswer: ("empty-reply", ".emptyReply")
    case .cut(let count, .silence): counting("timeout-in-body", "timeoutInBody", "afterBytes", count)
    case .cut(let count, .close): counting("truncated-body", "truncatedBody", "afterBytes", count)
    case .cut(let count, .withinChunk): counting("truncated-chunk", "truncatedChunk", "afterBytes", count)
    case .cut(let count, .reset): counting("reset-in-body", "resetInBody", "afterBytes", count)
    case .spoiled(.chunk(let count)): counting("malformed-chunk", "malformedChunk", "afterBytes", count)
    case .spoiled(.garbage): ("garbage", ".garbage")
    case .spoiled(.gzip): ("broken-gzip", ".brokenGzip")
    case .redirectLoop: ("redirect-loop", ".redirectLoop")
    case .unreadable: ("unreadable-answer", ".unreadableAnswer")
    case .latency(let time): ("latency:\(time.typed)", ".latency(\(time.swift))")
    case .drawnLatency(.mobileNetwork): ("latency:mobile", ".latency(.mobileNetwork)")
    case .drawnLatency(let distribution):
      distribution.range.map { range in
        (
          "latency:\(range.lowerBound.typed),\(range.upperBound.typed)",
          ".latency(.uniform(\(range.lowerBound.swift)...(\(range.upperBound.swift))))"
        )
      }
    case .dribble(let bytes, let pause):
      ("dribble:\(bytes),\(pause.typed)", ".dribble(bytes: \(bytes), pause: \(pause.swift))")
    case .stream(let effect):
      switch effect {
      case .drop(let count): counting("drop-stream", "dropStream", "afterEvents", count)
      case .end(let count): counting("end-stream", "endStream", "afterEvents", count)
      case .stall(let count): counting("stall-stream", "stallStream", "afterEvents", count)
      case .corrupt(let number): counting("corrupt-event", "corruptEvent", nil, number)
      case .duplicate(let number): counting("duplicate-event", "duplicateEvent", nil, number)
      case .reorder(let number): counting("reorder-event", "reorderEvent", nil, number)
      case .unterminated: ("unterminated-event", ".unterminatedEvent")
      case .splitCharacters: ("split-characters", ".splitCharacters")
      case .close(let code, let count):
        (
          "close-websocket:\(code),\(count)",
          ".closeWebSocket(code: WebSocketClosure.Code(rawValue: \(code)), afterMessages: \(count))"
        )
      case .abort(let count): counting("abort-websocket", "abortWebSocket", "afterMessages", count)
      case .badFrame(let count): counting("bad-frame", "badFrame", "afterMessages", count)
      }
    }
  }
}

extension Fault.Refusal {
  fileprivate var spelling: (typed: String, swift: String) {
    switch self {
    case .unauthorized: ("unauthorized", ".unauthorized")
    case .forbidden: ("forbidden", ".forbidden")
    case .notFound: ("not-found", ".notFound")
    case .notAcceptable: ("not-acceptable", ".notAcceptable")
    case .conflict: ("conflict", ".conflict")
    case .unprocessable: ("unprocessable", ".unprocessable")
    case .rateLimited(nil): ("rate-limited", ".rateLimited(retryAfter: nil)")
    case .rateLimited(let delay?):
      ("rate-limited:\(delay.typed)", ".rateLimited(retryAfter: \(delay.swift))")
    case .serverError: ("server-error", ".serverError")
    case .unavailable: ("unavailable", ".unavailable")
    case .gatewayTimeout: ("gateway-timeout", ".gatewayTimeout")
    case .other(let status): ("status:\(status)", ".status(\(status))")
    }
  }
}

// MARK: - Parsing

extension Fault {
  /// Every fault that has a text, with the parameters that follow its name.
  package static var typedNames: [String] { FaultSyntax.all.map { $0.name + $0.parameters } }

  /// Creates a fault from text: its name, and its parameters after a colon, such as `drop-stream:3`.
  ///
  /// - Throws: `UnderstudyError` if the text is invalid.
  package init(typed text: some StringProtocol) throws(UnderstudyError) {
    let written = Substring(text)
    let parts = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let syntax = FaultSyntax.all.first(where: { $0.name == parts.first ?? "" }) else {
      let names = FaultSyntax.all.map(\.name).joined(separator: ", ")
      throw UnderstudyError(.invalidText, "Unknown fault \"\(parts.first ?? "")\". Valid values: \(names).")
    }
    let arguments = parts.count == 2 ? parts[1].split(separator: ",", omittingEmptySubsequences: false) : []
    guard let fault = syntax.make(arguments) else {
      let times = ["s", "ms"].compactMap { syntax.text(of: arguments, withUnit: $0) }
      let usage =
        syntax.parameters.isEmpty
        ? "\(syntax.name) takes no parameters"
        : times.isEmpty
          ? "write \(syntax.name)\(syntax.parameters)"
          : "a time requires a unit: write \(times.joined(separator: " or "))"
      throw UnderstudyError(.invalidText, "Invalid fault \"\(written)\": \(usage).")
    }
    self = fault
  }
}

/// The text form of one kind of fault.
private struct FaultSyntax: Sendable {
  let name: String
  /// The parameters as a usage text shows them; empty if the fault has none.
  let parameters: String
  /// Makes the fault; returns `nil` if the arguments are invalid.
  let make: @Sendable ([Substring]) -> Fault?

  init(_ name: String, _ parameters: String, _ make: @escaping @Sendable ([Substring]) -> Fault?) {
    self.name = name
    self.parameters = parameters
    self.make = make
  }

  /// A fault without parameters.
  init(_ fault: Fault) {
    self.init(fault.description, "") { $0.isEmpty ? fault : nil }
  }

  /// A fault after, or at, a number of bytes, events or messages.
  init(_ name: String, counting what: String, _ fault: @escaping @Sendable (Int) -> Fault) {
    self.init(name, "[:<\(what)>]") { arguments in
      guard let first = arguments.first else { return fault(1) }
      guard arguments.count == 1, let count = Int(first), count >= 0 else { return nil }
      return fault(count)
    }
  }

  /// Returns the text of the fault with a unit after each number that is a time; `nil` if it is still invalid.
  func text(of arguments: [Substring], withUnit unit: String) -> String? {
    let timed = arguments.map { Double($0) == nil ? $0 : $0 + unit }
    // The last argument of a fault may be its only time.
    let candidates = [timed, arguments.dropLast() + timed.suffix(1)]
    return candidates.first { make($0) != nil }.map { "\(name):\($0.joined(separator: ","))" }
  }

  static let all: [FaultSyntax] = [
    FaultSyntax("status", ":<200–599>") { arguments in
      guard arguments.count == 1, let status = Int(arguments[0]), 200...599 ~= status else { return nil }
      return Fault(status: status)
    },
    FaultSyntax(.unauthorized), FaultSyntax(.forbidden), FaultSyntax(.notFound),
    FaultSyntax(Fault(.refusal(.notAcceptable))), FaultSyntax(.conflict), FaultSyntax(.unprocessable),
    FaultSyntax("rate-limited", "[:<retry after>]") { arguments in
      guard let first = arguments.first else { return .rateLimited(retryAfter: nil) }
      guard arguments.count == 1, let delay = Duration(typed: first) else { return nil }
      return .rateLimited(retryAfter: delay)
    },
    FaultSyntax(.serverError), FaultSyntax(.unavailable), FaultSyntax(Fault(.refusal(.gatewayTimeout))),
    FaultSyntax(.timeout), FaultSyntax(.offline), FaultSyntax(.hostNotFound), FaultSyntax(.connectionRefused),
    FaultSyntax(.connectionLost), FaultSyntax(.cancelled), FaultSyntax(.answerLost), FaultSyntax(.emptyReply),
    FaultSyntax("timeout-in-body", counting: "bytes") { Fault(.cut(afterBytes: $0, .silence)) },
    FaultSyntax("truncated-body", counting: "bytes") { Fault(.cut(afterBytes: $0, .close)) },
    FaultSyntax("truncated-chunk", counting: "bytes") { Fault(.cut(afterBytes: $0, .withinChunk)) },
    FaultSyntax("reset-in-body", counting: "bytes") { Fault(.cut(afterBytes: $0, .reset)) },
    FaultSyntax("malformed-chunk", counting: "bytes") { Fault(.spoiled(.chunk(afterBytes: $0))) },
    FaultSyntax(.unreadableAnswer), FaultSyntax(Fault(.spoiled(.garbage))),
    FaultSyntax(Fault(.spoiled(.gzip))),
    FaultSyntax(Fault(.redirectLoop)),
    FaultSyntax("latency", ":<time>|:<from>,<to>|:mobile") { arguments in
      if arguments == ["mobile"] { return .latency(.mobileNetwork) }
      let times = arguments.compactMap(Duration.init(typed:))
      guard times.count == arguments.count else { return nil }
      switch times.count {
      case 1: return .latency(times[0])
      case 2 where times[0] <= times[1]: return .latency(.uniform(times[0]...times[1]))
      default: return nil
      }
    },
    FaultSyntax("dribble", "[:<bytes>,<pause>]") { arguments in
      if arguments.isEmpty { return Fault(.dribble(bytes: 1, pause: .milliseconds(10))) }
      guard arguments.count == 2, let bytes = Int(arguments[0]), bytes > 0,
        let pause = Duration(typed: arguments[1])
      else { return nil }
      return Fault(.dribble(bytes: bytes, pause: pause))
    },
    FaultSyntax("drop-stream", counting: "events") { .dropStream(afterEvents: $0) },
    FaultSyntax("end-stream", counting: "events") { .endStream(afterEvents: $0) },
    FaultSyntax("stall-stream", counting: "events") { .stallStream(afterEvents: $0) },
    FaultSyntax("corrupt-event", counting: "number") { .corruptEvent($0) },
    FaultSyntax(Fault(.stream(.unterminated))),
    FaultSyntax("duplicate-event", counting: "number") { .duplicateEvent($0) },
    FaultSyntax("reorder-event", counting: "number") { .reorderEvent($0) },
    FaultSyntax(Fault(.stream(.splitCharacters))),
    FaultSyntax("close-websocket", "[:<code>,<messages>]") { arguments in
      if arguments.isEmpty { return Fault(.stream(.close(1001, after: 1))) }
      guard arguments.count == 2, let code = UInt16(arguments[0]), 1000...4999 ~= code,
        let count = Int(arguments[1]), count >= 0
      else { return nil }
      return Fault(.stream(.close(code, after: count)))
    },
    FaultSyntax("abort-websocket", counting: "messages") { Fault(.stream(.abort(after: $0))) },
    FaultSyntax("bad-frame", counting: "messages") { Fault(.stream(.badFrame(after: $0))) },
  ]
}
