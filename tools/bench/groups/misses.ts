import type { Group } from '../groups.js';
import { load } from '../tools/load.js';
import { cpuMicros } from '../tools/proc.js';
import { browserHeaders, getRequest, PLAIN_PATH, pointPaths } from '../tools/requests.js';
import { newSession, startProgram, startStack, type Server } from '../tools/servers.js';
import { median, medianRatio, spread } from '../tools/statistics.js';

/** Enough for each phase, so that no place comes twice. */
const PLACES_PER_SECOND = 8000;
const ALL_PLACES = 130_000;

/**
 * Different cold places as fast as 64 connections ask for them: one replica, one worker with its
 * default concurrency and budgets, a provider that answers at once. The provider counts, so that a
 * place that was not fetched is not taken for a miss. Before each round bare Koa answers as many connections.
 */
export const misses: Group = async ({ settings, onEnd }) => {
  const stack = await startStack();
  onEnd(() => stack.stop());
  const bare = await startProgram('bare');
  onEnd(() => bare.stop());
  const plain = [getRequest(PLAIN_PATH)];
  const headers = browserHeaders(await newSession(stack.replica.port));
  const rounds = Math.min(settings.rounds, 5);
  const seconds = settings.seconds + 1;
  const each = Math.min(PLACES_PER_SECOND * seconds, Math.floor(ALL_PLACES / (rounds + 1)));
  const paths = pointPaths(each * (rounds + 1));

  const processes = { replica: stack.replica, worker: stack.worker, redis: stack.redis };
  const rates: number[] = [];
  const costs: { value: number; over: number }[] = [];
  let parts = '';
  for (let round = 0; round <= rounds; round += 1) {
    const requests = paths
      .slice(round * each, (round + 1) * each)
      .map((path) => getRequest(path, headers));
    const koaBefore = cpuMicros(bare.pid);
    const koa = await load({ port: bare.port, requests: plain, seconds: 1 });
    const over = (cpuMicros(bare.pid) - koaBefore) / koa.answered;
    const before = Object.values(processes).map(({ pid }) => cpuMicros(pid));
    const calls = await callsOf(stack.provider);
    const { answered, refused, perSecond } = await load({
      port: stack.replica.port,
      requests,
      seconds,
    });
    const fetched = (await callsOf(stack.provider)) - calls;
    if (refused > 0) throw new Error(`${refused} of ${answered} misses failed`);
    if (fetched < answered) throw new Error(`${answered} answers, but ${fetched} fetches`);
    stack.replica.clearOutput();
    stack.worker.clearOutput();
    const cpu = Object.entries(processes).map(
      ([name, { pid }], i) => [name, (cpuMicros(pid) - before[i]!) / answered] as const,
    );
    parts = cpu.map(([name, micros]) => `${name} ${Math.round(micros)}`).join(', ');
    // The first round warms up.
    if (round === 0) continue;
    rates.push(perSecond);
    costs.push({ value: cpu.reduce((sum, [, micros]) => sum + micros, 0), over });
  }
  const { lowest, highest } = spread(costs.map(({ value, over }) => value / over));
  const rate = Math.round(median(rates));
  return {
    rows: {
      'miss-cpu': {
        value: medianRatio(costs),
        details: `${lowest.toFixed(0)}–${highest.toFixed(0)}; ${parts} µs; ${rate}/s`,
      },
    },
  };
};

async function callsOf(provider: Server): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${provider.port}/calls`);
  return ((await reply.json()) as { calls: number }).calls;
}
