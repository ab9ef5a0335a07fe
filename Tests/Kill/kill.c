/* Ends a program, and all that it started, before its n-th change of the disk: loaded into it by LD_PRELOAD.
 *
 * KILL_COUNT names a file whose first eight bytes count the changes of all processes together. With KILL_AT=n, the n-th
 * change is not made and the whole process group ends. With KILL_POWER=1 the power fails as well: what any of them wrote
 * to a file and did not flush since is lost, and the file is empty. Changes by the C library's own streams are not seen.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define FILES 64

/* What all processes of one run share. */
static struct shared {
    long count;
    char unflushed[FILES][PATH_MAX];
} *shared;
static long at;
static int power;

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("KILL_COUNT");
    if (!file) return;
    at = getenv("KILL_AT") ? atol(getenv("KILL_AT")) : 0;
    power = getenv("KILL_POWER") != NULL;
    int descriptor = REAL(open)(file, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0 || REAL(ftruncate)(descriptor, sizeof *shared) < 0) return;
    void *memory = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory != MAP_FAILED) shared = memory;
    close(descriptor);
}

static void change(void) {
    if (!shared) return;
    long number = __atomic_add_fetch(&shared->count, 1, __ATOMIC_SEQ_CST);
    if (!at || number < at) return;
    for (int i = 0; power && i < FILES; i++)
        if (shared->unflushed[i][0]) REAL(truncate)(shared->unflushed[i], 0);
    kill(0, SIGKILL);
    pause();
}

static int is_file(int descriptor, char *path) {
    char link[64];
    struct stat info;
    if (!shared || fstat(descriptor, &info) < 0 || !S_ISREG(info.st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

static void written(int descriptor) {
    char path[PATH_MAX];
    if (!is_file(descriptor, path)) return;
    change();
    int free = -1;
    for (int i = 0; i < FILES; i++) {
        if (!strcmp(shared->unflushed[i], path)) return;
        if (free < 0 && !shared->unflushed[i][0]) free = i;
    }
    if (free >= 0) strcpy(shared->unflushed[free], path);
}

static void flushed(int descriptor) {
    char path[PATH_MAX];
    if (!is_file(descriptor, path)) return;
    for (int i = 0; i < FILES; i++)
        if (!strcmp(shared->unflushed[i], path)) shared->unflushed[i][0] = 0;
}

/* A file that is moved before it was flushed is lost under its new name. */
static void moved(const char *from, const char *to) {
    char old[PATH_MAX], new[PATH_MAX];
    if (!shared || !realpath(from, old)) return;
    change();
    char *slash = strrchr(to, '/');
    char directory[PATH_MAX] = ".";
    if (slash) snprintf(directory, sizeof directory, "%.*s", (int)(slash - to), to);
    if (!realpath(directory, new)) return;
    snprintf(new + strlen(new), sizeof new - strlen(new), "/%s", slash ? slash + 1 : to);
    for (int i = 0; i < FILES; i++)
        if (!strcmp(shared->unflushed[i], old)) strcpy(shared->unflushed[i], new);
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
    written(descriptor);
    return REAL(write)(descriptor, bytes, length);
}
ssize_t writev(int descriptor, const struct iovec *parts, int number) {
    written(descriptor);
    return REAL(writev)(descriptor, parts, number);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
    written(descriptor);
    return REAL(pwrite64)(descriptor, bytes, length, offset);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
    written(descriptor);
    return REAL(pwrite)(descriptor, bytes, length, offset);
}
int ftruncate(int descriptor, off_t length) {
    change();
    return REAL(ftruncate)(descriptor, length);
}
int ftruncate64(int descriptor, off64_t length) {
    change();
    return REAL(ftruncate64)(descriptor, length);
}
int fsync(int descriptor) {
    flushed(descriptor);
    return REAL(fsync)(descriptor);
}
int fdatasync(int descriptor) {
    flushed(descriptor);
    return REAL(fdatasync)(descriptor);
}
static int creates(const char *path, int flags) {
    if (shared && flags & O_CREAT && strncmp(path, "/dev/", 5)) change();
    return flags & (O_CREAT | __O_TMPFILE);
}
#define OPENS(name)                                \
    int name(const char *path, int flags, ...) {   \
        mode_t mode = 0;                           \
        if (creates(path, flags)) {                \
            va_list rest;                          \
            va_start(rest, flags);                 \
            mode = va_arg(rest, mode_t);           \
            va_end(rest);                          \
        }                                          \
        return REAL(name)(path, flags, mode);      \
    }
OPENS(open)
OPENS(open64)
int rename(const char *from, const char *to) {
    moved(from, to);
    return REAL(rename)(from, to);
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    change();
    return REAL(renameat2)(a, from, b, to, flags);
}
int link(const char *from, const char *to) {
    change();
    return REAL(link)(from, to);
}
int unlink(const char *path) {
    change();
    return REAL(unlink)(path);
}
int unlinkat(int directory, const char *path, int flags) {
    change();
    return REAL(unlinkat)(directory, path, flags);
}
int remove(const char *path) {
    change();
    return REAL(remove)(path);
}
int rmdir(const char *path) {
    change();
    return REAL(rmdir)(path);
}
int mkdir(const char *path, mode_t mode) {
    change();
    return REAL(mkdir)(path, mode);
}
