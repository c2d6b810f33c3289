import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { cookieOf } from '../support/cookies.js';
import { anyClient } from '../support/http-client.js';
import type { Lifetime } from '../support/lifetime.js';
import type { LogRecord } from '../support/processes.js';
import { becomesReady } from '../support/readiness.js';
import type { Service } from '../support/service.js';
import { startStack } from '../support/stack.js';
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

/** Milliseconds after which a replica has responded to all requests that were sent to it. */
const ANSWERED_MS = 300;

/** Whether a process may log it also with one version: at limits, or while a busy Redis is late. */
function isExpected({ event, status, reason }: LogRecord): boolean {
  if (event === 'redis_unavailable') return reason === 'no_connection' || reason === 'no_reply';
  return event === 'insecure_session_cookie' || status === 429;
}

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

/**
 * A release and the working tree with one Redis and one stub provider, without processes. The test
 * fails on an unexpected warning or error.
 */
export async function startFleet(t: Lifetime, release: Release, env: Record<string, string> = {}) {
  const processes = await startStack(t, {
    replicas: 0,
    workers: 0,
    env: { TRUST_PROXY: '1', ...env },
  });
  /** Processes that receive requests, in the order of their start. */
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
    async replica(version: Version) {
      const replica = await processes.addReplica({}, startOf[version]);
      await becomesReady(replica);
      return join(replica, version);
    },
    worker: async (version: Version) =>
      join(await processes.addWorker({}, startOf[version]), version),
    of: (version: Version) => members.filter((member) => member.version === version),
    /** Stops sending requests to a process, then stops it. */
    async retire(member: Member) {
      members.splice(members.indexOf(member), 1);
      await sleep(ANSWERED_MS);
      assert.equal(await member.stop(), 0);
    },
    /** Sends a request to the next replica in turn. Each client number has its own address. */
    async ask(
      path: string,
      { client, of = members, cookie = '' }: { client: number; of?: Member[]; cookie?: string },
    ): Promise<Reply> {
      const replicas = of.filter(({ url }) => url !== '');
      const replica = replicas[next++ % replicas.length];
      if (!replica) throw new Error('no replica runs');
      const headers = { ...anyClient(client), Connection: 'close', ...(cookie && { cookie }) };
      // `attempt` would compare the response of the release with this version's description.
      const response = await fetch(replica.url + path, { headers });
      const text = await response.text();
      return {
        status: response.status,
        json: text === '' ? undefined : (JSON.parse(text) as unknown),
        cookie: cookieOf({ cookies: response.headers.getSetCookie() }),
        summary: `${path}, ${replica.version} version: ${response.status} ${text}`,
      };
    },
  };
}
