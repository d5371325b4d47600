// The default arguments of this module's functions are the macro #_sourceLocation, which the compiler expands in the
// caller's file. Without the export, a file of XCTest that does not import Testing fails with "no macro named
// '_sourceLocation'".
@_exported public import Testing
