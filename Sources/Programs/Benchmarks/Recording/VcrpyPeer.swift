import Foundation
import UnderstudyConsole

/// vcrpy, which keeps all exchanges in memory and writes its cassette at the end.
enum VcrpyPeer {
  /// Measures the processor time per exchange in microseconds, without sending.
  static func measure(_ count: Int, in folder: URL) throws -> Double {
    let python = try Tool.find(
      "python", module: "vcr", "python3 -m venv .build/interop && .build/interop/bin/pip install vcrpy")
    let text = try Tool.output(
      python.path, ["-c", script, "\(count)", folder.appending(path: "cassette.yaml").path])
    guard let figure = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw CommandError("The output of vcrpy is not a number: \(text)")
    }
    return figure
  }

  private static let script = """
    import sys, time
    from vcr.cassette import Cassette
    from vcr.filters import replace_headers
    from vcr.request import Request

    count, path = int(sys.argv[1]), sys.argv[2]
    text = "What was said, word for word. " * 40
    def request(number):
        return Request("POST", f"https://api.example/rest/v1/children?select=*&id=eq.{number}",
            '{"number":%d,"text":"%s"}' % (number, text),
            {"Authorization": "Bearer session-token-of-the-benchmark", "apikey": "project-key-of-the-benchmark",
             "Content-Type": "application/json", "Accept": "application/json", "X-Number": str(number)})
    def response(number):
        rows = ",".join('{"id":"a0000000-0000-4000-8000-%d","name":"Mia %d","age":%d,"goals":["sleep","friends"],'
            '"created_at":"2026-01-03T12:00:00+00:00"}' % (100000000000 + number * 10 + row, row, row)
            for row in range(10))
        return {"status": {"code": 200, "message": "OK"}, "headers": {"Content-Type": ["application/json"]},
            "body": {"string": ('{"rows":[%s]}' % rows).encode()}}
    exchanges = [(request(number), response(number)) for number in range(count)]
    hide = lambda request: replace_headers(request, [("Authorization", "x"), ("apikey", "x")])
    start = time.process_time()
    cassette = Cassette(path, before_record_request=hide)
    for request, response in exchanges:
        cassette.append(request, response)
    cassette._save()
    print((time.process_time() - start) * 1e6 / count)
    """
}
