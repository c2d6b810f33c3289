import type { IncomingMessage } from 'node:http';
import { createLru } from '../../base/lru.js';
import { parseTarget, type Target } from '../input/request-target.js';

/** Maximum length of the URL of a known target. */
const MAX_LENGTH = 250;
/** Enough for about 9,000 targets of current weather with their prepared answers. */
const MAX_BYTES = 16_000_000;
/** Bytes that a known target takes besides its URL and the body of its answer. */
const TARGET_BYTES = 1500;

/** Remembers the targets of GET requests that were hits: their repetitions need no routing, validation, or search. */
export function createKnownTargets() {
  const targets = createLru<string, Target>(MAX_BYTES, {
    sizeCalculation: ({ resolved }, url) =>
      TARGET_BYTES + url.length + (resolved?.prepared?.answer.body.length ?? 0),
  });
  return {
    /** Returns the known target of a request, or a new one. */
    findOrParse: ({ method, url = '' }: IncomingMessage): Target =>
      (isGetOrHead(method) ? targets.get(url) : undefined) ?? parseTarget(url),

    remember({ method, url = '' }: IncomingMessage, target: Target): void {
      if (!target.resolved || target.isKnown || !isGetOrHead(method) || url.length > MAX_LENGTH)
        return;
      target.isKnown = true;
      // The resolved request has the values of the parameters. They would only take memory.
      target.parameters = undefined;
      targets.set(url, target);
    },
  };
}

function isGetOrHead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}
