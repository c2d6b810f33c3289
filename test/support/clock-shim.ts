import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lifetime } from './lifetime.js';
import { ensureCommand } from './packages.js';

/** Adds the seconds in a file to the wall clock. libfaketime cannot: it needs memory before the allocator of Redis works. */
const SHIM = `
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long offset(void) {
  char text[32] = {0};
  int file = syscall(SYS_openat, AT_FDCWD, getenv("CLOCK_OFFSET_FILE"), O_RDONLY);
  if (file < 0) return 0;
  if (syscall(SYS_read, file, text, sizeof text - 1) < 0) text[0] = 0;
  syscall(SYS_close, file);
  return atol(text);
}
int clock_gettime(clockid_t id, struct timespec *at) {
  int result = syscall(SYS_clock_gettime, id, at);
  if (id == CLOCK_REALTIME) at->tv_sec += offset();
  return result;
}
int gettimeofday(struct timeval *at, void *zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}`;

/**
 * Creates a wall clock that can be set while its process runs.
 * @returns the environment of a process with that clock; `set` sets its difference to this machine's clock
 */
export function createClockShim(t: Lifetime) {
  ensureCommand('gcc', 'gcc');
  const folder = mkdtempSync(join(tmpdir(), 'weather-clock-'));
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  const [library, offset] = [join(folder, 'clock.so'), join(folder, 'offset')];
  execFileSync('gcc', ['-shared', '-fPIC', '-x', 'c', '-', '-o', library], { input: SHIM });
  return {
    env: { LD_PRELOAD: library, CLOCK_OFFSET_FILE: offset },
    set: (seconds: number): void => {
      writeFileSync(offset, String(seconds));
    },
  };
}
