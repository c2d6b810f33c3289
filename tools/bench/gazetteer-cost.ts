/** Prints the cost of the gazetteer: file size, load time, memory, lookups, suggestions. Run it with --expose-gc. */
import { statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

interface Row {
  what: string;
  value: string;
}

const rssBefore = settledRss();
const started = performance.now();
// Imported here, so that its libraries are part of the measurement.
const { GAZETTEER_FILE, loadGazetteer } = await import('../../src/places/gazetteer.js');
const gazetteer = loadGazetteer(GAZETTEER_FILE);
const loadMs = performance.now() - started;
const rssAfter = settledRss();

const names: [city: string, country: string][] = [
  ['London', 'UK'],
  ['北京', '中国'],
  ['São Paulo', 'Brasil'],
  ['St. Petersburg', 'Russia'],
  ['San Juan', 'USA'],
  ['القاهرة', 'Egypt'],
];
const hostile = 'abcdefghij'.repeat(10);
const points = Array.from({ length: 1000 }, (_, i) => ({
  latitude: -55 + ((i * 7919) % 1250) / 10,
  longitude: -180 + ((i * 104729) % 3600) / 10,
}));
const towns = names.flatMap(([city, country]) => {
  const match = gazetteer.findCity(city, country);
  return match.kind === 'found' ? [match.place] : [];
});

const rows: Row[] = [
  { what: 'file', value: `${(statSync(GAZETTEER_FILE).size / 1e6).toFixed(1)} MB` },
  { what: 'load, libraries included', value: `${loadMs.toFixed(0)} ms` },
  { what: 'memory (RSS) added', value: `${((rssAfter - rssBefore) / 1e6).toFixed(0)} MB` },
  {
    what: 'lookup by name',
    value: micros(200_000, (i) => gazetteer.findCity(...names[i % names.length]!)),
  },
  {
    what: 'unknown name, three near names (United States)',
    value: micros(300, () => gazetteer.findCity('Sacramentoo', 'US')),
  },
  {
    what: 'hostile name of 100 letters',
    value: micros(20_000, () => gazetteer.findCity(hostile, 'US')),
  },
  {
    what: 'reverse, in large cities',
    value: micros(20_000, (i) => gazetteer.nearest(towns[i % towns.length]!)),
  },
  {
    what: 'reverse, anywhere',
    value: micros(20_000, (i) => gazetteer.nearest(points[i % points.length]!)),
  },
];
const scripts = ['abcdefghijklmnopqrstuvwxyz', 'абвгдеклмнопст', '北東新大中', 'ابتجحخ'].join('');
const typed = Array.from(scripts).flatMap((letter) => [
  letter,
  `${letter}a`,
  `${letter}an`,
  `s${letter}`,
]);
const countries = [undefined, 'US', 'CN', 'IN', 'FR', 'Tuvalu', 'England', 'Ceuta'];
for (const country of countries) {
  rows.push({
    what: `suggestions in ${country ?? 'all countries'}, 99th percentile`,
    value: slowest(typed.map((text) => () => gazetteer.suggest(text, 10, country))),
  });
}
const table = rows.map(({ what, value }) => `| ${what} | ${value} |`);
process.stdout.write(['| gazetteer | |', '|---|---|', ...table, ''].join('\n'));

function micros(times: number, run: (i: number) => unknown): string {
  for (let i = 0; i < times / 10; i++) run(i);
  const start = performance.now();
  for (let i = 0; i < times; i++) run(i);
  return `${(((performance.now() - start) * 1000) / times).toFixed(2)} µs`;
}

/** The 99th percentile over the questions. Each counts with the median of nine measurements. */
function slowest(questions: (() => unknown)[]): string {
  const times = questions.map((ask) => {
    const measured = Array.from({ length: 9 }, () => {
      const start = performance.now();
      ask();
      return performance.now() - start;
    });
    return measured.sort((a, b) => a - b)[4]!;
  });
  times.sort((a, b) => a - b);
  return `${(times[Math.floor(times.length * 0.99)]! * 1000).toFixed(0)} µs`;
}

function settledRss(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}
