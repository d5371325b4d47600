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
