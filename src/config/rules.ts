import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import Joi from 'joi';
import type { CallWindow } from '../upstream/call-budgets.js';

/** The rules that parse the texts of variables. An error message never repeats a text, because it can be secret. */

export interface Address {
  host: string;
  port: number;
}

const MAX_SECONDS = 31_536_000;
/** The longest delay of a timer in Node.js: 31 bits of milliseconds. */
const MAX_MILLISECONDS = 2_147_483_647;

const integer = (min: number, max: number) => Joi.number().integer().min(min).max(max);

export const port = integer(0, 65_535);
export const seconds = integer(1, MAX_SECONDS);
export const secondsOrOff = integer(0, MAX_SECONDS);
export const milliseconds = integer(1, MAX_MILLISECONDS);
export const millisecondsOrNone = integer(0, MAX_MILLISECONDS);
/** The requests of a rate limit window. A higher limit could take more than 10 MB in Redis. */
export const requests = integer(0, 1_000_000);
export const count = integer;
export const flag = Joi.boolean();
export const text = Joi.string();

/** One of several words. */
export function oneOf<T extends string>(...words: T[]): Joi.StringSchema<T> {
  return Joi.string<T>().valid(...words);
}

/** A comma-separated list of valid items without duplicates. */
export function list<T>(item: Joi.Schema<T>): Joi.Schema<T[]> {
  return rule<T[]>((value) => {
    const items = value.split(',').map((part) => part.trim());
    const schema = Joi.array<T[]>().items(item).unique();
    return Joi.attempt(items, schema, { errors: { label: false } });
  });
}

/** `host:port`, with an IPv6 address in square brackets. */
export const address = rule<Address>((value) => {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(value);
  const number = Number(match?.[3]);
  if (!match || number < 1 || number > 65_535) throw new Error('must be host:port');
  return { host: match[1] ?? match[2] ?? '', port: number };
});

/** An address to listen on. The rule of Joi is not used: compiling its expression takes 15 ms of every start. */
export const host = rule<string>((value) => {
  const isName = /^[\p{L}\d]([\p{L}\d.-]*[\p{L}\d])?$/u.test(value) && !/^[\d.]+$/.test(value);
  if (isIP(value) === 0 && !isName) throw new Error('must be an IP address or a host name');
  return value;
});

const MAX_CALL_WINDOWS = 4;

/** Budgets by provider, such as `name=60/60,1000/86400;other=1/1`, or `none`. */
export function budgets<T extends string>(...names: T[]): Joi.Schema<Map<T, CallWindow[]>> {
  return rule<Map<T, CallWindow[]>>((value) => {
    const found = new Map<T, CallWindow[]>();
    if (value === 'none') return found;
    for (const part of value.split(';')) {
      const [name = '', limits = '', ...rest] = part.split('=').map((text) => text.trim());
      const known = names.find((each) => each === name);
      if (known === undefined || rest.length > 0) {
        throw new Error(
          `must contain only providers of ${names.join(', ')}, such as ${names[0] ?? ''}=60/60`,
        );
      }
      if (found.has(known)) throw new Error('must contain each provider once');
      found.set(known, callWindows(limits));
    }
    return found;
  });
}

/** Parses the windows of a budget, such as `60/60,1000/86400`. @throws Error if the text is not valid */
export function callWindows(value: string): CallWindow[] {
  const limits = value.split(',').map((text) => {
    const [, calls, length] = /^\s*(\d{1,9})\/(\d{1,8})\s*$/.exec(text) ?? [];
    const [limit, windowSeconds] = [Number(calls), Number(length)];
    if (!(limit >= 1 && windowSeconds >= 1 && windowSeconds <= MAX_SECONDS)) {
      throw new Error('must give budgets as calls/seconds, both at least 1');
    }
    return { limit, windowSeconds };
  });
  const lengths = new Set(limits.map(({ windowSeconds }) => windowSeconds));
  if (limits.length > MAX_CALL_WINDOWS || lengths.size < limits.length) {
    throw new Error(
      `must give a provider at most ${MAX_CALL_WINDOWS} windows of different lengths`,
    );
  }
  return limits;
}

/** The origin of a browser client. */
export const origin = rule<string>((value) => {
  const url = parsed(value);
  // A pattern such as https://*.example.com is a valid URL, but no origin equals it.
  const isPattern = url?.hostname.includes('*');
  if (!url || isPattern || url.origin === 'null' || url.href !== `${url.origin}/`) {
    throw new Error('must be an origin such as https://app.example.com, without a path');
  }
  return url.origin;
});

/** The base URL of a provider. */
export const baseUrl = rule<string>((value) => {
  const url = parsed(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new Error('must be an http or https address without a path');
  }
  return url.origin;
});

/** The URL of a Redis. A text that the client could not decode is a fault. */
export const redisUrl = rule<string>((value) => {
  const url = parsed(value);
  if (!url?.hostname || !/^rediss?:$/.test(url.protocol)) {
    throw new Error('must be a URL such as redis://user:password@host:6379 or rediss://host');
  }
  if (!isDecodable(url.username) || !isDecodable(url.password)) {
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

/** The name of a PEM file. The value is its content. */
export const pemFile = rule<string>((path) => {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // The error message contains the path, so it is not used.
  }
  if (!text.includes('-----BEGIN ')) throw new Error('must name a PEM file that can be read');
  return text;
});

/** The name of a file that is not empty. The value is the name, because the file may change. */
export const readableFile = rule<string>((path) => {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // The error message contains the path, so it is not used.
  }
  if (text.trim() === '') throw new Error('must name a file that can be read and is not empty');
  return path;
});

/** A prefix of names in Redis. Braces are not allowed: they would select a node of a cluster. */
export const namePrefix = Joi.string().pattern(
  /^[A-Za-z0-9._-]{1,40}$/,
  'letters, digits, dots, hyphens and underscores, at most 40',
);

/** Printable ASCII, which is valid in a header of an HTTP request. */
export const headerText = Joi.string().pattern(/^[\x20-\x7e]+$/, 'printable ASCII');

/** Makes a rule of a function that returns the value, or throws an error that says what the text must be. */
function rule<T>(read: (value: string) => T): Joi.Schema<T> {
  return Joi.string<T>().custom(read);
}

function parsed(value: string): URL | undefined {
  return URL.canParse(value) ? new URL(value) : undefined;
}

function isDecodable(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}
