// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, BeginDocumentationCommentWithOneLineSummary
// On Linux, Foundation re-exports the C library under this name; on Apple platforms it re-exports Darwin. The sources of
// the package do not see this module.

@_exported public import Darwin
internal import SwiftGlibc

public enum POSIXErrorCode: Int32, Hashable, Sendable {
  case EINVAL = 22
  case EPIPE = 32
  case EMSGSIZE = 40
  case ENETDOWN = 50
  case ENETUNREACH = 51
  case ENETRESET = 52
  case ECONNABORTED = 53
  case ECONNRESET = 54
  case ENOTCONN = 57
  case ETIMEDOUT = 60
  case ECONNREFUSED = 61
  case EHOSTDOWN = 64
  case EHOSTUNREACH = 65
}
