// SQLite as the system has it, and what of it Swift cannot import.
#include <sqlite3.h>

// SQLITE_TRANSIENT, which makes SQLite copy the text, is a cast.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
  return sqlite3_bind_text64(statement, index, text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
