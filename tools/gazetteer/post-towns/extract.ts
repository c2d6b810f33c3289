import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What `post-towns.json` holds: the towns of the post offices of the United States, each with its state. */
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
 * The towns of the postal codes in the package zipcodes, which has them of federalgovernmentzipcodes.us. A town of
 * several codes is at their middle. The package's Canadian codes are left out: their source names no licence.
 *
 * @param modules the folder that holds the package
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

/** Ships and garrisons have codes too, as if of states AA, AE and AP; some codes have no point. */
function isTown({ state, latitude, longitude }: Code): boolean {
  return !/^A[AEP]$/.test(state) && (latitude !== 0 || longitude !== 0);
}

/** The median, to 1 km: one of the codes may be at a wrong point. */
function middle(degrees: number[]): number {
  const sorted = [...degrees].sort((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(2));
}
