// What the package uses of Apple's module Darwin, for .ci/apple. The declarations are those of Apple's SDK: values, types
// and availability. Their headers are published in xnu (bsd/), Libc, Libinfo, libpthread and dyld at
// https://github.com/apple-oss-distributions, under the path that is given at each group.

#pragma once

// stdint.h has the same types everywhere. timespec is that of glibc, with the same fields, because Dispatch's module for
// Linux has it too.
#include <stdint.h>
#include <bits/types/struct_timespec.h>

// arm/_types.h, sys/_types.h
typedef unsigned long size_t;
typedef long ssize_t;
typedef int32_t pid_t;
typedef uint16_t mode_t;
typedef uint32_t uid_t;
typedef int64_t off_t;
typedef uint64_t rlim_t;
typedef long time_t;
typedef int32_t suseconds_t;
typedef unsigned long clock_t;
typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef uint32_t in_addr_t;
typedef uint16_t in_port_t;

// Under another C name, because Dispatch's module for Linux has the structure of glibc.
struct __attribute__((swift_name("timeval"))) stand_in_timeval {
  time_t tv_sec;
  suseconds_t tv_usec;
};

// dlfcn.h (dyld, include/)
extern void *dlopen(const char *__path, int __mode);
extern void *dlsym(void *__handle, const char *__symbol);
#define RTLD_LAZY 0x1

// pthread.h (libpthread, include/pthread/), sys/_pthread/_pthread_key_t.h
typedef unsigned long pthread_key_t;
int pthread_key_create(pthread_key_t * _Nonnull, void (* _Nullable)(void * _Nonnull));
void * _Nullable pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void * _Nullable);

// sys/errno.h
extern int *__error(void);
#define ENOENT 2
#define EPERM 1
#define EINTR 4
#define EBADF 9
#define ENOMEM 12
#define EEXIST 17
#define EINVAL 22
#define EMFILE 24
#define EPIPE 32
#define ENAMETOOLONG 63
#define ENOSPC 28
#define EACCES 13
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define EMSGSIZE 40
#define EADDRINUSE 48
#define ECONNABORTED 53
#define ECONNRESET 54
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define EPROTO 100

// sys/fcntl.h. Swift does not import the variadic functions; its overlay has them.
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_CLOEXEC 0x01000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define SEEK_SET 0
#define SEEK_END 2
int flock(int, int);
int fcntl(int, int, ...);
int open(const char *, int, ...);

// unistd.h
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
int close(int);
int dup(int);
int dup2(int, int);
int fsync(int);
int ftruncate(int, off_t);
int link(const char *, const char *);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
unsigned int alarm(unsigned int);
int isatty(int);
off_t lseek(int, off_t, int);
int pipe(int[2]);
int rmdir(const char *);
int unlink(const char *);
pid_t getpid(void);
uid_t geteuid(void);
pid_t getppid(void);
uid_t getuid(void);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);

// stdio.h, stdlib.h, string.h, time.h
typedef struct __sFILE FILE;
extern FILE *__stdinp;
extern FILE *__stdoutp;
extern FILE *__stderrp;
#define stdin __stdinp
#define stdout __stdoutp
#define stderr __stderrp
int fputs(const char *restrict, FILE *restrict);
int fflush(FILE *);
int rename(const char *, const char *);
int setvbuf(FILE *restrict, char *restrict, int, size_t);
#define _IONBF 2
#define _IOLBF 1
void abort(void) __attribute__((noreturn));
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
int atexit(void (*)(void));
void free(void *);
char *getenv(const char *);
char *realpath(const char *restrict, char *restrict);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
char *strdup(const char *);
char *strerror(int);
size_t strlen(const char *);
// Of type clock_t, a name that Dispatch's module for Linux has too.
typedef unsigned long stand_in_clock_t;
#define CLOCKS_PER_SEC ((stand_in_clock_t)1000000)
clock_t clock(void);
double pow(double, double);
double log(double);
double log2(double);
double exp(double);
double sin(double);
double cos(double);
double sqrt(double);

