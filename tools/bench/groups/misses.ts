import type { Group } from '../groups.js';
import { load } from '../tools/load.js';
import { sendAll } from '../tools/own-load.js';
import { cpuMicros } from '../tools/proc.js';
import { browserHeaders, getRequest, PLAIN_PATH, pointPaths } from '../tools/requests.js';
import {
  lastRelease,
  newSession,
  startProgram,
  startStack,
  type Server,
  type Stack,
} from '../tools/servers.js';
import { medianRatio, spread } from '../tools/statistics.js';

/** Enough for each phase, so that no place comes twice. */
const PLACES_PER_SECOND = 8000;
const ALL_PLACES = 130_000;
/** Misses before anything is measured. The first cost half as much again: V8 has not compiled yet what they run. */
const WARM_UP = 20_000;

/**
 * Different cold places as fast as 64 connections ask for them: one replica, one worker with its
 * default concurrency and budgets, a provider that answers at once. In each round bare Koa answers as
 * many connections, and the last release as many places.
 */
export const misses: Group = async ({ settings, onEnd }) => {
  const bare = await startProgram('bare');
  onEnd(() => bare.stop());
  const now = await startStack();
  onEnd(() => now.stop());
  const last = await startStack({}, lastRelease());
  onEnd(() => last.stop());
  const rounds = Math.min(settings.rounds, 5);
  const seconds = settings.seconds + 1;
  const warmUp = Math.round(WARM_UP * settings.scale);
  const each = Math.min(PLACES_PER_SECOND * seconds, Math.floor((ALL_PLACES - warmUp) / rounds));
  const paths = pointPaths(warmUp + each * rounds);
  for (const { replica } of [now, last]) {
    const headers = browserHeaders(await newSession(replica.port));
    await sendAll(
      replica.port,
      paths.slice(0, warmUp).map((path) => getRequest(path, headers)),
    );
  }

  const costs: { now: Cost; last: Cost; bare: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const places = paths.slice(warmUp + round * each, warmUp + (round + 1) * each);
    const before = cpuMicros(bare.pid);
    const koa = await load({ port: bare.port, requests: [getRequest(PLAIN_PATH)], seconds: 1 });
    costs.push({
      bare: (cpuMicros(bare.pid) - before) / koa.answered,
      now: await costOf(now, places, seconds),
      last: await costOf(last, places, seconds),
    });
  }
  const overBare = costs.map(({ now, bare }) => ({ value: now.total, over: bare }));
  const overLast = costs.map(({ now, last }) => ({ value: now.total, over: last.total }));
  return {
    rows: {
      'miss-cpu': {
        value: medianRatio(overBare),
        details: `${rangeOf(overBare, 0)}; ${costs.at(-1)!.now.told}`,
      },
      'miss-release': {
        value: medianRatio(overLast),
        details: `${rangeOf(overLast, 2)}; the last release: ${costs.at(-1)!.last.told}`,
      },
    },
  };
};

/** What one miss costs. */
interface Cost {
  /** Processor time of all processes, in microseconds. */
  total: number;
  /** The same by process, and how many were answered a second. */
  told: string;
}

/** The provider counts, so that a place that was not fetched is not taken for a miss. */
async function costOf(stack: Stack, places: string[], seconds: number): Promise<Cost> {
  const { replica, worker, redis, provider } = stack;
  const headers = browserHeaders(await newSession(replica.port));
  const requests = places.map((path) => getRequest(path, headers));
  const spent = () => [replica, worker, redis].map(({ pid }) => cpuMicros(pid));
  const before = spent();
  const calls = await callsOf(provider);
  const { answered, refused, perSecond } = await load({ port: replica.port, requests, seconds });
  const fetched = (await callsOf(provider)) - calls;
  if (refused > 0) throw new Error(`${refused} of ${answered} misses failed`);
  if (fetched < answered) throw new Error(`${answered} answers, but ${fetched} fetches`);
  const costs = spent().map((micros, i) => (micros - before[i]!) / answered);
  for (const process of [replica, worker]) process.clearOutput();
  const [ofReplica, ofWorker, ofRedis] = costs.map(Math.round);
  return {
    total: costs.reduce((sum, micros) => sum + micros, 0),
    told: `replica ${ofReplica}, worker ${ofWorker}, redis ${ofRedis} µs; ${Math.round(perSecond)}/s`,
  };
}

function rangeOf(pairs: { value: number; over: number }[], digits: number): string {
  const { lowest, highest } = spread(pairs.map(({ value, over }) => value / over));
  return `${lowest.toFixed(digits)}–${highest.toFixed(digits)}`;
}

async function callsOf(provider: Server): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${provider.port}/calls`);
  return ((await reply.json()) as { calls: number }).calls;
}
