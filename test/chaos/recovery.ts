import { setTimeout as sleep } from 'node:timers/promises';
import { anyClient } from '../support/http-client.js';
import { attempt } from '../support/load.js';
import { QUEUE } from '../support/names.js';
import { placePath } from '../support/places.js';
import type { Fleet } from './fleet.js';
import type { Machine } from './machine.js';
import type { Member } from './member.js';

/** Milliseconds until recovery on a machine that is not late. A used-up quota without an end lasts a minute. */
const RECOVERY_MS = 75_000;
/** Milliseconds of lateness after which the time until recovery starts again. */
const TOO_LATE_MS = 80;
/** Milliseconds after which the result is unknown, because the machine was always late. */
const GIVE_UP_MS = 300_000;
const MEBIBYTE = 1024 * 1024;
const MAX_BYTES = 400 * MEBIBYTE;
/** Keys of BullMQ without a TTL: few, and of bounded size. */
const QUEUE_KEYS =
  /^\{weather:queue\d+\}:fetches:(meta|events|id|active|stalled|stalled-check|marker|failed)$/;
/** BullMQ's bound of its event stream, and the number of events that Redis trims in one step. */
const MAX_EVENTS = 10_500;

let fresh = 100_000;

/**
 * Waits until the fleet has recovered from the faults.
 * @returns what has not recovered in time; `isUnknown`: the machine was too late to decide
 */
export async function recovers(
  fleet: Fleet,
  machine: Machine,
): Promise<{ faults: string[]; isUnknown: boolean }> {
  const started = performance.now();
  let onTimeSince = started;
  for (;;) {
    const faults = await faultsOf(fleet).catch((error: unknown) => [String(error)]);
    if (faults.length === 0) return { faults, isUnknown: false };
    const now = performance.now();
    if (machine.lateSince(now - 1000) > TOO_LATE_MS) onTimeSince = now;
    if (now - onTimeSince > RECOVERY_MS) return { faults, isUnknown: false };
    if (now - started > GIVE_UP_MS) return { faults, isUnknown: true };
    await sleep(500);
  }
}

async function faultsOf(fleet: Fleet): Promise<string[]> {
  const members = [...fleet.replicas, ...fleet.workers];
  const faults = await Promise.all([
    ...fleet.replicas.map(serves),
    ...members.map(hasNoDegradation),
    leavesNothing(fleet),
  ]);
  return [...faults.flat(), ...members.flatMap(isSmall)];
}

async function serves(replica: Member): Promise<string[]> {
  const ready = await attempt(`${replica.url}/api/v1/health/ready`);
  if (ready.status !== 200) return [`${replica.name} is not ready: ${ready.status} ${ready.text}`];
  fresh += 1;
  const headers = anyClient(fresh);
  const reply = await attempt(replica.url + placePath(fresh), { headers });
  const outcome = `${reply.status} ${String(reply.headers['x-cache'])}`;
  return outcome === '200 MISS' ? [] : [`${replica.name} responds to a new place with ${outcome}`];
}

async function hasNoDegradation(member: Member): Promise<string[]> {
  const { text } = await attempt(member.metricsUrl);
  const gauge = /^weather_redis_unavailable (\d)/m.exec(text)?.[1];
  const open = text.match(/^weather_breaker_open.* 1$/gm) ?? [];
  return [
    ...(gauge === '0' ? [] : [`${member.name} reports weather_redis_unavailable ${String(gauge)}`]),
    ...open.map((line) => `${member.name} reports ${line}`),
  ];
}

function isSmall(member: Member): string[] {
  const bytes = member.residentBytes();
  return bytes < MAX_BYTES ? [] : [`${member.name} takes ${Math.round(bytes / MEBIBYTE)} MiB`];
}

async function leavesNothing(fleet: Fleet): Promise<string[]> {
  const faults = await fleet.command(async (redis) => {
    const names = await redis.keys('*');
    const ttls = await Promise.all(names.map((name) => redis.pttl(name)));
    const withoutTtl = names.filter((name, n) => ttls[n] === -1 && !QUEUE_KEYS.test(name));
    // In a cluster, one node has the queue.
    const waiting = names.includes(`${QUEUE}:wait`) ? await redis.llen(`${QUEUE}:wait`) : 0;
    const events = names.includes(`${QUEUE}:events`) ? await redis.xlen(`${QUEUE}:events`) : 0;
    return [
      ...withoutTtl.map((name) => `${name} has no TTL`),
      ...(waiting === 0 ? [] : [`${waiting} jobs wait`]),
      ...(events < MAX_EVENTS ? [] : [`${events} events of the queue are kept`]),
    ];
  });
  return faults.flat();
}
