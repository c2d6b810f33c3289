import { pino } from 'pino';
import { noInstruments } from '../../src/base/instruments.js';
import { connect } from '../../src/redis/client/connection.js';
import { createGuardedRedis, type GuardedRedis } from '../../src/redis/client/guarded-redis.js';
import { eventually } from './eventually.js';
import type { Lifetime } from './lifetime.js';
import { systemClock } from './manual-clock.js';
import { names } from './names.js';

/** Connects to a server, as a process does for its requests, and waits until it can be used. */
export async function guardedRedis(
  t: Lifetime,
  url: string,
  { clock = systemClock, log = pino({ enabled: false }) } = {},
): Promise<GuardedRedis> {
  const client = connect({ kind: 'single', url }, 'requests');
  const guarded = createGuardedRedis({ client, names, log, instruments: noInstruments, clock });
  t.after(() => {
    guarded.close();
  });
  await eventually(() => guarded.isWritable(), 'a connection');
  return guarded;
}
