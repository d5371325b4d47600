import Foundation
import UnderstudyTransport

/// The catalogue by names that people can type: `conflict`, `drop-stream:3`, `latency:200ms`.
struct FaultName: Sendable {
  let name: String
  /// What may follow the name behind a colon, as it stands in a usage text; empty if nothing may.
  let parameters: String
  /// `nil` if the arguments are not what it takes.
  private let make: @Sendable ([Substring]) -> Fault?

  private init(_ name: String, _ parameters: String, _ make: @escaping @Sendable ([Substring]) -> Fault?) {
    self.name = name
    self.parameters = parameters
    self.make = make
  }

  private init(_ name: String, _ fault: Fault) {
    self.init(name, "") { $0.isEmpty ? fault : nil }
  }

  /// A fault that happens after so many bytes or events, or at one.
  private init(_ name: String, counting what: String, _ fault: @escaping @Sendable (Int) -> Fault) {
    self.init(name, "[:<\(what)>]") { arguments in
      guard let first = arguments.first else { return fault(1) }
      guard arguments.count == 1, let count = Int(first), count >= 0 else { return nil }
      return fault(count)
    }
  }

  func fault(_ arguments: [Substring]) -> Fault? { make(arguments) }

  static let all: [FaultName] = [
    FaultName("status", ":<200–599>") { arguments in
      guard arguments.count == 1, let status = Int(arguments[0]), 200...599 ~= status else { return nil }
      return .status(status)
    },
    FaultName("unauthorized", .unauthorized), FaultName("forbidden", .forbidden),
    FaultName("not-found", .notFound), FaultName("not-acceptable", .notAcceptable),
    FaultName("conflict", .conflict), FaultName("unprocessable", .unprocessable),
    FaultName("rate-limited", "[:<retry after>]") { arguments in
      guard let first = arguments.first else { return .rateLimited(retryAfter: nil) }
      guard arguments.count == 1, let delay = Duration(typed: first) else { return nil }
      return .rateLimited(retryAfter: delay)
    },
    FaultName("server-error", .serverError), FaultName("unavailable", .unavailable),
    FaultName("gateway-timeout", .gatewayTimeout),
    FaultName("timeout", .timeout), FaultName("offline", .offline),
    FaultName("host-not-found", .hostNotFound),
    FaultName("connection-refused", .connectionRefused), FaultName("connection-reset", .connectionReset),
    FaultName("cancelled", .cancelled),
    FaultName("answer-lost", .answerLost), FaultName("empty-reply", .emptyReply),
    FaultName("timeout-in-body", counting: "bytes", Fault.timeoutInBody(afterBytes:)),
    FaultName("truncated-body", counting: "bytes", Fault.truncatedBody(afterBytes:)),
    FaultName("truncated-chunk", counting: "bytes", Fault.truncatedChunk(afterBytes:)),
    FaultName("reset-in-body", counting: "bytes", Fault.resetInBody(afterBytes:)),
    FaultName("malformed-chunk", counting: "bytes", Fault.malformedChunk(afterBytes:)),
    FaultName("malformed-json", .malformedJSON), FaultName("garbage", .garbage),
    FaultName("broken-gzip", .brokenGzip), FaultName("redirect-loop", .redirectLoop),
    FaultName("latency", ":<time>|:<from>,<to>|:mobile") { arguments in
      if arguments == ["mobile"] { return .latency(.mobileNetwork) }
      let times = arguments.compactMap(Duration.init(typed:))
      guard times.count == arguments.count else { return nil }
      switch times.count {
      case 1: return .latency(times[0])
      case 2 where times[0] <= times[1]: return .latency(.uniform(times[0]...times[1]))
      default: return nil
      }
    },
    FaultName("dribble", "[:<bytes>,<pause>]") { arguments in
      if arguments.isEmpty { return .dribble() }
      guard arguments.count == 2, let bytes = Int(arguments[0]), bytes > 0,
        let pause = Duration(typed: arguments[1])
      else { return nil }
      return .dribble(bytes: bytes, pause: pause)
    },
    FaultName("drop-stream", counting: "events", Fault.dropStream(afterEvents:)),
    FaultName("end-stream", counting: "events", Fault.endStream(afterEvents:)),
    FaultName("stall-stream", counting: "events", Fault.stallStream(afterEvents:)),
    FaultName("corrupt-event", counting: "number", Fault.corruptEvent),
    FaultName("unterminated-event", .unterminatedEvent),
    FaultName("duplicate-event", counting: "number", Fault.duplicateEvent),
    FaultName("reorder-event", counting: "number", Fault.reorderEvent),
    FaultName("split-characters", .splitCharacters),
    FaultName("close-websocket", "[:<code>,<messages>]") { arguments in
      if arguments.isEmpty { return .closeWebSocket() }
      guard arguments.count == 2, let code = UInt16(arguments[0]), 1000...4999 ~= code,
        let count = Int(arguments[1]), count >= 0
      else { return nil }
      return .closeWebSocket(code: WebSocketClosure.Code(rawValue: code), afterMessages: count)
    },
    FaultName("abort-websocket", counting: "messages", Fault.abortWebSocket(afterMessages:)),
    FaultName("bad-frame", counting: "messages", Fault.badFrame(afterMessages:)),
  ]
}

extension Duration {
  /// A time as people type it: `200ms`, `1.5s`, `2min`.
  init?(typed text: Substring) {
    let number = text.prefix { $0.isNumber || $0 == "." }
    guard let amount = Double(number), amount.isFinite, amount < 1_000_000_000 else { return nil }
    switch text.dropFirst(number.count) {
    case "ms": self = .seconds(amount / 1000)
    case "s": self = .seconds(amount)
    case "min": self = .seconds(amount * 60)
    default: return nil
    }
  }
}
