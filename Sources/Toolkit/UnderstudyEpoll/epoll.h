// What the event loop needs of Linux and Swift's own module of the C library does not offer.
#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif
