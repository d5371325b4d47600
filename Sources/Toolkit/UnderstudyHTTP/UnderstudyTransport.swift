// Whoever tests over HTTP uses the values of the transport in each line, so one import brings both. The attribute is
// not official, but it is the only way, and the standard library's own modules use it.
@_exported public import UnderstudyTransport
public import Understudy

extension TimeoutError: TransportFailure {
  package var transportError: TransportError { TransportError(.timedOut, description) }
}
