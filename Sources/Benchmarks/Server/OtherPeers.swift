import Foundation

/// nginx with one worker, and the response in a file that it keeps open.
enum NginxPeer {
  static func peer(_ folder: URL) throws -> Peer {
    let program = try Tool.find("nginx", "apt-get install nginx-light")
    let file = folder.appendingPathComponent("www" + Payload.path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Payload.json.write(to: file)
    return Peer(name: "nginx", program: program) { port in
      // Without a log and a limit of requests per connection, which would slow it down. `sendfile` is off, because it
      // takes one more system call, which is slower for a small file.
      let settings = """
        daemon off; master_process off; pid \(folder.path)/nginx.pid; error_log stderr crit;
        worker_rlimit_nofile 8192;
        events { worker_connections 4096; }
        http {
          access_log off; keepalive_requests 1000000000; sendfile off; open_file_cache max=10;
          default_type application/json;
          client_body_temp_path \(folder.path)/body; proxy_temp_path \(folder.path)/proxy;
          fastcgi_temp_path \(folder.path)/fastcgi; uwsgi_temp_path \(folder.path)/uwsgi;
          scgi_temp_path \(folder.path)/scgi;
          server { listen 127.0.0.1:\(port) backlog=4096; root \(folder.path)/www; }
        }
        """
      let file = folder.appendingPathComponent("nginx.conf")
      try? Data(settings.utf8).write(to: file)
      return ["-p", folder.path, "-c", file.path]
    }
  }
}

/// Go's net/http with its own router and its default number of threads.
enum GoPeer {
  static func peer(_ folder: URL) throws -> Peer {
    let go = try Tool.find("go", "apt-get install golang-go")
    let (source, program) = (
      folder.appendingPathComponent("main.go"), folder.appendingPathComponent("server")
    )
    try Data(text.utf8).write(to: source)
    _ = try Tool.output(go.path, ["build", "-o", program.path, source.path], in: folder)
    return Peer(name: "Go net/http", program: program) { ["127.0.0.1:\($0)"] }
  }

  private static let text = """
    package main

    import (
    	"log"
    	"net/http"
    	"os"
    )

    func main() {
    	body := []byte(`\(Payload.text)`)
    	http.HandleFunc("/todos/", func(writer http.ResponseWriter, request *http.Request) {
    		writer.Header().Set("Content-Type", "application/json")
    		writer.Write(body)
    	})
    	log.Fatal(http.ListenAndServe(os.Args[1], nil))
    }
    """
}

/// mitmproxy, which replays the response from a recording.
enum MitmproxyPeer {
  static func peer(_ folder: URL) throws -> Peer {
    let program = try Tool.find(
      "mitmdump", "python3 -m venv .build/interop && .build/interop/bin/pip install mitmproxy")
    let file = folder.appendingPathComponent("recording.har")
    try JSONSerialization.data(withJSONObject: recording).write(to: file)
    return Peer(name: "mitmproxy", program: program) { port in
      [
        "--quiet", "--listen-host", "127.0.0.1", "--listen-port", "\(port)", "--server-replay", file.path,
        // It never connects to an upstream server: port 9 is unused.
        "--mode", "reverse:http://127.0.0.1:9", "--set", "connection_strategy=lazy",
        "--set", "server_replay_extra=404", "--set", "server_replay_reuse=true",
        "--set", "server_replay_ignore_host=true", "--set", "server_replay_ignore_port=true",
      ]
    }
  }

  /// The exchange as an HTTP archive.
  private static var recording: [String: Any] {
    let request: [String: Any] = [
      "method": "GET", "url": "http://127.0.0.1:9\(Payload.path)", "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": [], "queryString": [], "headersSize": -1, "bodySize": 0,
    ]
    let response: [String: Any] = [
      "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [], "redirectURL": "",
      "headers": [
        ["name": "Content-Type", "value": "application/json"], ["name": "Content-Length", "value": "1024"],
      ],
      "content": ["size": 1_024, "mimeType": "application/json", "text": Payload.text],
      "headersSize": -1, "bodySize": 1_024,
    ]
    let entry: [String: Any] = [
      "startedDateTime": "2025-01-01T00:00:00.000Z", "time": 1, "request": request, "response": response,
      "cache": [:] as [String: Any], "timings": ["send": 0, "wait": 1, "receive": 0],
    ]
    return [
      "log": ["version": "1.2", "creator": ["name": "benchmarks", "version": "1"], "entries": [entry]]
    ]
  }
}
