import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { encodeGazetteer } from './encode.js';
import { assemble } from './assemble.js';
import { buildPart, type CountryRange } from './build.js';
import { readCountryNames } from './country-names.js';
import type { Part } from './part.js';
import { readRegions } from './regions.js';

/** Each range has half of the work. More than two parts would read all sources more often. */
const RANGES: CountryRange[] = [
  { first: 'AA', end: 'JA' },
  { first: 'JA', end: 'ZZ' },
];

/**
 * Makes the gazetteer's file in several threads, in about 8 seconds on two cores.
 * `tools/build/gazetteer.ts` bundles this module and calls it.
 *
 * @param report receives the name of each step
 */
export default async function gazetteerFile(report: (step: string) => void): Promise<Buffer> {
  const parts = Promise.all(RANGES.map((range, i) => partOf(range, i === 0 ? report : undefined)));
  const regions = readRegions();
  const countryNames = readCountryNames(regions);
  return encodeGazetteer(assemble(await parts, countryNames, regions));
}

/** Builds a part in another thread, which runs this module. @throws Error that the thread threw */
function partOf(range: CountryRange, report?: (step: string) => void): Promise<Part> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: range, execArgv: [] });
    worker.on('message', (message: string | Part) => {
      if (typeof message === 'string') report?.(message);
      else resolve(message);
    });
    worker.on('error', reject);
  });
}

if (!isMainThread) {
  const report = (step: string): void => parentPort?.postMessage(step);
  parentPort?.postMessage(buildPart(workerData as CountryRange, report));
}
