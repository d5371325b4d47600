// What Swift's and Foundation's modules for Linux need of the C library. The sources of the package do not see it.
#include <math.h>
#include <string.h>
void free(void *);
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
