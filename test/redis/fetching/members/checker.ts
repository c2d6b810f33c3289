import { Redis } from 'ioredis';
import type { End } from '../../../../src/redis/fetching/announcements.js';
import { LEASE_MS, type FetchRecords } from '../../../../src/redis/fetching/record.js';
import { names } from '../../../support/names.js';

/** One fetch at the provider: what it brings names its serial number as the provider. */
export interface Serial {
  serial: number;
  key: string;
  outcome: 'pending' | 'ok' | 'failed';
  fetchId: string;
  /** The process that ran it. */
  process: string;
  /** Of its entry, once it has one. */
  fetchedAt?: number;
  freshUntil?: number;
}

/** A run that Redis gave to a process. Times are of this process's monotonic clock. */
interface Run {
  key: string;
  fetchId: string;
  process: string;
  askedAt: number;
  grantedAt: number;
  /** When the last renewal was sent that Redis granted: until then plus the lease it is alive. */
  renewedAt: number;
  endSentAt?: number;
  /** Since when another process may have been given the fetch. */
  excusedAt?: number;
  /** Since when the record is certainly gone. */
  lostAt?: number;
}

export interface Change {
  from: number;
  to: number;
  /** Whether the record is certainly gone, and whoever ran the fetch has lost it. */
  takesRecord: boolean;
}

/**
 * Sees all that Redis says to every process, and checks it. All comparisons are between instants
 * of one clock of which the order is certain, so a busy machine cannot make a verdict wrong.
 */
export interface Checker {
  readonly violations: string[];
  readonly runs: number;
  /** The records, seen. */
  observe(process: string, records: FetchRecords): FetchRecords;
  /** A process that runs no longer. What it ran does not run any more either. */
  died(process: string): void;
  /** What Redis holds of a key (of all: undefined) was changed. */
  disturbed(key: string | undefined, change: Change): void;
  startFetch(key: string, fetchId: string, process: string): Serial;
  fetched(serial: number): Serial | undefined;
  /** When the entry of a fetch was announced. */
  announced(key: string, serial: number): number | undefined;
  /** When the record of a key was disturbed last. */
  disturbedAt(key: string): number;
  /** When Redis had said that it has kept and announced the failure of a fetch. */
  failureToldAt(serial: number): number | undefined;
  /** Whether Redis said to a process that it began a fetch. */
  began(process: string, fetchId: string): boolean;
  violated(what: string): void;
  close(): void;
}

const now = () => performance.now();

