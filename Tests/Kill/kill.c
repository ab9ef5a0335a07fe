/* Ends a program, and all that it started, before its n-th change of the disk: loaded into it by LD_PRELOAD.
 *
 * KILL_COUNT names a file whose first eight bytes count the changes of all processes together. With KILL_AT=n, the n-th
 * change is not made and the whole process group ends. With KILL_POWER=1 the power fails as well: what any of them wrote
 * to a file, or into memory that stands for one, and did not flush since is lost, and the file is empty. Names stay: a
 * rename is not undone that no flush of the directory made durable. Of the C library's own streams only the opening is
 * seen; permissions and times do not count.
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
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define FILES 512

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
    void *memory = REAL(mmap)(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
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

/* What a program prints is no change, wherever it goes. */
static int is_file(int descriptor, char *path) {
    char link[64];
    struct stat info;
    if (!shared || descriptor <= STDERR_FILENO || fstat(descriptor, &info) < 0 || !S_ISREG(info.st_mode)) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

static void lose(const char *path) {
    int free = -1;
    for (int i = 0; i < FILES; i++) {
        if (!strcmp(shared->unflushed[i], path)) return;
        if (free < 0 && !shared->unflushed[i][0]) free = i;
    }
    if (free >= 0) strcpy(shared->unflushed[free], path);
}

static void keep(const char *path) {
    for (int i = 0; i < FILES; i++)
        if (!strcmp(shared->unflushed[i], path)) shared->unflushed[i][0] = 0;
}

static void written(int descriptor) {
    char path[PATH_MAX];
    if (!is_file(descriptor, path)) return;
    change();
    lose(path);
}

static void flushed(int descriptor) {
    char path[PATH_MAX];
    if (is_file(descriptor, path)) keep(path);
}

/* The whole path of a name that need not be there; 0 when its directory is not. */
static int whole(const char *path, char *result) {
    char directory[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    if (slash == path) strcpy(directory, "/");
    else if (slash) snprintf(directory, sizeof directory, "%.*s", (int)(slash - path), path);
    if (!realpath(directory, result)) return 0;
    size_t length = strlen(result);
    return snprintf(result + length, PATH_MAX - length, "/%s", slash ? slash + 1 : path) < (int)(PATH_MAX - length);
}

/* What stands behind a directory's path in another one's; NULL when it is not in there. */
static const char *below(const char *path, const char *directory) {
    size_t length = strlen(directory);
    if (strncmp(path, directory, length) || (path[length] && path[length] != '/')) return NULL;
    return path + length;
}

static void follow(int i, const char *rest, const char *to) {
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s%s", to, rest) < (int)sizeof path) strcpy(shared->unflushed[i], path);
}

/* A file that is moved before it was flushed is lost under its new name, and so is each in a directory. */
static void moved(const char *from, const char *to, int exchange) {
    char old[PATH_MAX], new[PATH_MAX];
    if (!shared) return;
    change();
    if (!whole(from, old) || !whole(to, new)) return;
    for (int i = 0; i < FILES; i++) {
        const char *rest;
        if (!shared->unflushed[i][0]) continue;
        if ((rest = below(shared->unflushed[i], old))) follow(i, rest, new);
        else if ((rest = below(shared->unflushed[i], new))) {
            if (exchange) follow(i, rest, old);
            else shared->unflushed[i][0] = 0;
        }
    }
}

static void linked(const char *from, const char *to) {
    char old[PATH_MAX], new[PATH_MAX];
    if (!shared) return;
    change();
    if (!whole(from, old) || !whole(to, new)) return;
    for (int i = 0; i < FILES; i++)
        if (!strcmp(shared->unflushed[i], old)) {
            lose(new);
            return;
        }
}

static void removed(const char *path) {
    char old[PATH_MAX];
    if (!shared) return;
    change();
    if (whole(path, old)) keep(old);
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
#define OPENS_AT(name)                                            \
    int name(int directory, const char *path, int flags, ...) {   \
        mode_t mode = 0;                                          \
        if (creates(path, flags)) {                               \
            va_list rest;                                         \
            va_start(rest, flags);                                \
            mode = va_arg(rest, mode_t);                          \
            va_end(rest);                                         \
        }                                                         \
        return REAL(name)(directory, path, flags, mode);          \
    }
OPENS_AT(openat)
OPENS_AT(openat64)
#define OPENS_STREAM(name)                                                            \
    FILE *name(const char *path, const char *mode) {                                  \
        char file[PATH_MAX];                                                          \
        if (shared && *mode != 'r' && strncmp(path, "/dev/", 5)) {                    \
            change();                                                                 \
            if (whole(path, file)) lose(file);                                        \
        }                                                                             \
        return REAL(name)(path, mode);                                                \
    }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)
/* What is written into such memory is not seen, and is lost unless the file is flushed afterwards. */
static void mapped(int protection, int flags, int descriptor) {
    if (protection & PROT_WRITE && flags & MAP_SHARED && descriptor >= 0) written(descriptor);
}
void *mmap(void *place, size_t length, int protection, int flags, int descriptor, off_t offset) {
    mapped(protection, flags, descriptor);
    return REAL(mmap)(place, length, protection, flags, descriptor, offset);
}
void *mmap64(void *place, size_t length, int protection, int flags, int descriptor, off64_t offset) {
    mapped(protection, flags, descriptor);
    return REAL(mmap64)(place, length, protection, flags, descriptor, offset);
}
ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *place, size_t length, unsigned flags) {
    written(to);
    return REAL(copy_file_range)(from, start, to, place, length, flags);
}
ssize_t sendfile(int to, int from, off_t *start, size_t length) {
    written(to);
    return REAL(sendfile)(to, from, start, length);
}
int posix_fallocate(int descriptor, off_t start, off_t length) {
    written(descriptor);
    return REAL(posix_fallocate)(descriptor, start, length);
}
int truncate(const char *path, off_t length) {
    change();
    return REAL(truncate)(path, length);
}
int rename(const char *from, const char *to) {
    moved(from, to, 0);
    return REAL(rename)(from, to);
}
int renameat(int a, const char *from, int b, const char *to) {
    moved(from, to, 0);
    return REAL(renameat)(a, from, b, to);
}
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    moved(from, to, flags & RENAME_EXCHANGE);
    return REAL(renameat2)(a, from, b, to, flags);
}
int link(const char *from, const char *to) {
    linked(from, to);
    return REAL(link)(from, to);
}
int linkat(int a, const char *from, int b, const char *to, int flags) {
    linked(from, to);
    return REAL(linkat)(a, from, b, to, flags);
}
int symlink(const char *target, const char *path) {
    if (shared) change();
    return REAL(symlink)(target, path);
}
int unlink(const char *path) {
    removed(path);
    return REAL(unlink)(path);
}
int unlinkat(int directory, const char *path, int flags) {
    removed(path);
    return REAL(unlinkat)(directory, path, flags);
}
int remove(const char *path) {
    removed(path);
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
int mkdirat(int directory, const char *path, mode_t mode) {
    change();
    return REAL(mkdirat)(directory, path, mode);
}
