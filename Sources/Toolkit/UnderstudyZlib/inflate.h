// The system's zlib, and what of it Swift cannot import: a macro with the version.

#if !__has_include(<zlib.h>)
#error "UnderstudyRecording needs zlib. Install it: apt-get install zlib1g-dev, or .ci/setup does."
#endif

#include <zlib.h>

// `windowBits` is -15 for raw deflate, and 47 for zlib or gzip, whichever the header shows.
static inline int czlib_inflate_begin(z_stream *stream, int windowBits) {
  return inflateInit2(stream, windowBits);
}
