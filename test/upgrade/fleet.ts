import assert from 'node:assert/strict';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import type { Lifetime } from '../support/lifetime.js';
import { startProgram, type LogRecord, type Program } from '../support/processes.js';
import { startRedis, type RedisServer } from '../support/redis-server.js';
import { BASE, providersAt } from '../support/service.js';
import { startStandIn, type StandIn } from '../support/stand-in.js';
import { distOf, type Release } from './releases.js';

export type Version = 'old' | 'new';

/** One process of either version. */
export interface Member extends Program {
  readonly version: Version;
  /** Base URL of a replica; empty for a worker. */
  readonly url: string;
}

export interface Reply {
  status: number;
  cache: string | null;
  json: unknown;
  /** The cookies that a browser sends from now on; empty when none were set. */
  cookie: string;
  /** What was asked, of whom, and the answer: for messages. */
  told: string;
}

/** A release and the working tree on one Redis, with one provider. */
export interface Fleet {
  readonly redis: RedisServer;
  readonly upstream: StandIn;
  /** Processes that serve, in the order of their start. */
  readonly members: Member[];
  replica(version: Version): Promise<Member>;
  worker(version: Version): Promise<Member>;
  /** Takes replicas out of rotation, then ends all of them in order. */
  retire(members: Member[]): Promise<void>;
  of(version: Version): Member[];
  /** Asks a replica, or one after the other. Each number is a client with an address of its own. */
  ask(path: string, options: { client: number; of?: Member[]; cookie?: string }): Promise<Reply>;
}

const NEW_DIST = join(import.meta.dirname, '../../dist');
const START_LIMIT_MS = 30_000;
/** A replica that leaves the rotation is sent nothing new, and has answered what it was asked. */
const ANSWERED_MS = 300;

/**
 * What a process of one version alone writes, too: the tests speak plain HTTP and reach limits, and on a
 * busy machine Redis may be late.
 */
function isExpected({ event, status, reason }: LogRecord): boolean {
  if (event === 'insecure_session_cookie' || status === 429) return true;
  // As releases before 3.0.0 call it, and this one.
  if (event === 'redis_degraded' || event === 'redis_unavailable')
    return ['no_connection', 'no_reply', 'no_answer', 'slow'].includes(String(reason));
  return event === 'fetch_uncoordinated' && String(reason).endsWith('in time');
}

/**
 * After the test every process is ended, and the test fails when one said a WARNING or an ERROR, or
 * did not end in order.
 */
export async function startFleet(
  t: Lifetime,
  release: Release,
  env: Record<string, string> = {},
): Promise<Fleet> {
  const dists = { old: distOf(release), new: NEW_DIST };
  const [redis, upstream] = await Promise.all([startRedis(), startStandIn()]);
  const members: Member[] = [];
  const all: Member[] = [];
  let turn = 0;

  async function start(version: Version, entry: 'server' | 'worker'): Promise<Member> {
    const program = startProgram([process.execPath, join(dists[version], `${entry}.js`)], {
      env: {
        ...BASE,
        TRUST_PROXY: '1',
        RUN_WORKER: 'false',
        ...providersAt(upstream.url),
        REDIS_URL: redis.url,
        ...env,
      },
    });
    const member: Member = Object.assign(program, { version, url: '' });
    all.push(member);
    const started = await program.waitFor(`${entry}_started`, undefined, START_LIMIT_MS);
    if (entry === 'server') {
      const url = String(started['address']);
      Object.assign(member, { url });
      const isReady = async () => (await fetch(`${url}/api/v1/health/ready`)).status === 200;
      await eventually(isReady, 'a ready replica');
    }
    members.push(member);
    return member;
  }

  const isTrouble = (version: Version, record: LogRecord) =>
    (record.level === 'WARNING' || record.level === 'ERROR') &&
    !isExpected(record) &&
    !(version === 'old' && release.warnings.includes(record.event));

  const endInOrder = async (leaving: Member[]) => {
    const codes = await Promise.all(leaving.map((member) => member.stop()));
    for (const [n, { version, records, noise }] of leaving.entries()) {
      const last = JSON.stringify(records.slice(-5));
      assert.equal(
        codes[n],
        0,
        `a process of the ${version} version did not end in order: ${last}`,
      );
      const trouble = records.filter((record) => isTrouble(version, record));
      assert.deepEqual(trouble, [], `told by the ${version} version`);
      assert.deepEqual(noise, [], `written by the ${version} version`);
    }
  };

  t.after(async () => {
    // One that has ended already tells its code all the same.
    await endInOrder(all).finally(async () => {
      await upstream.close();
      await redis.stop();
    });
  });

  return {
    redis,
    upstream,
    members,
    replica: (version) => start(version, 'server'),
    worker: (version) => start(version, 'worker'),
    of: (version) => members.filter((member) => member.version === version),
    async retire(leaving) {
      for (const member of leaving) members.splice(members.indexOf(member), 1);
      await new Promise((resolve) => setTimeout(resolve, ANSWERED_MS));
      await endInOrder(leaving);
    },
    async ask(path, { client, of = members, cookie }) {
      const replicas = of.filter(({ url }) => url !== '');
      const replica = replicas[turn++ % replicas.length];
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
        cache: response.headers.get('x-cache'),
        json: text === '' ? undefined : (JSON.parse(text) as unknown),
        cookie: cookies.map((one) => one.split(';')[0]).join('; '),
        told: `${path} of the ${replica.version} version: ${response.status} ${text}`,
      };
    },
  };
}