// sys/stat.h. The C names are others than Apple's, because Dispatch's module for Linux has the structure of glibc.
struct __attribute__((swift_name("stat"))) stand_in_stat {
  int32_t st_dev;
  mode_t st_mode;
  uint16_t st_nlink;
  uint64_t st_ino;
  uid_t st_uid;
  uint32_t st_gid;
  int32_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  int64_t st_blocks;
  int32_t st_blksize;
  uint32_t st_flags;
  uint32_t st_gen;
  int32_t st_lspare;
  int64_t st_qspare[2];
};
int stand_in_stat_of(const char *restrict, struct stand_in_stat *restrict)
    __attribute__((swift_name("stat(_:_:)")));
int mkfifo(const char *, mode_t);
int stand_in_fstat(int, struct stand_in_stat *) __attribute__((swift_name("fstat(_:_:)")));

// xlocale.h, xlocale/_regex.h, regex.h
struct _xlocale;
typedef struct _xlocale *locale_t;
#define LC_CTYPE_MASK (1 << 1)
locale_t newlocale(int, const char *, locale_t);
locale_t uselocale(locale_t);
typedef off_t regoff_t;
typedef struct {
  int re_magic;
  size_t re_nsub;
  const char *re_endp;
  struct re_guts *re_g;
} regex_t;
typedef struct {
  regoff_t rm_so;
  regoff_t rm_eo;
} regmatch_t;
#define REG_EXTENDED 0001
#define REG_NOSUB 0004
int regcomp(regex_t *restrict, const char *restrict, int);
size_t regerror(int, const regex_t *restrict, char *restrict, size_t);
int regexec(const regex_t *restrict, const char *restrict, size_t, regmatch_t *restrict, int);
void regfree(regex_t *);

// sys/signal.h, signal.h
#define SIGHUP 1
#define SIGINT 2
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGBUS 10
#define SIGSEGV 11
#define SIGPIPE 13
#define SIGTERM 15
int kill(pid_t, int);
void (*signal(int, void (*)(int)))(int);
int raise(int);
// The C names are others than Apple's, because Dispatch's module for Linux has the structures of glibc.
struct stand_in_siginfo {
  int si_signo;
  int si_errno;
  int si_code;
  pid_t si_pid;
  uid_t si_uid;
  int si_status;
  void *si_addr;
} __attribute__((swift_name("siginfo_t")));
union __sigaction_u {
  void (*__sa_handler)(int);
  void (*__sa_sigaction)(int, struct stand_in_siginfo *, void *);
};
struct __attribute__((swift_name("sigaction"))) stand_in_sigaction {
  union __sigaction_u __sigaction_u;
  uint32_t sa_mask;
  int sa_flags;
};
#define SA_ONSTACK 0x0001
#define SA_SIGINFO 0x0040
int stand_in_sigaction_of(int, const struct stand_in_sigaction *restrict, struct stand_in_sigaction *restrict)
    __attribute__((swift_name("sigaction(_:_:_:)")));
char *strsignal(int);

// sys/mman.h. Swift's overlay has MAP_FAILED.
#define PROT_READ 0x01
#define PROT_WRITE 0x02
#define MAP_SHARED 0x0001
#define MAP_PRIVATE 0x0002
#define MAP_FIXED 0x0010
#define MAP_ANON 0x1000
void *mmap(void *, size_t, int, int, int, off_t);

// sys/ttycom.h
struct winsize {
  unsigned short ws_row;
  unsigned short ws_col;
  unsigned short ws_xpixel;
  unsigned short ws_ypixel;
};

// sys/wait.h
#define WNOHANG 0x00000001
#define WEXITED 0x00000004
#define WNOWAIT 0x00000020
typedef enum { P_ALL, P_PID, P_PGID } idtype_t;
typedef uint32_t id_t;
pid_t waitpid(pid_t, int *, int);
int waitid(idtype_t, id_t, struct stand_in_siginfo *, int);

