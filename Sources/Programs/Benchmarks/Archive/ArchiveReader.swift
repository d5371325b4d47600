import Foundation
import UnderstudyConsole
import UnderstudyRecording

/// A reader that loads a file in a separate process, to measure its memory separately.
enum ArchiveReader: String, CaseIterable {
  case newlines = "newline scan"
  case jsonSerialization = "JSONSerialization"
  case indexedArchive = "IndexedArchive"
  case simdjson = "pysimdjson"

  /// The number of loads per process; reusable objects are reused.
  static let loads = 5

  static let peers: [ArchiveReader] = [.newlines, .jsonSerialization, .simdjson]

  /// The most that the time of `IndexedArchive` may be of this reader's.
  var aim: Double? {
    switch self {
    case .newlines, .indexedArchive: nil
    case .jsonSerialization: 0.5
    case .simdjson: 2
    }
  }

  /// The measurements of a process.
  struct Report {
    /// The median of the loads.
    let milliseconds: Double
    /// The anonymous memory after the first load; `nil` if the system does not report it.
    let megabytes: Double?
  }

  /// Loads a file in a new process.
  func report(_ file: URL) throws -> Report {
    let output: String
    if self == .simdjson {
      let python = try Tool.find(
        "python", module: "simdjson",
        "python3 -m venv .build/interop && .build/interop/bin/pip install pysimdjson")
      output = try Tool.output(python.path, ["-c", Self.script, file.path, "\(Self.loads)"])
    } else {
      output = try Tool.output(Worker.program.path, ["worker", "load", rawValue, file.path])
    }
    func figures(_ name: String) -> [Double] {
      output.split(separator: "\n").filter { $0.hasPrefix(name + " ") }.compactMap {
        Double($0.dropFirst(name.count + 1))
      }
    }
    let seconds = figures("seconds")
    guard seconds.count == Self.loads else {
      throw CommandError("\(rawValue) has printed no durations:\n\(output)")
    }
    // A page at least, so that there is a ratio.
    return Report(
      milliseconds: seconds.median * 1_000,
      megabytes: figures("memory").first.map { max($0, 4) * 1_024 / 1e6 })
  }

  /// Loads a file in this process, and prints the values of a report.
  func run(_ path: String) async throws {
    let before = Self.anonymousMemory
    for number in 0..<Self.loads {
      var document: Any?
      let time = try await processorTime { document = try load(URL(filePath: path)) }
      print("seconds \(time / .seconds(1))")
      withExtendedLifetime(document) {
        if number == 0, let before, let after = Self.anonymousMemory { print("memory \(after - before)") }
      }
    }
  }

  private func load(_ file: URL) throws -> Any {
    switch self {
    case .newlines:
      try Data(contentsOf: file, options: .alwaysMapped).withUnsafeBytes { bytes in
        bytes.reduce(0) { $0 &+ ($1 == 10 ? 1 : 0) }
      }
    case .jsonSerialization: try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    case .indexedArchive: try IndexedArchive(contentsOf: file)
    case .simdjson: throw CommandError("pysimdjson is not in Swift.")
    }
  }

  /// In units of 1,024 bytes, as reported by Linux (`proc_pid_status`).
  private static var anonymousMemory: Double? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
  }

  private static let script = """
    import sys, time, simdjson

    def memory():
        for line in open("/proc/self/status"):
            if line.startswith("RssAnon:"):
                return int(line.split()[1])

    before = memory()
    parser = simdjson.Parser()
    for number in range(int(sys.argv[2])):
        document = None  # The parser refuses to go on while its last document is in use.
        start = time.process_time()
        document = parser.load(sys.argv[1])
        print("seconds", time.process_time() - start)
        if number == 0:
            print("memory", memory() - before)
    """
}
