import { once } from 'node:events';
import { residentBytes, type LogRecord } from '../support/processes.js';
import { freePort } from '../support/redis-server.js';
import type { Relay } from '../support/relay.js';
import { launch, type Entry } from '../support/service.js';

/** One process of the service. Retains only its important log records. */
export interface Member {
  readonly name: string;
  readonly url: string;
  readonly metricsUrl: string;
  /** The relay between the process and Redis, if there is one. */
  readonly wire: Relay | undefined;
  /** Whether Redis was unavailable to it at any time since an instant, by its log. */
  wasAloneSince(instant: number): boolean;
  /** The harness stops it: any exit code is expected. */
  mayEnd: boolean;
  /** The harness killed it: requests in flight get no response. */
  wasKilled: boolean;
  /** Its last important records, oldest first. */
  readonly lastRecords: string[];
  kill(signal: NodeJS.Signals): void;
  /** Resumes or pauses reading its standard output. */
  read(isRead: boolean): void;
  /** The exit code. */
  readonly exited: Promise<number | null>;
  residentBytes(): number;
}

/** Events that no fault may cause. */
const UNEXPECTED = new Set([
  'uncaught_exception',
  'unhandled_rejection',
  'redis_error',
  'response_failed',
  'shutdown_failed',
  'fetch_job_failed',
]);
/** Frequent events, which are not about the state of the process. */
const FREQUENT = new Set(['weather_request', 'request', 'fetch', 'upstream_failed']);
const LAST_RECORDS = 12;
/** Number of retained records: more than a process writes during its start. */
const RETAINED_RECORDS = 200;
/** Milliseconds within which a new process has connected to Redis. */
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
  const lastRecords: string[] = [];
  let unavailable = false;
  let aloneUntil = performance.now() + JOINING_MS;
  function onRecord(record: LogRecord): void {
    if (!FREQUENT.has(record.event)) lastRecords.push(JSON.stringify(record));
    if (lastRecords.length > LAST_RECORDS) lastRecords.shift();
    if (record.event === 'redis_unavailable') unavailable = true;
    else if (record.event === 'redis_recovered') {
      unavailable = false;
      aloneUntil = performance.now();
    } else if (UNEXPECTED.has(record.event)) violated(`${name} wrote ${JSON.stringify(record)}`);
  }
  const service = launch(
    entry,
    env,
    {},
    {
      keep: RETAINED_RECORDS,
      onRecord,
      onNoise(line) {
        violated(`${name} wrote a line that is not a record: ${line}`);
      },
    },
  );
  const { child } = service;
  // Not `close`, which waits until its output is read.
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
    lastRecords,
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