// sys/resource.h
struct rusage {
  struct stand_in_timeval ru_utime;
  struct stand_in_timeval ru_stime;
  long ru_maxrss;
  long ru_ixrss;
  long ru_idrss;
  long ru_isrss;
  long ru_minflt;
  long ru_majflt;
  long ru_nswap;
  long ru_inblock;
  long ru_oublock;
  long ru_msgsnd;
  long ru_msgrcv;
  long ru_nsignals;
  long ru_nvcsw;
  long ru_nivcsw;
};
struct rlimit {
  rlim_t rlim_cur;
  rlim_t rlim_max;
};
#define RUSAGE_SELF 0
#define RLIMIT_NOFILE 8
int getrusage(int, struct rusage *);
int getrlimit(int, struct rlimit *);
int setrlimit(int, const struct rlimit *);

// spawn.h, sys/spawn.h
typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;
#define STAND_IN_PROHIBITED \
  __attribute__((availability(tvos, unavailable))) __attribute__((availability(watchos, unavailable)))
int posix_spawnp(
    pid_t *restrict, const char *restrict, const posix_spawn_file_actions_t *, const posix_spawnattr_t *restrict,
    char *const argv[restrict], char *const envp[restrict]) STAND_IN_PROHIBITED;
#define POSIX_SPAWN_SETPGROUP 0x0002
int posix_spawnattr_init(posix_spawnattr_t *) STAND_IN_PROHIBITED;
int posix_spawnattr_destroy(posix_spawnattr_t *) STAND_IN_PROHIBITED;
int posix_spawnattr_setflags(posix_spawnattr_t *, short) STAND_IN_PROHIBITED;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *) STAND_IN_PROHIBITED;
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *) STAND_IN_PROHIBITED;
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t *restrict, int, const char *restrict, int, mode_t) STAND_IN_PROHIBITED;
int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *, int, int) STAND_IN_PROHIBITED;

// sys/socket.h
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_ERROR 0x1007
#define SO_NOSIGPIPE 0x1022
#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2
struct linger {
  int l_onoff;
  int l_linger;
};
struct sockaddr {
  uint8_t sa_len;
  sa_family_t sa_family;
  char sa_data[14];
};
struct sockaddr_storage {
  uint8_t ss_len;
  sa_family_t ss_family;
  char __ss_pad1[6];
  int64_t __ss_align;
  char __ss_pad2[112];
};
int accept(int, struct sockaddr *restrict, socklen_t *restrict);
int bind(int, const struct sockaddr *, socklen_t);
int connect(int, const struct sockaddr *, socklen_t);
int getsockname(int, struct sockaddr *restrict, socklen_t *restrict);
int getsockopt(int, int, int, void *restrict, socklen_t *restrict);
int listen(int, int);
ssize_t recv(int, void *, size_t, int);
ssize_t send(int, const void *, size_t, int);
int setsockopt(int, int, int, const void *, socklen_t);
int shutdown(int, int);
int socket(int, int, int);
int socketpair(int, int, int, int *);

// sys/un.h
struct sockaddr_un {
  unsigned char sun_len;
  sa_family_t sun_family;
  char sun_path[104];
};

// arpa/inet.h
int inet_pton(int, const char *, void *);
const char *inet_ntop(int, const void *, char *, socklen_t);

// netinet/in.h, netinet/tcp.h
#define IPPROTO_TCP 6
#define INADDR_LOOPBACK (uint32_t)0x7f000001
#define TCP_NODELAY 0x01
struct in_addr {
  in_addr_t s_addr;
};
struct in6_addr {
  uint8_t __u6_addr8[16];
};
struct sockaddr_in {
  uint8_t sin_len;
  sa_family_t sin_family;
  in_port_t sin_port;
  struct in_addr sin_addr;
  char sin_zero[8];
};
struct sockaddr_in6 {
  uint8_t sin6_len;
  sa_family_t sin6_family;
  in_port_t sin6_port;
  uint32_t sin6_flowinfo;
  struct in6_addr sin6_addr;
  uint32_t sin6_scope_id;
};

