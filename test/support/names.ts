import { createNames } from '../../src/redis/names.js';

/** The Redis names of a deployment with the default prefix and database. */
export const names = createNames('weather', 0);

/** The prefix of the keys of BullMQ's queue. */
export const QUEUE = `${names.queue}:fetches`;
