import Foundation
import UnderstudyRecording

/// A document of exchanges that has one of everything.
enum TodoExchanges {
  static var document: ExchangeDocument {
    get throws { try ExchangeDocument(json: Data(json.utf8)) }
  }

  static let json = #"""
    {"service": "todos", "statement": "Things to do.", "exchanges": [
      {"id": "todos.add.stored", "statement": "One is added.", "given": ["signed in"], "operation": "add",
        "request": {"method": "POST", "path": "/todos", "query": {"by": "pat"},
          "fields": {"key": "{key}", "Authorization": "Bearer {token}", "Content-Type": "application/json"},
          "body": {"title": "Milk", "session": "s-{session id}"}},
        "response": {"status": 201, "fields": {"Content-Type": "application/json; charset=utf-8", "X-Count": "1"},
          "body": {"id": "a0000000-0000-4000-8000-000000000001", "title": "Milk", "at": "2026-01-03T12:00:00+00:00",
            "number": 7, "note": null, "tags": [{"my name": "x"}], "more": {"a": 1}},
          "varies": {"id": "uuid", "at": "timestamp", "number": "number", "tags.0.my name": "text", "more": "members"},
          "ends": "complete"},
        "means": {"result": "todo"}},
      {"id": "todos.add.taken", "statement": "A name is taken.", "given": ["signed in", "milk is there"],
        "operation": "add",
        "request": {"method": "POST", "path": "/todos", "query": {"by": "pat"},
          "fields": {"key": "{key}", "Authorization": "Bearer {token}", "Content-Type": "application/json"},
          "body": {"title": "Milk", "session": "s-{session id}"}},
        "response": {"status": 409, "fields": {"Content-Type": "application/json"},
          "body": {"code": "taken", "hint": null}, "ends": "complete"},
        "means": {"error": "conflict"}},
      {"id": "todos.get.one", "statement": "One is read.", "given": ["signed in", "milk is there"], "operation": "get",
        "request": {"method": "GET", "path": "/todos",
          "query": {"id": "eq.a0000000-0000-4000-8000-000000000001"}, "fields": {"Authorization": "Bearer {token}"}},
        "response": {"status": 200, "fields": {"Content-Type": "application/json"},
          "body": [{"title": "Milk", "note": null}, {"title": "Eggs", "note": "six", "due": "2026-01-03"}],
          "ends": "complete"},
        "means": {"result": "todo"}},
      {"id": "todos.watch.two", "statement": "Two come.", "given": [], "operation": "watch",
        "request": {"method": "GET", "path": "/watch", "fields": {}},
        "response": {"status": 200, "fields": {"Content-Type": "text/event-stream"},
          "chunks": [{"text": "data: {\"id\":1,\"title\":\"Tea (hot)\"}\n\n"},
            {"text": "data: {\"title\":\"Eggs\",\"tags\":[\"x\",2]}\n\n", "pause": 250}],
          "varies": {"0.id": "number"}, "ends": "complete"},
        "means": {"result": "todos"}},
      {"id": "todos.watch.dropped", "statement": "It breaks.", "given": ["the line is bad"], "operation": "watch",
        "request": {"method": "GET", "path": "/watch", "fields": {}},
        "response": {"status": 200, "fields": {"Content-Type": "text/event-stream"},
          "chunks": [{"text": "data: {}\n\n"}], "ends": "dropped"},
        "means": {"error": "lost", "after": 1}},
      {"id": "todos.watch.odd", "statement": "It is odd.", "given": ["the line is odd"], "operation": "watch",
        "request": {"method": "GET", "path": "/watch", "fields": {}},
        "response": {"status": 200, "fields": {"Content-Type": "text/event-stream"},
          "chunks": [{"text": "event: odd\ndata: no {json}\ndata: at all\n\n"}], "ends": "complete"},
        "means": {"error": "unreadable", "after": 0}}]}
    """#
}
