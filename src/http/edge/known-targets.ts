import type { IncomingMessage } from 'node:http';
import { createLru } from '../../base/lru.js';
import { parseTarget, type Target } from '../input/request-target.js';

/** Maximum length of the URL of a known target. */
const MAX_LENGTH = 250;
/** Bytes of all known targets with their prepared answers, about: 9,000 of current weather. */
const MAX_BYTES = 16_000_000;
/** Bytes of a known target besides its URL and the body of its answer, about. */
const TARGET_BYTES = 1500;

/**
 * Remembers the targets of GET requests that were hits: most requests repeat an earlier one, and need no routing, validation,
 * and search again.
 */
export function createKnownTargets() {
  const known = createLru<string, Target>(MAX_BYTES, {
    sizeCalculation: ({ resolved }, url) =>
      TARGET_BYTES + url.length + (resolved?.prepared?.answer.body.length ?? 0),
  });
  return {
    /** Returns the known target of a request, or a new one. */
    of: ({ method, url = '' }: IncomingMessage): Target =>
      (isRead(method) ? known.get(url) : undefined) ?? parseTarget(url),

    /** Remembers the target of a request if there was a hit for it. */
    remember({ method, url = '' }: IncomingMessage, target: Target): void {
      if (!target.resolved || target.isKnown || !isRead(method) || url.length > MAX_LENGTH) return;
      target.isKnown = true;
      // The resolved request has the values of the parameters. They would only take memory.
      target.parameters = undefined;
      known.set(url, target);
    },
  };
}

/** Whether a method only reads: a route of GET also serves HEAD. */
function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD';
}
