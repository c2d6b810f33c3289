import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import lookUp from '@photostructure/tz-lookup';
import { displayName, pointOf } from '../../src/places/data/place-record.js';
import { timeZoneOf } from '../../src/places/gazetteer.js';
import { loadPlaceData } from '../../src/places/place-data.js';
import zones from '../../tools/gazetteer/tables/time-zones.json' with { type: 'json' };
import { builtGazetteer } from '../../tools/places/built-gazetteer.js';
import { gazetteer } from '../support/gazetteer.js';

const data = loadPlaceData(builtGazetteer());
/** One day of every second month, which shows each rule for daylight saving time. */
const DAYS = [0, 2, 4, 6, 8, 10].map((month) => Date.UTC(2026, month, 15));
/** The borders of the map are approximate: its borders are up to this far from the right ones. */
const BORDER_KM = [10, 20, 30, 45, 60];
const KM_PER_DEGREE = 111.2;

const offsets = new Map<string, string>();

/** Returns the offsets of a time zone in a year. */
function offsetsOf(timeZone: string): string {
  const known = offsets.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const all = DAYS.map((day) => format.format(day).replace(/^[^,]*, /, '')).join(' ');
  offsets.set(timeZone, all);
  return all;
}

function isNearBorder(latitude: number, longitude: number, wanted: string): boolean {
  return BORDER_KM.some((km) =>
    Array.from({ length: 16 }, (_, i) => (i * Math.PI) / 8).some((angle) => {
      const north = (km / KM_PER_DEGREE) * Math.cos(angle);
      const east = (km / KM_PER_DEGREE) * Math.sin(angle);
      const there = longitude + east / Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
      const near = [Math.max(-90, Math.min(90, latitude + north)), ((there + 540) % 360) - 180];
      return offsetsOf(lookUp(near[0]!, near[1]!)) === wanted;
    }),
  );
}

/** Places far from the map's borders with another offset than the map, and why they are right. */
const REVIEWED: [reason: string, ...countriesAndZones: string[]][] = [
  ['The map has a town at the coast or beyond a mountain in the neighbor.', 'AF Asia/Kabul'],
  ['The map has Saranda in Greece.', 'AL Europe/Tirane'],
  ['Atikokan has Eastern Standard Time all year.', 'CA America/Atikokan'],
  [
    'The map is coarse between sparsely populated countries.',
    'CF Africa/Bangui',
    'NA Africa/Windhoek',
  ],
  ['Both times are used in Xinjiang.', 'CN Asia/Shanghai', 'CN Asia/Urumqi'],
  ['The map is coarse in the Himalayas.', 'IN Asia/Kolkata'],
  ['The map is coarse in Borneo.', 'MY Asia/Kuching'],
  ['The map is coarse in Siberia.', 'RU Asia/Omsk', 'RU Asia/Yakutsk', 'RU Asia/Vladivostok'],
  ['An exclave.', 'TL Asia/Dili'],
  ['Islands that China administers.', 'VN Asia/Ho_Chi_Minh'],
  ['Palena is in Los Lagos, and not in Aysén.', 'CL America/Santiago'],
];

describe('the time zones of all places', () => {
  it('have the offsets of the map, except near its borders and at reviewed places', () => {
    const reviewed = new Set(REVIEWED.flatMap(([, ...groups]) => groups));
    const unexplained = new Set<string>();
    const groups = new Set<string>();
    for (let place = 0; place < data.country.length; place++) {
      const { latitude, longitude } = pointOf(data, place);
      const zone = timeZoneOf(data, place)!;
      const mapped = lookUp(latitude, longitude);
      if (zone === mapped || offsetsOf(zone) === offsetsOf(mapped)) continue;
      if (isNearBorder(latitude, longitude, offsetsOf(zone))) continue;
      const group = `${data.countries[data.country[place]!]!.code} ${zone}`;
      groups.add(group);
      if (!reviewed.has(group))
        unexplained.add(`${group}, not ${mapped}: ${displayName(data, place)}`);
    }
    assert.deepEqual([...unexplained], []);
    assert.deepEqual(
      [...reviewed].filter((group) => !groups.has(group)),
      [],
      'rows without a place',
    );
  });

  it('include the corrections of the table, each with its source', () => {
    for (const { source } of zones.corrections) assert.ok(source.length > 10);
    for (const [city, country, zone] of [
      ['Vincennes', 'USA', 'America/Indiana/Vincennes'],
      ['Quvasoy', 'Uzbekistan', 'Asia/Tashkent'],
      ['Nhamundá', 'Brazil', 'America/Manaus'],
      ['Coyhaique', 'Chile', 'America/Coyhaique'],
      ['Altai', 'Mongolia', 'Asia/Ulaanbaatar'],
      ['Ciudad Río Bravo', 'Mexico', 'America/Matamoros'],
      ['West Wendover', 'USA', 'America/Denver'],
    ] as const) {
      const match = gazetteer.findCity(city, country);
      assert.ok(match.kind === 'found', city);
      assert.equal(match.place.timeZone, zone, city);
      assert.equal(gazetteer.nearest(match.place)?.timeZone, zone, city);
    }
  });

  it('are replaced by one with the same present offset if the runtime does not know them', () => {
    for (const [zone, fallback] of Object.entries(zones.fallbacks)) {
      assert.equal(offsetsOf(zone), offsetsOf(fallback));
      const zoneOf = (name: string) => {
        const replaced = { timeZones: [name], zoneFallbacks: { [name]: fallback } };
        return timeZoneOf({ ...data, ...replaced, timeZone: Uint16Array.of(0) }, 0);
      };
      assert.equal(zoneOf(zone), zone);
      assert.equal(zoneOf('America/Not_Yet'), fallback);
    }
  });

  it('are those of the place that names a point', () => {
    const near = gazetteer.nearest({ latitude: 21.35, longitude: 110.69 });
    assert.equal(near?.timeZone, 'Asia/Shanghai');
    const match = gazetteer.findCity(near.uniqueName, 'China');
    assert.ok(match.kind === 'found' && match.place.timeZone === near.timeZone);
  });
});
