import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lifetime } from './lifetime.js';
import { ensureCommand } from './packages.js';

/**
 * Replaces `getaddrinfo` of the C library, which Node.js calls in its thread pool. A lookup of a name that begins with
 * `held` adds a byte to the file `started`, waits until the file `held` is gone, and finds 127.0.0.1.
 */
const SHIM = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
  if (node && strncmp(node, "held", 4) == 0) {
    FILE *started = fopen(getenv("LOOKUPS_STARTED"), "a");
    if (started) {
      fputc('.', started);
      fclose(started);
    }
    while (access(getenv("LOOKUPS_HELD"), F_OK) == 0) usleep(10000);
    node = "127.0.0.1";
  }
  return real(node, service, hints, found);
}
`;

/** Holds the lookups of names that begin with `held` in the processes that get its variables. */
export function holdLookups(t: Lifetime) {
  ensureCommand('gcc', 'gcc libc6-dev');
  const folder = mkdtempSync(join(tmpdir(), 'weather-lookups-'));
  const [source, library, held, started] = ['shim.c', 'shim.so', 'held', 'started'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  const release = () => {
    rmSync(held, { force: true });
  };
  t.after(() => {
    rmSync(folder, { recursive: true });
  });
  writeFileSync(source, SHIM);
  execFileSync('gcc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  for (const file of [held, started]) writeFileSync(file, '');
  return {
    env: { LD_PRELOAD: library, LOOKUPS_HELD: held, LOOKUPS_STARTED: started },
    /** The number of lookups that were held. */
    started: () => readFileSync(started).length,
    /** Ends the lookups. No further one is held. */
    release,
  };
}