// netdb.h
#define NI_NUMERICHOST 0x00000002
#define NI_NUMERICSERV 0x00000008
struct addrinfo {
  int ai_flags;
  int ai_family;
  int ai_socktype;
  int ai_protocol;
  socklen_t ai_addrlen;
  char *ai_canonname;
  struct sockaddr *ai_addr;
  struct addrinfo *ai_next;
};
int getaddrinfo(
    const char *restrict, const char *restrict, const struct addrinfo *restrict, struct addrinfo **restrict);
void freeaddrinfo(struct addrinfo *);
int getnameinfo(
    const struct sockaddr *restrict, socklen_t, char *restrict, socklen_t, char *restrict, socklen_t, int);

// sys/event.h
struct kevent64_s {
  uint64_t ident;
  int16_t filter;
  uint16_t flags;
  uint32_t fflags;
  int64_t data;
  uint64_t udata;
  uint64_t ext[2];
};
#define EVFILT_READ (-1)
#define EVFILT_WRITE (-2)
#define EVFILT_USER (-10)
#define EV_ADD 0x0001
#define EV_CLEAR 0x0020
#define EV_EOF 0x8000
#define NOTE_TRIGGER 0x01000000
int kqueue(void);
int kevent64(
    int, const struct kevent64_s *, int, struct kevent64_s *, int, unsigned int, const struct timespec *);

// stdlib.h
#define EXIT_SUCCESS 0

// sys/poll.h
typedef unsigned int nfds_t;
struct pollfd {
  int fd;
  short events;
  short revents;
};
#define POLLOUT 0x0004
int poll(struct pollfd *, nfds_t, int);

// mach/ (xnu, osfmk/): mach_types.h, mach_init.h, task.h, thread_act.h, thread_info.h, vm_map.h, mach_port.h
typedef int kern_return_t;
typedef int integer_t;
typedef unsigned int natural_t;
typedef natural_t mach_port_name_t;
typedef mach_port_name_t mach_port_t;
typedef mach_port_t task_inspect_t;
typedef mach_port_t ipc_space_t;
typedef mach_port_t vm_map_t;
typedef mach_port_t thread_act_t;
typedef mach_port_t thread_inspect_t;
typedef thread_act_t *thread_act_array_t;
typedef natural_t mach_msg_type_number_t;
typedef natural_t thread_flavor_t;
typedef integer_t *thread_info_t;
typedef uintptr_t vm_address_t;
typedef uintptr_t vm_size_t;
#define KERN_SUCCESS 0
extern mach_port_t mach_task_self_;
mach_port_t mach_thread_self(void);
kern_return_t task_threads(
    task_inspect_t target_task, thread_act_array_t _Nullable * _Nonnull act_list,
    mach_msg_type_number_t * _Nonnull act_listCnt);
kern_return_t thread_info(
    thread_inspect_t target_act, thread_flavor_t flavor, thread_info_t _Nonnull thread_info_out,
    mach_msg_type_number_t * _Nonnull thread_info_outCnt);
kern_return_t mach_port_deallocate(ipc_space_t task, mach_port_name_t name);
kern_return_t vm_deallocate(vm_map_t target_task, vm_address_t address, vm_size_t size);
#define THREAD_BASIC_INFO 3
#define TH_STATE_RUNNING 1
#define TH_STATE_STOPPED 2
#define TH_STATE_WAITING 3
#define TH_STATE_UNINTERRUPTIBLE 4
#define TH_STATE_HALTED 5
typedef struct time_value {
  integer_t seconds;
  integer_t microseconds;
} time_value_t;
struct thread_basic_info {
  time_value_t user_time;
  time_value_t system_time;
  integer_t cpu_usage;
  integer_t policy;
  integer_t run_state;
  integer_t flags;
  integer_t suspend_count;
  integer_t sleep_time;
};
