import type { ObjectSchema } from 'joi';
import { UpstreamError } from '../weather/errors.js';
import { isObject } from '../base/is-object.js';
import { validate } from '../upstream/schema.js';
import { HOUR_MS } from '../weather/time/durations.js';
import { instantOf } from './weather-values.js';

/**
 * The steps from one instant to another in order, at most one for each hour: real steps are at
 * least an hour apart. Of several steps in an hour, the first one of the response remains. So the
 * time to read the returned steps is bounded.
 * @param steps in any order
 * @param from milliseconds since the Unix epoch
 */
export function stepsBetween<S extends { time: number }>(
  steps: S[],
  from: number,
  to: number,
): S[] {
  const byHour = new Map<number, S>();
  for (const step of steps) {
    const hour = Math.floor(step.time / HOUR_MS);
    if (step.time >= from && step.time <= to && !byHour.has(hour)) byHour.set(hour, step);
  }
  return [...byHour.values()].sort((a, b) => a.time - b.time);
}

/**
 * The steps between two instants, in order. Only these are validated: a response can have hundreds.
 * @param rule.timeName the member with the time of a step
 * @returns each step with its time, in milliseconds since the Unix epoch
 * @throws UpstreamError (`bad_answer`) if a step has no time, or one between breaks the schema
 */
export function readSteps<Step>(
  upstream: string,
  steps: unknown[],
  rule: { timeName: string; schema: ObjectSchema<Step>; from: number; to: number },
): { time: number; step: Step }[] {
  const { timeName, schema, from, to } = rule;
  const timed = steps.map((step) => {
    const time = instantOf(isObject(step) ? step[timeName] : undefined);
    if (!Number.isNaN(time)) return { time, step };
    throw new UpstreamError(upstream, 'bad_answer', 'a step has no time');
  });
  const used = stepsBetween(timed, from, to);
  return used.map(({ time, step }) => ({ time, step: validate(upstream, schema, step) }));
}
