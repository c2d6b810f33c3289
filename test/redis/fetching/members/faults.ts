import type { Redis } from 'ioredis';
import { setTimeout as sleep } from 'node:timers/promises';
import { names } from '../../../support/names.js';
import type { Random } from '../../../support/random.js';
import type { Member } from './member.js';
import type { Checker } from './checker.js';

/** After a disturbance a process has its connections back within this. */
const RECOVERY_MS = 4000;

/** Longer than anybody may wait: garbage must not end by itself. */
export const GARBAGE_LIFE_MS = 35_000;

const GARBAGE = [
  '',
  'garbage',
  '5 {}',
  '0 {"value":null}',
  '99 {"value":{"kind":"weather","provider":"p","weather":{"temperature":null}}}',
  '0 {"value":{"kind":"geocode","point":null,"provider":"p"},"freshMs":700,"fetchId":"f"}',
  '-1',
  '{"message":7}',
  '\u0000\uFFFD',
];
const ANNOUNCED_GARBAGE = ['', '{', 'null', '[]', '{"key":1}', '\n\n', '{"key":"k"}\n1\n2 3 4'];
const FIELDS = ['id', 'state', 'queued', 'failure'];
const NAMES = {
  entry: (key: string) => names.entry(key),
  fetch: (key: string) => names.fetch(key),
};

/** What can happen to processes and to what Redis holds. All draws come from one generator. */
export function createFaults(options: { redis: Redis; random: Random; checker: Checker }) {
  const { redis, random, checker } = options;

  /** Changes what is kept of a key, or of all keys, and says when. */
  async function change(
    key: string | undefined,
    what: () => Promise<unknown>,
    takesRecord: boolean,
  ): Promise<void> {
    const from = performance.now();
    // Excused at once: a run may begin or end in between.
    checker.disturbed(key, { from, to: from, takesRecord: false });
    await what();
    checker.disturbed(key, { from, to: performance.now(), takesRecord });
  }

  function disturb(member: Member, ms: number): void {
    const until = performance.now() + ms + RECOVERY_MS;
    member.disturbedUntil = Math.max(member.disturbedUntil, until);
  }

  return {
    freeze(member: Member) {
      const ms = random.weighted([
        [2, random.between(100, 1000)],
        [2, random.between(2500, 6000)],
      ]);
      disturb(member, ms);
      member.freeze(ms);
    },

    async loseAnnouncements(member: Member) {
      const ms = random.between(50, 3000);
      disturb(member, ms);
      member.subscriber.cut();
      await sleep(ms);
      if (!member.isDead()) member.subscriber.mend();
    },

    async loseConnection(member: Member) {
      const ms = random.between(0, 2000);
      disturb(member, ms);
      member.requests.cut();
      await sleep(ms);
      if (!member.isDead()) member.requests.mend();
    },

    async lateReplies(member: Member) {
      const wire = random.pick([member.requests, member.subscriber]);
      const late = random.weighted([
        [3, random.between(20, 300)],
        [1, random.between(900, 1500)],
      ]);
      const ms = random.between(500, 2500);
      disturb(member, ms + late);
      wire.delayBy(late, random.between(0, late));
      await sleep(ms);
      wire.delayBy(0);
    },

    flush: () => change(undefined, () => redis.flushall(), true),
    forgetScripts: () => redis.script('FLUSH'),

    forget(key: string) {
      const kinds = random.pick([['entry'], ['fetch'], ['entry', 'fetch']] as const);
      const keys = kinds.map((kind) => NAMES[kind](key));
      return change(
        key,
        () => redis.del(...keys),
        kinds.some((kind) => kind === 'fetch'),
      );
    },

    async garble(key: string) {
      const kind = random.pick(['entry', 'fetch'] as const);
      const name = NAMES[kind](key);
      const text = random.pick(GARBAGE);
      const field = random.pick(FIELDS);
      const how = random.pick(['field', 'list', 'text']);
      const write = async () => {
        const lifeMs = kind === 'entry' ? GARBAGE_LIFE_MS : Math.max(500, await redis.pttl(name));
        if (how === 'field' && kind === 'fetch') await redis.hset(name, field, text).catch(() => 0);
        else if (how === 'list') await redis.multi().del(name).rpush(name, text).exec();
        else await redis.set(name, text);
        await redis.pexpire(name, lifeMs);
      };
      await change(key, write, kind === 'fetch' && how !== 'field');
    },

    async garbleChannel() {
      await redis.publish(names.announcements, random.pick(ANNOUNCED_GARBAGE));
    },
  };
}

export type Faults = ReturnType<typeof createFaults>;
