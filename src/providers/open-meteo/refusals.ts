import type { Explain, Refusal } from '../../upstream/failures.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The service is answering other calls of this address. They end within seconds. */
const CONCURRENT_MS = 3_000;
/** A wrong key stays wrong until somebody changes it. */
const KEY_MS = 10 * MINUTE_MS;
/** A sweep clears the counters once a minute. Until then the window before still counts. */
const SWEEP_MS = 90_000;

/**
 * What the refusals of Open-Meteo's services mean. They name the window in the text and send no
 * `Retry-After` (open-meteo/open-meteo, RateLimiter.swift): counters are cleared each minute,
 * on the hour, and at 00:00 UTC.
 */
export const explainOpenMeteo: Explain = (answer) => {
  const { status, body, at } = answer;
  if (status === 429) return quota(body, at);
  if ((status === 400 || status === 401) && /api key/i.test(body)) {
    return { kind: 'quota', message: 'the key is missing or not valid', retryAfterMs: KEY_MS };
  }
  return undefined;
};

function quota(body: string, at: number): Refusal | undefined {
  const refusal = (message: string, retryAfterMs: number): Refusal => ({
    kind: 'quota',
    message,
    retryAfterMs,
  });
  if (/concurrent/i.test(body)) return refusal('too many concurrent requests', CONCURRENT_MS);
  if (/minutely/i.test(body)) return refusal('quota of the minute used up', MINUTE_MS);
  if (/hourly/i.test(body)) return refusal('quota of the hour used up', untilNext(HOUR_MS, at));
  if (/daily/i.test(body)) return refusal('quota of the day used up', untilNext(DAY_MS, at));
  return undefined;
}

/** Until the window ends. Just after its start the refusal is still about the one before. */
function untilNext(windowMs: number, at: number): number {
  const elapsed = at % windowMs;
  return elapsed < SWEEP_MS ? MINUTE_MS : windowMs - elapsed;
}
