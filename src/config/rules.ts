import { isIP } from 'node:net';
import Joi from 'joi';
import { MAX_REQUESTS, MAX_SECONDS, parseLimit, type Limit } from '../limits/rate-limit-window.js';

/**
 * The schemas of values. An error in `custom` says what the text must be. No message repeats a
 * value, because it can be secret.
 */

export interface Address {
  host: string;
  port: number;
}

/** How values are validated. Messages have no label: the name of the variable comes before them. */
export const PREFERENCES: Joi.ValidationOptions = {
  abortEarly: false,
  // Everything else in the environment of a process is left out.
  stripUnknown: { objects: true },
  errors: { label: false, wrap: { array: false } },
  messages: {
    'any.custom': '{#error.message}',
    'boolean.base': 'must be true or false',
    'array.sparse': 'must not contain an empty item',
    // The name of a pattern says what a text must be.
    'string.pattern.name': '{#name}',
    'object.and': '{#presentWithLabels} and {#missingWithLabels} must be set together',
    'object.oxor': '{#presentWithLabels} must not both be set',
    'object.with': '{#mainWithLabel} needs {#peerWithLabel}',
  },
};

/** One day. Sums of several times must fit into a timer of Node.js, which ends after 25 days. */
const MAX_MILLISECONDS = 86_400_000;

/** A blank variable counts as not set, because Compose files set variables to an empty text. */
const BLANK = Joi.string().trim().valid('');

/** Joi, with schemas for which a blank text counts as not set. */
const joi = Joi.defaults((schema) => schema.empty(BLANK));

export const count = (min: number, max: number) => joi.number().integer().min(min).max(max);
export const port = count(0, 65_535);
export const seconds = count(1, MAX_SECONDS);
export const secondsOrOff = seconds.min(0);
export const milliseconds = count(1, MAX_MILLISECONDS);
/** The requests of a rate limit window. */
export const requests = count(0, MAX_REQUESTS);
export const flag = joi.boolean();
export const text = joi.string().trim();
/** A password. Spaces at its ends are part of it. Only a line break at its end is removed. */
export const password = joi.string().replace(/\r?\n$/, '');

export const oneOf = <T extends string>(...words: T[]) =>
  (text as Joi.StringSchema<T>).valid(...words);

/** A variable without a default. Its value can be undefined. */
export const optional = <T>(schema: Joi.Schema<T>) => schema as Joi.AnySchema<T | undefined>;

/**
 * A comma-separated list of valid items without duplicates. If an item refers to a variable, the
 * list has a `when` for it, so Joi validates it first. `Joi.extend` would take 13 ms of every
 * start.
 */
export function list<T>(item: Joi.Schema<T>): Joi.StringSchema<T[]> {
  const items = Joi.array<T[]>().items(item).unique();
  return joi
    .string<T[]>()
    .trim()
    .custom((value: string, { state }) => {
      const [context] = state.ancestors as [object];
      const result = items.validate(value.split(','), { ...PREFERENCES, context });
      if (!result.error) return result.value;
      throw new Error(result.error.details.map(({ message }) => message).join('; '));
    });
}

/** `host:port`, with an IPv6 address in square brackets. */
export const address = joi
  .string<Address>()
  .trim()
  .custom((value: string): Address => {
    const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(value);
    const number = Number(match?.[3]);
    if (!match || number < 1 || number > 65_535) throw new Error('must be host:port');
    return { host: match[1] ?? match[2] ?? '', port: number };
  });

/** An address to listen on. Compiling Joi's own rule would take 15 ms of every start. */
export const host = text.custom((value: string) => {
  const isName = /^[\p{L}\d]([\p{L}\d.-]*[\p{L}\d])?$/u.test(value) && !/^[\d.]+$/.test(value);
  if (isIP(value) === 0 && !isName) throw new Error('must be an IP address or a host name');
  return value;
});

const MAX_CALL_WINDOWS = 4;

/** Budgets by provider, such as `name=60/60,1000/86400;other=1/1`. `none` or blank: no budgets. */
export function budgets<T extends string>(...names: T[]): Joi.StringSchema<Map<T, Limit[]>> {
  const schema = joi
    .string<Map<T, Limit[]>>()
    .trim()
    .custom((value: string) => {
      const limitsOf = new Map<T, Limit[]>();
      if (value === 'none') return limitsOf;
      for (const part of value.split(';')) {
        const [name = '', ...limits] = part.split('=');
        const provider = names.find((each) => each === name.trim());
        if (provider === undefined || limitsOf.has(provider)) {
          const example = `${names.join('=60/60;')}=60/60`;
          throw new Error(`must contain only these providers, each once, such as ${example}`);
        }
        limitsOf.set(provider, callWindows(limits.join('=')));
      }
      return limitsOf;
    });
  return schema.empty().replace(/^$/, 'none');
}

/** Parses the windows of a budget, such as `60/60,1000/86400`. @throws Error if it is not valid */
export function callWindows(value: string): Limit[] {
  const windows = value.split(',');
  const limits = windows.flatMap((window) => parseLimit(window, Infinity) ?? []);
  const lengths = new Set(limits.map(({ windowSeconds }) => windowSeconds));
  if (lengths.size === windows.length && windows.length <= MAX_CALL_WINDOWS) return limits;
  throw new Error(
    `must give a provider at most ${MAX_CALL_WINDOWS} windows of different lengths as calls/seconds, both at least 1`,
  );
}

/** The origin of a browser client. No origin equals a pattern such as https://*.example.com. */
export const origin = text.custom((value: string) => {
  const found = originOf(value);
  if (found === undefined || found === 'null' || found.includes('*')) {
    throw new Error('must be an origin such as https://app.example.com, without a path');
  }
  return found;
});

export const baseUrl = text.custom((value: string) => {
  const found = originOf(value);
  if (!found?.startsWith('http')) {
    throw new Error('must be an http or https address without a user, a path, or a query');
  }
  return found;
});

/** The URL of a Redis. A text that the client could not decode is a fault. */
export const redisUrl = text.custom((value: string) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url?.hostname || !/^rediss?:$/.test(url.protocol)) {
    throw new Error('must be a URL such as redis://user:password@host:6379 or rediss://host');
  }
  try {
    decodeURIComponent(`${url.username}:${url.password}`);
  } catch {
    throw new Error('has a user or password that is not percent-encoded: write % as %25');
  }
  if (!/^\/?\d*$/.test(url.pathname)) {
    throw new Error('must have only the number of a database after the host');
  }
  if (url.search || url.hash) {
    throw new Error('must not have options: the service sets its own');
  }
  return value;
});

/** Returns the origin of a URL that has nothing else, such as a path; otherwise undefined. */
function originOf(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const { origin: found, href } = new URL(value);
  return href === `${found}/` ? found : undefined;
}
