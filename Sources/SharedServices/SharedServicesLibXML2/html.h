// What the forum's client needs of libxml2, where the platform's SDK has no module of it.

#if !__has_include(<libxml/HTMLparser.h>)
#error "SharedServicesForum needs libxml2. Install it: apt-get install libxml2-dev, or .ci/setup does."
#endif

// A libxml2 that was built with ICU declares ICU's types, and Foundation has its own of the same names. They only
// matter to somebody who writes a decoder for libxml2.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
