import Foundation
import SharedServices
import SharedServicesForum
import SharedServicesDoubles
import Understudy
import UnderstudyHTTP
import UnderstudyServer
import SharedServicesContracts

/// A forum for one trial, and a way to it over HTTP with an injector before one of its parts.
struct ForumRig: Sendable {
  let backend: TrialForum
  /// The way to the forum.
  let transport: any HTTPTransport
  /// Where the way begins.
  var url = Self.nowhere
  /// The conditions that hold on this way, all but holding calls.
  let provisions: [Provision]
  /// Holds calls on their way.
  let callsAreHeld: Provision
  /// Ends what goes on behind the client.
  var close: @Sendable () async -> Void = {}

  /// A client at the beginning of the way, or of another that leads there.
  func client(over transport: (any HTTPTransport)? = nil) -> HTMLForumsClient {
    HTMLForumsClient(at: url, over: transport ?? self.transport, time: backend.time.time)
  }

  /// A forum that is nowhere on the network (RFC 6761 §6.4).
  static let nowhere = URL(string: "http://forum.invalid") ?? URL(filePath: "/")

  /// The forum in memory, in this process, behind an injector that meddles with its answers.
  static func overEmulator() -> ForumRig {
    let backend = TrialForum()
    let injector = Injector<ForumEmulator>(time: backend.time)
    let handler = injector.intercept(ForumEmulator(backend.forum))
    return ForumRig(
      backend: backend, transport: InProcessTransport(to: handler, time: backend.time.time),
      provisions: backend.provisions + injector.failuresOnTheWay + injector.failuresOfForum,
      callsAreHeld: injector.callsAreHeld)
  }

  /// The forum in memory, behind a transport that injects every failure.
  static func overFaults() -> ForumRig {
    let backend = TrialForum()
    let injector = Injector<InProcessTransport<ForumEmulator>>(time: backend.time)
    let emulator = ForumEmulator(backend.forum, clock: .twentyFourHours)
    let refusals = injector.refusalsOfForum
    let replaced = Set(refusals.map(\.condition))
    return ForumRig(
      backend: backend,
      transport: injector.intercept(InProcessTransport(to: emulator, time: backend.time.time)),
      provisions: backend.provisions.filter { !replaced.contains($0.condition) } + refusals
        + injector.failuresOnTheWay + injector.failuresOfForum,
      callsAreHeld: injector.callsAreHeld)
  }

  /// The forum in memory behind a server's socket, and the platform's own client.
  ///
  /// What only the client's side can know is injected there: that there is no network, that a call has not left yet, and
  /// that time passes in silence, which the platform would measure with its own clock.
  static func overSocket() async throws -> ForumRig {
    let backend = TrialForum()
    let injector = Injector<ForumEmulator>(time: backend.time)
    let server = try await MockServer(ForumEmulator(backend.forum), by: injector.interceptors)
    let client = Injector<URLSessionTransport>(time: backend.time)
    let replacements = [
      client.provision(.offline, .offline), client.provision(.doesNotAnswer, .timeout),
    ]
    let replaced = Set(replacements.map(\.condition))
    let provisions = backend.provisions + injector.failuresOnTheWay + injector.failuresOfForum
    return ForumRig(
      backend: backend, transport: client.intercept(URLSessionTransport()), url: server.url,
      provisions: provisions.filter { !replaced.contains($0.condition) } + replacements,
      callsAreHeld: client.callsAreHeld, close: { await server.close(grace: .zero) })
  }
}

extension Injector {
  /// What goes wrong with a server of pages, beside what happens on the way to it.
  var failuresOfForum: [Provision] {
    [
      // A client that does not look at the status finds no threads here, and nothing wrong.
      provision(.serverFails, .page(Self.emptyList, status: 500)),
      provision(.pageIsUnrecognisable, .page("<html><body><h1>Welcome to the hotel</h1></body></html>")),
      // Whoever closes what is open finds one thread here, and nothing wrong.
      provision(.pageIsCutOff, .page(Self.cutList)),
      tooManyRequests,
    ]
  }

  /// The pages on which the forum says no.
  var refusalsOfForum: [Provision] {
    let words = "We object &mdash; &#8220;politely&#8221;."
    return [
      provision(.readerIsBanned, .page(#"<html><body class="banned">Sorry.</body></html>"#)),
      provision(.databaseIsDown, .page(#"<html><body class="database_error">Sorry.</body></html>"#)),
      provision(
        .threadIsClosed,
        .page(#"<html><body class="standarderror"><p>This thread is closed!</p></body></html>"#)),
      provision(
        .forumObjects,
        operations.map {
          .on(
            $0, .page(#"<html><body class="standarderror"><div class="inner">\#(words)</div></body></html>"#))
        }
      ) { "We object — “politely”." },
    ]
  }

  private static var emptyList: String { "\(listHead)</table></form></body></html>" }

  private static var cutList: String {
    """
    \(listHead)
    <tr class="thread" id="thread101"><td class="star"></td>
    <td class="title"><a class="thread_title" href="showthread.php?threadid=101">Tom</a></td>
    <td class="author"><a href="member.php?userid=7">Robin</a></td><td class="replies">3</td>
    <td class="lastpost"><div class="date">12:00 Feb 29, 2024</div><a class="author" href="/">Kim</a></td></tr>
    <tr class="thread" id="thread109"><td class="star bm1"></td>
    """
  }

  private static var listHead: String {
    """
    <html><body data-forum="26"><div class="breadcrumbs"></div>
    <div class="pages" data-current-page="1" data-total-pages="1"></div>
    <form name="bookmarks"><table id="forum">
    """
  }
}

extension Fault {
  /// A page in place of the forum's own.
  fileprivate static func page(_ html: String, status: Int = 200) -> Fault {
    .status(
      status, fields: ["Content-Type": "text/html; charset=windows-1252"], body: Data(windows1252: html))
  }
}
