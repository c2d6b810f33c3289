import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lifetime } from '../support/lifetime.js';
import type { LogRecord } from '../support/processes.js';
import { becomesReady } from '../support/readiness.js';
import type { Service } from '../support/service.js';
import { startStack } from '../support/stack.js';
import type { StubProvider } from '../support/stub-provider.js';
import { distOf, type Release } from './releases.js';

export type Version = 'old' | 'new';

/** A process of one of the versions. */
export type Member = Service & { readonly version: Version };

export interface Reply {
  status: number;
  json: unknown;
  /** The cookies that a browser sends from now on. Empty if none was set. */
  cookie: string;
  /** The request and the response, for error messages. */
  summary: string;
}

/** A release and the working tree with one Redis and one stub provider. */
export interface Fleet {
  readonly upstream: StubProvider;
  /** Processes that receive requests, in the order of their start. */
  readonly members: Member[];
  replica(version: Version): Promise<Member>;
  worker(version: Version): Promise<Member>;
  /** Stops sending requests to processes, then stops them. */
  retire(members: Member[]): Promise<void>;
  of(version: Version): Member[];
  /** Sends a request to the next replica in turn. Each client number has its own address. */
  ask(path: string, options: { client: number; of?: Member[]; cookie?: string }): Promise<Reply>;
}

/** Milliseconds after which a replica has responded to all requests that were sent to it. */
const ANSWERED_MS = 300;

/** Whether a process may log it also with one version: at limits, or while a busy Redis is late. */
function isExpected({ event, status, reason }: LogRecord): boolean {
  if (event === 'redis_unavailable') return reason === 'no_connection' || reason === 'no_reply';
  return event === 'insecure_session_cookie' || status === 429;
}

/** Starts a fleet without processes. The test fails on an unexpected warning or error. */
export async function startFleet(
  t: Lifetime,
  release: Release,
  env: Record<string, string> = {},
): Promise<Fleet> {
  const processes = await startStack(t, {
    replicas: 0,
    workers: 0,
    env: { TRUST_PROXY: '1', ...env },
  });
  const members: Member[] = [];
  const all: Member[] = [];
  const startOf = { old: { dist: distOf(release) }, new: {} };
  let next = 0;

  function join(service: Service, version: Version): Member {
    const member = Object.assign(service, { version });
    all.push(member);
    members.push(member);
    return member;
  }

  t.after(() => {
    for (const { version, records } of all) {
      const unexpected = records.filter(
        (record) =>
          ['WARNING', 'ERROR'].includes(record.level) &&
          !isExpected(record) &&
          !(version === 'old' && release.warnings.includes(record.event)),
      );
      assert.deepEqual(unexpected, [], `logged by the ${version} version`);
    }
  });

  return {
    upstream: processes.upstream,
    members,
    async replica(version) {
      const replica = await processes.addReplica({}, startOf[version]);
      await becomesReady(replica);
      return join(replica, version);
    },
    worker: async (version) => join(await processes.addWorker({}, startOf[version]), version),
    of: (version) => members.filter((member) => member.version === version),
    async retire(leaving) {
      for (const member of leaving) members.splice(members.indexOf(member), 1);
      await sleep(ANSWERED_MS);
      const codes = await Promise.all(leaving.map((member) => member.stop()));
      assert.deepEqual(new Set(codes), new Set([0]));
    },
    async ask(path, { client, of = members, cookie }) {
      const replicas = of.filter(({ url }) => url !== '');
      const replica = replicas[next++ % replicas.length];
      if (!replica) throw new Error('no replica runs');
      const response = await fetch(replica.url + path, {
        headers: {
          'X-Forwarded-For': `10.1.${client >> 8}.${client & 255}`,
          Connection: 'close',
          ...(cookie ? { cookie } : {}),
        },
      });
      const text = await response.text();
      const cookies = response.headers.getSetCookie();
      return {
        status: response.status,
        json: text === '' ? undefined : (JSON.parse(text) as unknown),
        cookie: cookies.map((one) => one.split(';')[0]).join('; '),
        summary: `${path}, ${replica.version} version: ${response.status} ${text}`,
      };
    },
  };
}
