import type { Group } from '../groups.js';
import { load } from '../tools/load.js';
import { browserHeaders, getRequest, PLAIN_PATH } from '../tools/requests.js';
import { LONG_CACHE, newSession, startStack } from '../tools/servers.js';
import { median } from '../tools/statistics.js';

const CONNECTIONS = 64;
const METRIC = 'nodejs_eventloop_lag_p99_seconds';
/** The rate counts as half of the highest when it is this close. */
const TOLERANCE = 0.05;
const ATTEMPTS = 4;

/**
 * How late the event loop is at half of the rate that a replica reaches. 64 connections pause between
 * their requests, for random times whose mean is set until the rate fits. The figure is the service's
 * own metric: it contains the 10 ms between two looks at the clock.
 */
export const loopDelay: Group = async ({ settings, onEnd }) => {
  const stack = await startStack(LONG_CACHE);
  onEnd(() => stack.stop());
  const { port, metricsPort } = stack.replica;
  const requests = [getRequest(PLAIN_PATH, browserHeaders(await newSession(port)))];
  const { seconds, warmUpSeconds, rounds } = settings;

  await load({ port, requests, seconds: warmUpSeconds });
  const highest = (await load({ port, requests, seconds: seconds + 1 })).perSecond;
  const wanted = highest / 2;
  let pauseMs = (CONNECTIONS / wanted) * 1000;
  const delays: number[] = [];
  const rates: number[] = [];
  let attempts = 0;
  while (delays.length < Math.min(rounds, 3)) {
    // Reading it also sets it back.
    await metric(metricsPort);
    const { perSecond } = await load({ port, requests, seconds: seconds + 1, pauseMs });
    const delay = await metric(metricsPort);
    stack.replica.clearOutput();
    if (Math.abs(perSecond / wanted - 1) < TOLERANCE || attempts >= ATTEMPTS) {
      delays.push(delay * 1000);
      rates.push(perSecond);
    } else attempts += 1;
    // What a connection needs for a request, beside its pause, stays about the same.
    pauseMs = Math.max(1, pauseMs + (CONNECTIONS / wanted - CONNECTIONS / perSecond) * 1000);
  }
  const details = `at ${Math.round(median(rates))}/s of ${Math.round(highest)}/s`;
  return { rows: { 'loop-delay': { value: median(delays), details } } };
};

async function metric(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const value = new RegExp(`^${METRIC}(?:\\{.*\\})? (\\S+)`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`there is no metric ${METRIC}`);
  return Number(value);
}
