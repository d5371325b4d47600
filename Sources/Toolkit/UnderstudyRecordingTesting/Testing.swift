// See the file of this name in UnderstudyTesting: a file that does not import Testing has the macro of the default
// arguments only by this export.
@_exported public import Testing