export async function createChecker(url: string): Promise<Checker> {
  const violations: string[] = [];
  const runs = new Map<string, Run>();
  const runsByKey = new Map<string, Run[]>();
  const serials = new Map<number, Serial>();
  const begun = new Set<string>();
  const failuresToldAt = new Map<number, number>();
  const dead = new Set<string>();
  const disturbances = new Map<string, number>();
  let allDisturbedAt = -Infinity;
  const announced = new Map<string, { at: number; serial: number }[]>();
  const violated = (what: string) => {
    violations.push(`${Math.round(now())} ${what}`);
  };

  const disturbedAt = (key: string) => Math.max(allDisturbedAt, disturbances.get(key) ?? -Infinity);

  const listener = new Redis(url);
  await listener.subscribe(names.announcements);
  listener.on('message', (_channel, text: string) => {
    const [head = '', , entry = ''] = text.split('\n');
    const { key } = objectOf(head);
    const serial = serialIn(entry);
    if (typeof key !== 'string' || serial < 0) return;
    const list = announced.get(key) ?? [];
    announced.set(key, list);
    const last = list.at(-1);
    const { fetchedAt = 0, freshUntil = 0 } = serials.get(last?.serial ?? -1) ?? {};
    // Its announcement may have been on its way here when it was taken from Redis.
    const isLost = fetchedAt <= disturbedAt(key);
    if (last && serial <= last.serial && !isLost && now() < freshUntil) {
      violated(`${key}: the older entry ${serial} came after the newer ${last.serial}`);
    }
    list.push({ at: now(), serial });
  });

  function granted(run: Run): void {
    const others = runsByKey.get(run.key) ?? [];
    runsByKey.set(run.key, [...others.slice(-20), run]);
    runs.set(run.fetchId, run);
    if (run.askedAt < disturbedAt(run.key)) run.excusedAt = run.grantedAt;
    for (const other of others) {
      if (other.endSentAt !== undefined || dead.has(other.process)) continue;
      const isAlive = run.grantedAt < other.renewedAt + LEASE_MS;
      if (isAlive && other.excusedAt === undefined && run.excusedAt === undefined) {
        violated(
          `${run.key}: ${run.process} runs ${run.fetchId} while ${other.process} runs ` +
            `${other.fetchId}, renewed ${Math.round(run.grantedAt - other.renewedAt)} ms before`,
        );
      }
      other.excusedAt = run.grantedAt;
      // Else it is not certain which of the two was given the fetch first.
      if (run.askedAt > other.grantedAt) other.lostAt ??= run.grantedAt;
    }
  }

  return {
    violations,
    get runs() {
      return runs.size;
    },
    violated,
    observe(process, records) {
      return {
        ...records,
        async ask(key, question, time) {
          const askedAt = now();
          const found = await records.ask(key, question, time);
          const { state, fetchId } = found;
          if (state === 'new') begun.add(`${process} ${fetchId}`);
          if (state === 'run') {
            const grantedAt = now();
            granted({ key, fetchId, process, askedAt, grantedAt, renewedAt: askedAt });
          }
          return found;
        },
        async renew(key, fetchId) {
          const sentAt = now();
          const isHeld = await records.renew(key, fetchId);
          const run = runs.get(fetchId);
          if (run && isHeld) run.renewedAt = sentAt;
          return isHeld;
        },
        async end(key, end, state) {
          const run = runs.get(end.fetchId);
          // A run that was begun without Redis may take a record that nobody has.
          const wasLost = run?.process === process && run.lostAt !== undefined;
          if (run) run.endSentAt = now();
          const serial = serialOf(end);
          const isWritten = await records.end(key, end, state);
          if (isWritten && wasLost) {
            violated(`${key}: ${process} had lost ${end.fetchId}, and ended it all the same`);
          }
          failuresToldAt.set(serial, now());
          return isWritten;
        },
      };
    },
    died: (process) => void dead.add(process),
    disturbed(key, { from, to, takesRecord }) {
      if (key === undefined) allDisturbedAt = to;
      else disturbances.set(key, to);
      for (const run of runs.values()) {
        if (key !== undefined && run.key !== key) continue;
        if (run.endSentAt !== undefined) continue;
        run.excusedAt ??= to;
        if (takesRecord && run.grantedAt < from) run.lostAt ??= to;
      }
    },
    startFetch(key, fetchId, process) {
      const serial = serials.size + 1;
      const started: Serial = { serial, key, outcome: 'pending', fetchId, process };
      serials.set(started.serial, started);
      return started;
    },
    fetched: (serial) => serials.get(serial),
    announced: (key, serial) => announced.get(key)?.find((one) => one.serial === serial)?.at,
    disturbedAt,
    failureToldAt: (serial) => failuresToldAt.get(serial),
    began: (process, fetchId) => begun.has(`${process} ${fetchId}`),
    close() {
      listener.disconnect();
    },
  };
}

/** The serial number that a text names; -1 when it names none. */
export function serialIn(text: string): number {
  return Number(/\bserial-(\d+)/.exec(text)?.[1] ?? -1);
}

/** The serial number that an end carries: as its provider, or in its message. */
function serialOf({ entry, failure }: End): number {
  if (failure) return Number(/#(\d+)$/.exec(failure.message)?.[1]);
  return serialIn(entry?.value.provider ?? '');
}

function objectOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
