import UnderstudyTransport

extension FaultName {
  /// Every name there is.
  static let all: [FaultName] =
    [status] + refusals + failures + lostAnswers + delays + ofStreams + ofWebSockets

  private static let status = FaultName("status", ":<200–599>") { arguments in
    guard arguments.count == 1, let status = Int(arguments[0]), 200...599 ~= status else { return nil }
    return .status(status)
  } spell: { fault in
    guard let status = fault.answer?.status, 200...599 ~= status,
      fault.effect == Fault.status(status).effect
    else { return nil }
    return FaultSpelling(typed: "status:\(status)", swift: ".status(\(status))")
  }

  private static let refusals: [FaultName] = [
    FaultName("unauthorized", "unauthorized", .unauthorized), FaultName("forbidden", "forbidden", .forbidden),
    FaultName("not-found", "notFound", .notFound),
    FaultName("not-acceptable", "notAcceptable", .notAcceptable),
    FaultName("conflict", "conflict", .conflict),
    FaultName("unprocessable", "unprocessable", .unprocessable),
    FaultName("rate-limited", "[:<retry after>]") { arguments in
      guard let first = arguments.first else { return .rateLimited(retryAfter: nil) }
      guard arguments.count == 1, let delay = Duration(typed: first) else { return nil }
      return .rateLimited(retryAfter: delay)
    } spell: { fault in
      let delay = fault.answer?.retryAfter
      guard fault.effect == Fault.rateLimited(retryAfter: delay).effect else { return nil }
      guard let delay else {
        return FaultSpelling(typed: "rate-limited", swift: ".rateLimited(retryAfter: nil)")
      }
      return FaultSpelling(
        typed: "rate-limited:\(delay.typed)", swift: ".rateLimited(retryAfter: \(delay.swift))")
    },
    FaultName("server-error", "serverError", .serverError),
    FaultName("unavailable", "unavailable", .unavailable),
    FaultName("gateway-timeout", "gatewayTimeout", .gatewayTimeout),
  ]

  private static let failures: [FaultName] = [
    FaultName("timeout", "timeout", .timeout), FaultName("offline", "offline", .offline),
    FaultName("host-not-found", "hostNotFound", .hostNotFound),
    FaultName("connection-refused", "connectionRefused", .connectionRefused),
    FaultName("connection-reset", "connectionReset", .connectionReset),
    FaultName("cancelled", "cancelled", .cancelled),
  ]

  private static let lostAnswers: [FaultName] = [
    FaultName("answer-lost", "answerLost", .answerLost), FaultName("empty-reply", "emptyReply", .emptyReply),
    FaultName(
      "timeout-in-body", counting: "bytes", "timeoutInBody", "afterBytes", Fault.timeoutInBody(afterBytes:)),
    FaultName(
      "truncated-body", counting: "bytes", "truncatedBody", "afterBytes", Fault.truncatedBody(afterBytes:)),
    FaultName(
      "truncated-chunk", counting: "bytes", "truncatedChunk", "afterBytes",
      Fault.truncatedChunk(afterBytes:)),
    FaultName(
      "reset-in-body", counting: "bytes", "resetInBody", "afterBytes", Fault.resetInBody(afterBytes:)),
    FaultName(
      "malformed-chunk", counting: "bytes", "malformedChunk", "afterBytes",
      Fault.malformedChunk(afterBytes:)),
    FaultName("malformed-json", "malformedJSON", .malformedJSON), FaultName("garbage", "garbage", .garbage),
    FaultName("broken-gzip", "brokenGzip", .brokenGzip),
    FaultName("redirect-loop", "redirectLoop", .redirectLoop),
  ]

  private static let delays: [FaultName] = [
    FaultName("latency", ":<time>|:<from>,<to>|:mobile") { arguments in
      if arguments == ["mobile"] { return .latency(.mobileNetwork) }
      let times = arguments.compactMap(Duration.init(typed:))
      guard times.count == arguments.count else { return nil }
      switch times.count {
      case 1: return .latency(times[0])
      case 2 where times[0] <= times[1]: return .latency(.uniform(times[0]...times[1]))
      default: return nil
      }
    } spell: { fault in
      switch fault.effect {
      case .latency(let time):
        return FaultSpelling(typed: "latency:\(time.typed)", swift: ".latency(\(time.swift))")
      case .drawnLatency(.mobileNetwork):
        return FaultSpelling(typed: "latency:mobile", swift: ".latency(.mobileNetwork)")
      case .drawnLatency(let distribution):
        guard let range = distribution.range else { return nil }
        return FaultSpelling(
          typed: "latency:\(range.lowerBound.typed),\(range.upperBound.typed)",
          swift: ".latency(.uniform(\(range.lowerBound.swift)...(\(range.upperBound.swift))))")
      default: return nil
      }
    },
    FaultName("dribble", "[:<bytes>,<pause>]") { arguments in
      if arguments.isEmpty { return .dribble() }
      guard arguments.count == 2, let bytes = Int(arguments[0]), bytes > 0,
        let pause = Duration(typed: arguments[1])
      else { return nil }
      return .dribble(bytes: bytes, pause: pause)
    } spell: { fault in
      guard case .dribble(let bytes, let pause) = fault.effect else { return nil }
      return FaultSpelling(
        typed: "dribble:\(bytes),\(pause.typed)",
        swift: ".dribble(bytes: \(bytes), pause: \(pause.swift))")
    },
  ]

  private static let ofStreams: [FaultName] = [
    FaultName("drop-stream", counting: "events", "dropStream", "afterEvents", Fault.dropStream(afterEvents:)),
    FaultName("end-stream", counting: "events", "endStream", "afterEvents", Fault.endStream(afterEvents:)),
    FaultName(
      "stall-stream", counting: "events", "stallStream", "afterEvents", Fault.stallStream(afterEvents:)),
    FaultName("corrupt-event", counting: "number", "corruptEvent", nil, Fault.corruptEvent),
    FaultName("unterminated-event", "unterminatedEvent", .unterminatedEvent),
    FaultName("duplicate-event", counting: "number", "duplicateEvent", nil, Fault.duplicateEvent),
    FaultName("reorder-event", counting: "number", "reorderEvent", nil, Fault.reorderEvent),
    FaultName("split-characters", "splitCharacters", .splitCharacters),
  ]

  private static let ofWebSockets: [FaultName] = [
    FaultName("close-websocket", "[:<code>,<messages>]") { arguments in
      if arguments.isEmpty { return .closeWebSocket() }
      guard arguments.count == 2, let code = UInt16(arguments[0]), 1000...4999 ~= code,
        let count = Int(arguments[1]), count >= 0
      else { return nil }
      return .closeWebSocket(code: WebSocketClosure.Code(rawValue: code), afterMessages: count)
    } spell: { fault in
      guard case .stream(.close(let code, let count)) = fault.effect else { return nil }
      return FaultSpelling(
        typed: "close-websocket:\(code.rawValue),\(count)",
        swift: """
          .closeWebSocket(code: WebSocketClosure.Code(rawValue: \(code.rawValue)), afterMessages: \(count))
          """)
    },
    FaultName(
      "abort-websocket", counting: "messages", "abortWebSocket", "afterMessages",
      Fault.abortWebSocket(afterMessages:)),
    FaultName("bad-frame", counting: "messages", "badFrame", "afterMessages", Fault.badFrame(afterMessages:)),
  ]
}
