import Understudy
import UnderstudyConsole
import UnderstudyHTTP
import UnderstudySupabase

/// `serve`: serves a backend over HTTP, for clients in any language, until it is stopped.
struct ServeCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var options = ServeOptions()
    var reader = OptionReader(words, of: "\(tool.name) serve")
    var files: SchemaFiles?
    var project = ProjectOptions()
    while let option = try reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      case "--schema":
        guard files == nil else { throw CommandError("--schema can be given only once.") }
        files = try SchemaFiles(try reader.value())
      case "--lenient": project.isLenient = true
      case "--anon-key": project.anonKey = try reader.value()
      case "--service-key": project.serviceKey = try reader.value()
      case "--jwt-secret": project.jwtSecret = try reader.value()
      case "--confirm-email": project.confirmsEmail = true
      case "--anonymous-sign-ins": project.allowsAnonymousSignIns = true
      case "--phone": project.allowsPhones = true
      case "--redirect-url": project.redirectURLs.append(try reader.value())
      default:
        guard try options.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    guard files != nil || project == ProjectOptions() else {
      throw CommandError("The options of a Supabase project, such as --anon-key, require --schema.")
    }
    var backend = tool.serving
    if let files { backend = try .schema(files, project, time: tool.environment.time) }
    guard let backend else {
      throw CommandError("serve requires --schema. See \(tool.name) serve --help.")
    }
    return try await BackendServer(environment: tool.environment, options: options)
      .run(backend, console: console)
  }

  private var usage: String {
    """
    usage: \(tool.name) serve [--schema <path>] [--lenient] [--anon-key <key>] [--service-key <key>] [--jwt-secret <secret>]
                            [--confirm-email] [--anonymous-sign-ins] [--phone] [--redirect-url <pattern>] …
                            [--fault <rule>] … [--port <n>] [--seed <n>]

    Serve a backend over HTTP on 127.0.0.1 until it is stopped with Ctrl-C
    (default: \(tool.serving?.title ?? "none; --schema is required")).
    The first line of the output is the address. A line for each request follows, and a summary at the end.

      --schema <path>     A Supabase project in memory of an SQL file, or of a folder with migrations/*.sql and
                          seed.sql as the Supabase CLI makes it. Of config.toml in the folder, the schemas and
                          max_rows of [api] and the settings of [auth] are used; options add to them.
      --lenient           Leave out statements that are not understood or fail, and list them.
      --anon-key <key>    The key of clients (default: anon-key).
      --service-key <key> The key of the backend (default: service-key).
      --jwt-secret <secret>
                          The secret of tokens (default: that of supabase start). A token of the role anon or
                          service_role that is signed with it is a key too, so the keys of supabase start work.
      --confirm-email     Confirm a new address with a mail. Mails are at /api/v1/messages, as in Mailpit.
      --anonymous-sign-ins
                          Allow users without an address.
      --phone             Allow phone numbers.
      --redirect-url <pattern>
                          Allow the links of mails to lead there too, such as "app://**"; can be repeated.
    \(ServeOptions.usage(example: "\(tool.name) serve --schema schema.sql --fault 'POST /rest/v1/todos conflict'"))
    """
  }
}

/// The keys and the settings of a served Supabase project.
struct ProjectOptions: Sendable, Equatable {
  var anonKey = "anon-key"
  var serviceKey = "service-key"
  var jwtSecret: String?
  var confirmsEmail = false
  var allowsAnonymousSignIns = false
  var allowsPhones = false
  var redirectURLs: [String] = []
  var isLenient = false

  /// Returns the settings of a project's file with what the options add.
  func settings(_ file: AuthSettings) -> AuthSettings {
    var settings = file
    if confirmsEmail { settings.confirmsEmail = true }
    if allowsAnonymousSignIns { settings.allowsAnonymousSignIns = true }
    if allowsPhones { settings.allowsPhones = true }
    settings.redirectURLs += redirectURLs
    return settings
  }
}

/// The options of `serve`, `replay` and `record`.
struct ServeOptions: Sendable {
  var rules: [FaultPlan<AnyHandler>.Rule] = []
  var port: UInt16 = 0
  var seed: UInt64 = 1

  /// Reads the current option, if it is one of these.
  ///
  /// - Returns: Whether it is one of these.
  mutating func take(_ option: String, from reader: inout OptionReader) throws(CommandError) -> Bool {
    switch option {
    case "--fault": rules.append(try Self.rule(try reader.value()))
    case "--port": port = try reader.number(upTo: 65_535)
    case "--seed": seed = try reader.number()
    default: return false
    }
    return true
  }

  private static func rule(_ text: String) throws(CommandError) -> FaultPlan<AnyHandler>.Rule {
    let rule: FaultPlan<AnyHandler>.Rule
    do {
      rule = try FaultPlan.Rule(parsing: text)
    } catch {
      throw CommandError("--fault \"\(text)\": \(error.description)")
    }
    // Nothing on the wire corresponds to it.
    guard rule.fault != .cancelled else {
      throw CommandError(
        """
        --fault "\(text)": only a client can cancel its call; write timeout, so that it can cancel the waiting call, or \
        connection-lost.
        """)
    }
    return rule
  }

  /// The faults that a server can inject, with their parameters.
  private static var faultNames: [String] { Fault.typedNames.filter { $0 != Fault.cancelled.typedName } }

  /// Returns the description of the options, and an example, for the help of a command.
  static func usage(example: String) -> String {
    """
      --fault <rule>      Inject a fault on the socket. Can be repeated; the first rule that matches wins.
                          [METHOD] [/path] [call=2|calls=2-4|calls=3-|every=10|probability=0.1] <fault>
      --port <n>          The port (default: any free port).
      --seed <n>          The seed of the probabilities of rules, a whole number from 0 (default: 1).
      --help              Show this help.

    Faults:

      \(HelpText.list(faultNames, indentation: 2, width: 102))

    timeout, answer-lost and stall-stream keep the connection open without an answer: give the client a timeout.
    connection-refused, offline and host-not-found at every request mean that the server does not listen; at some of
    them, that it resets the connection.

    Example: \(example)

    Exit status: 0 when it is stopped, 2 if the arguments or a file are invalid, the port is in use or the output cannot
    be written.
    """
  }
}
