/// `serve`: a backend on a socket, for clients in any language, until it is stopped.
struct ServeCommand {
  let tool: CommandLineTool

  func run(_ words: [String], console: Console) async throws(CommandError) -> Int32 {
    var options = ServeOptions()
    var reader = OptionReader(words, of: "\(tool.name) serve")
    var named: ServedBackend?
    while let option = reader.next() {
      switch option {
      case "--help", "-h":
        try console.write(usage)
        return 0
      case "--schema":
        guard named == nil else { throw CommandError("--schema can be given only once.") }
        named = try .schema(try InputFile(try reader.value()), time: tool.surroundings.time)
      default:
        guard try options.take(option, from: &reader) else { throw reader.unknownOption }
      }
    }
    guard let backend = named ?? tool.serving else {
      throw CommandError("serve requires --schema. See \(tool.name) serve --help.")
    }
    return try await BackendServer(surroundings: tool.surroundings, options: options)
      .run(backend, console: console)
  }

  private var usage: String {
    """
    usage: \(tool.name) serve [--schema <file.sql>] [--fault <rule>] … [--port <n>] [--seed <n>]

    Serves a backend over HTTP on 127.0.0.1 until it is stopped with Ctrl-C: \(tool.serving?.title ?? "a file").
    The first line is its address; then comes a line for each request, and in the end a summary.

      --schema <file.sql> A Supabase project in memory with the tables, constraints and policies of the file.
    \(ServeOptions.usage)
    """
  }
}
