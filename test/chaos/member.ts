import { once } from 'node:events';
import { residentBytes, type LogRecord } from '../support/processes.js';
import { freePort } from '../support/redis-server.js';
import type { Relay } from '../support/relay.js';
import { launch, type Entry } from '../support/service.js';

/** One process of the built service. Of its records only those are kept that matter here. */
export interface Member {
  readonly name: string;
  readonly url: string;
  readonly metricsUrl: string;
  /** Its way to Redis, where it has one of its own. */
  readonly wire: Relay | undefined;
  /** Whether it said at any time since an instant that it works without Redis. */
  wasAloneSince(instant: number): boolean;
  /** Ended by the harness: whatever code it ends with is foreseen. */
  mayEnd: boolean;
  /** Killed: those who were being answered get no answer. */
  wasKilled: boolean;
  /** Its last records of what is worth telling, oldest first. */
  readonly told: string[];
  kill(signal: NodeJS.Signals): void;
  /** Whether anybody reads its standard output. */
  read(isRead: boolean): void;
  /** Resolves with its exit code. */
  readonly exited: Promise<number | null>;
  residentBytes(): number;
}

/** Records that no fault of the catalogue may cause. */
const UNFORESEEN = new Set([
  'uncaught_exception',
  'unhandled_rejection',
  'redis_error',
  'response_failed',
  'shutdown_failed',
  'fetch_job_failed',
]);
/** Records of which there are many, and which say nothing of the process's own state. */
const USUAL = new Set(['weather_request', 'request', 'fetch', 'upstream_failed']);
const TOLD = 12;
/** Far more than a process writes before it is seen to have started. */
const KEPT = 200;
/** A new process has reached its Redis by then. */
const JOINING_MS = 5000;
const START_LIMIT_MS = 60_000;

export async function launchMember(options: {
  name: string;
  entry: Entry;
  env: Record<string, string>;
  wire: Relay | undefined;
  violated: (what: string) => void;
}): Promise<Member> {
  const { name, entry, wire, violated } = options;
  const metricsPort = await freePort();
  const env = { ...options.env, METRICS_PORT: String(metricsPort) };
  const told: string[] = [];
  let unavailable = false;
  let aloneUntil = performance.now() + JOINING_MS;
  function onRecord(record: LogRecord): void {
    if (!USUAL.has(record.event)) told.push(JSON.stringify(record));
    if (told.length > TOLD) told.shift();
    if (record.event === 'redis_unavailable') unavailable = true;
    else if (record.event === 'redis_recovered') {
      unavailable = false;
      aloneUntil = performance.now();
    } else if (UNFORESEEN.has(record.event)) violated(`${name} wrote ${JSON.stringify(record)}`);
  }
  const service = launch(
    entry,
    env,
    {},
    {
      keep: KEPT,
      onRecord,
      onNoise(line) {
        violated(`${name} wrote what is no record: ${line}`);
      },
    },
  );
  const { child } = service;
  // Not `close`, which comes only when somebody has read its output.
  const exited = once(child, 'exit').then(([code, signal]) => {
    const isOrderly = member.mayEnd && (code === 0 || (code === null && member.wasKilled));
    if (!isOrderly) violated(`${name} ended with ${String(code ?? signal)}`);
    wire?.close();
    return code as number | null;
  });

  const member: Member = {
    name,
    url: '',
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    wire,
    wasAloneSince: (instant) => unavailable || aloneUntil > instant,
    mayEnd: false,
    wasKilled: false,
    told,
    exited,
    kill(signal) {
      if (signal === 'SIGKILL') member.wasKilled = true;
      if (signal === 'SIGKILL' || signal === 'SIGTERM') member.mayEnd = true;
      service.kill(signal);
    },
    read(isRead) {
      if (isRead) child.stdout?.resume();
      else child.stdout?.pause();
    },
    residentBytes: () => residentBytes(service.pid).now,
  };
  const event = entry === 'server.js' ? 'server_started' : 'worker_started';
  const started = await service
    .waitFor(event, undefined, START_LIMIT_MS)
    .catch((error: unknown) => {
      member.kill('SIGKILL');
      throw error;
    });
  return Object.assign(member, entry === 'server.js' && { url: String(started['address']) });
}
