// The header of glibc does not compile without GCC's types.
#include <math.h>
