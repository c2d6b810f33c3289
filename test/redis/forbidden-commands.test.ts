import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Redis } from 'ioredis';
import { readScript } from '../../src/redis/client/script.js';
import { startRedis } from '../support/redis-server.js';
import { suiteLifetime } from '../support/lifetime.js';
import { connectTo } from '../support/use-redis.js';

/** A script, its arguments, and states of its key that together cause all of its commands. */
interface Case {
  scripts: string[];
  args: (string | number)[];
  states: Record<string, (redis: Redis) => Promise<unknown>>;
}

const HOUR_AGO_US = (Date.now() - 3_600_000) * 1000;
const aList = (redis: Redis) => redis.rpush('key', HOUR_AGO_US, HOUR_AGO_US);
const aText = (redis: Redis) => redis.set('key', 'text', 'EX', 60);
const anEntry = (redis: Redis) => redis.set('key', '{"freshMs":1,"staleMs":1}', 'EX', 60);
const inTheFuture = (redis: Redis) => redis.rpush('key', (Date.now() + 3_600_000) * 1000);
const line = (city: string) => `\t${city}\t["${city}","Norway",1]\n`;

const CASES: Case[] = [
  {
    scripts: ['typed', 'windows'],
    args: [1, 1, 5, 60_000_000, 'call'],
    states: { 'expired admissions': aList, 'a text': aText, 'the future': inTheFuture },
  },
  {
    scripts: ['typed', 'session', 'session-list'],
    args: [300, 100, 65_536, 'call'],
    states: { 'a text': aText },
  },
  {
    scripts: ['typed', 'session', 'session-record'],
    args: [300, 100, 65_536, 10, 100, 0, line('Oslo'), 'call'],
    states: { 'a text': aText },
  },
  {
    scripts: ['typed', 'session', 'session-record'],
    args: [300, 100, 65_536, 10, 300, 0, '', 'call'],
    states: { 'an unconfirmed session': aText },
  },
  {
    scripts: ['typed', 'entry-read'],
    args: [65_536, 'call'],
    states: { 'a text': aText, 'a list': aList },
  },
  {
    scripts: ['typed', 'fetch-finish'],
    args: ['channel', 'message', 1000, 'text', 0, 65_536, 'call'],
    states: { 'a text': aText, 'an older entry': anEntry },
  },
];

describe('a script whose command an access list forbids', () => {
  const lifetime = suiteLifetime();
  for (const { scripts, args, states } of CASES) {
    const lua = readScript(...scripts);
    const name = `${scripts.at(-1)}${args.includes('') ? ' without a search' : ''}`;

    it(`fails with the message of Redis, whichever command it is: ${name}`, async () => {
      const server = await startRedis();
      lifetime.after(() => server.stop());
      const admin = connectTo(lifetime, server);
      await admin.call('ACL', 'SETUSER', 'app', 'on', '>secret', '~*', '&*', '+@all');
      const app = connectTo(lifetime, { url: server.url.replace('//', '//app:secret@') });
      const commands = new Set<string>();
      const inAllStates = async () => {
        const failures: string[] = [];
        for (const prepare of Object.values(states)) {
          await admin.del('key');
          await prepare(admin);
          await admin.config('RESETSTAT');
          await app.eval(lua, 1, 'key', ...args).catch((error: unknown) => {
            failures.push(String(error).replace(/^ReplyError: /, ''));
          });
          const stats = await admin.info('commandstats');
          for (const [, command = ''] of stats.matchAll(/cmdstat_(\w+):/g)) commands.add(command);
        }
        return failures;
      };

      assert.deepEqual(await inAllStates(), []);
      const own = [...commands].filter((command) => new RegExp(`'${command}'`, 'i').test(lua));
      assert.ok(own.length > 0);
      for (const command of own) {
        await admin.call('ACL', 'SETUSER', 'app', `-${command}`);
        const [failure] = await inAllStates();
        assert.match(String(failure), /^(?:NOPERM|ERR).*(?:permission|can't run)/, command);
        await admin.call('ACL', 'SETUSER', 'app', `+${command}`);
      }
    });
  }
});
