import Foundation
import UnderstudyHTTP

/// The mails of an auth server over HTTP, as the mail catcher of `supabase start` returns them (Mailpit,
/// `internal/storage/structs.go`).
///
/// There it has a port of its own, 54324; here it is under `/api/v1` of the project, without a key.
struct MailCatcher {
  let auth: AuthServer

  func respond(to request: HTTP.Request, _ target: RequestTarget, path: [String]) -> HTTP.Response {
    guard request.method == .get else { return .authNotFound }
    let mails = mails
    switch (path.first, path.dropFirst().first) {
    case ("messages", nil): return list(mails, of: mails.count, target)
    case ("search", nil):
      let address = (target["query"] ?? "").replacing("to:", with: "").filter { $0 != "\"" }.lowercased()
      return list(mails.filter { $0.recipient.contains(address) }, of: mails.count, target)
    case ("message", "latest"?): return mails.first.map { .json(document($0)) } ?? .authNotFound
    case ("message", let id?):
      return mails.first { Self.id(of: $0) == id }.map { .json(document($0)) } ?? .authNotFound
    default: return .authNotFound
    }
  }

  /// The mails, newest first, without text messages.
  private var mails: [AuthMessage] {
    auth.messages.filter { ![.sms, .phoneChange].contains($0.kind) && $0.recipient.contains("@") }.reversed()
  }

  private func list(_ found: [AuthMessage], of count: Int, _ target: RequestTarget) -> HTTP.Response {
    let limit = max(0, target["limit"].flatMap { Int($0) } ?? 50)
    let start = max(0, target["start"].flatMap { Int($0) } ?? 0)
    let shown = found.dropFirst(start).prefix(limit)
    return .json([
      .init("total", .number(String(count))), .init("unread", .number(String(count))),
      .init("messages_count", .number(String(found.count))), .init("start", .number(String(start))),
      .init("tags", .array([])), .init("messages", .array(shown.map { .object(summary($0)) })),
    ])
  }

  private static func id(of mail: AuthMessage) -> String {
    String(mail.tokenHash.replacing(OneTimeToken.exchangePrefix, with: "").prefix(22))
  }

  private func summary(_ mail: AuthMessage) -> [JSONValue.Member] {
    common(mail, dateName: "Created") + [
      .init("Read", .boolean(false)), .init("Attachments", .number("0")),
      .init("Snippet", .string(text(of: mail))),
    ]
  }

  private func document(_ mail: AuthMessage) -> [JSONValue.Member] {
    let link = mail.link?.absoluteString.replacing("&", with: "&amp;") ?? ""
    let html =
      (link.isEmpty ? "" : "<p><a href=\"\(link)\">\(subject(of: mail))</a></p>")
      + "<p>The code is \(mail.code).</p>"
    return common(mail, dateName: "Date") + [
      .init("Text", .string(text(of: mail))), .init("HTML", .string(html)), .init("Inline", .array([])),
      .init("Attachments", .array([])),
    ]
  }

  private func common(_ mail: AuthMessage, dateName: String) -> [JSONValue.Member] {
    func address(_ text: String) -> JSONValue {
      .object([.init("Name", .string("")), .init("Address", .string(text))])
    }
    let id = Self.id(of: mail)
    return [
      .init("ID", .string(id)), .init("MessageID", .string(id + "@understudy")),
      .init("From", address("admin@email.com")), .init("To", .array([address(mail.recipient)])),
      .init("Cc", .array([])), .init("Bcc", .array([])), .init("ReplyTo", .array([])),
      .init("Subject", .string(subject(of: mail))),
      .init(dateName, .string(Timestamp(stored: mail.sentAt).text(separator: "T", offset: "Z"))),
      .init("Tags", .array([])), .init("Username", .string("")),
      .init("Size", .number(String(text(of: mail).utf8.count))),
    ]
  }

  private func subject(of mail: AuthMessage) -> String {
    switch mail.kind {
    case .signup: "Confirm your address"
    case .magicLink: "Sign in"
    case .recovery: "Choose another password"
    case .invite: "Accept the invitation"
    case .emailChange: "Confirm the change of your address"
    case .reauthentication, .sms, .phoneChange: "Confirm that it is you"
    }
  }

  private func text(of mail: AuthMessage) -> String {
    let link = mail.link.map { "\(subject(of: mail)): \($0.absoluteString)\n\n" } ?? ""
    return link + "The code is \(mail.code).\n"
  }
}
