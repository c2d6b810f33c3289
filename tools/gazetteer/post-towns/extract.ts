import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The content of `post-towns.json`: the towns of post offices in the United States, with their states. */
export interface Extract {
  source: string;
  license: string;
  towns: [name: string, state: string, latitude: number, longitude: number][];
}

interface Code {
  city: string;
  state: string;
  latitude: number;
  longitude: number;
}

/**
 * Extracts the towns of postal codes from the package zipcodes (data of federalgovernmentzipcodes.us). The coordinates of
 * a town are the median of its codes. The Canadian codes are left out, because their source has no license.
 *
 * @param modules the folder with the package
 */
export function extract(modules: string): Extract {
  const require = createRequire(join(modules, 'package.json'));
  const { codes } = require('zipcodes/lib/codes.js') as { codes: Record<string, Code> };
  const { version } = require('zipcodes/package.json') as { version: string };
  const towns = new Map<string, Code[]>();
  for (const code of Object.values(codes).filter(isTown)) {
    const key = `${code.state}:${code.city}`;
    const known = towns.get(key);
    if (known) known.push(code);
    else towns.set(key, [code]);
  }
  return {
    source: `package zipcodes ${version}`,
    license: 'BSD, see LICENSE',
    towns: [...towns]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, all]) => [
        all[0]?.city ?? '',
        all[0]?.state ?? '',
        middle(all.map(({ latitude }) => latitude)),
        middle(all.map(({ longitude }) => longitude)),
      ]),
  };
}

/** Leaves out codes of ships and garrisons, which have the states AA, AE, and AP, and codes without coordinates. */
function isTown({ state, latitude, longitude }: Code): boolean {
  return !/^A[AEP]$/.test(state) && (latitude !== 0 || longitude !== 0);
}

/** Returns the median, rounded to about 1 km. A single code with wrong coordinates does not matter. */
function middle(degrees: number[]): number {
  const sorted = [...degrees].sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(2));
}
