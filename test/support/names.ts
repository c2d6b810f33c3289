import { createNames } from '../../src/redis/names.js';

/** The names of a deployment that sets neither `REDIS_PREFIX` nor a database. */
export const names = createNames('weather', 0);

/** What the keys of BullMQ's queue begin with. */
export const QUEUE = `${names.queue}:fetches`;
