import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gazetteer } from '../support/gazetteer.js';

/** Codes of airports, each with its town. */
const AIRPORTS = `
MUC Munich | FRA Frankfurt am Main | BER Berlin | HAM Hamburg | DUS Düsseldorf | STR Stuttgart | CGN Köln
VIE Vienna | ZRH Zürich | GVA Geneva | CDG Paris | ORY Paris | NCE Nice | LHR London | LGW London | LCY London
MAN Manchester | EDI Edinburgh | DUB Dublin | AMS Amsterdam | BRU Brussels | CPH Copenhagen | OSL Oslo
ARN Stockholm | HEL Helsinki | KEF Reykjavík | MAD Madrid | BCN Barcelona | PMI Palma | LIS Lisbon | FCO Rome
MXP Milan | ATH Athens | IST Istanbul | WAW Warsaw | PRG Prague | BUD Budapest | SVO Moscow | JFK New York City
EWR Newark | ORD Chicago | LAX Los Angeles | SFO San Francisco | DFW Dallas | DCA Washington | ATL Atlanta
YYZ Toronto | YVR Vancouver | MEX Mexico City | GRU São Paulo | EZE Buenos Aires | LPB La Paz | CAI Cairo
JNB Johannesburg | NBO Nairobi | DXB Dubai | DOH Doha | DEL Delhi | BOM Mumbai | SIN Singapore | HKG Hong Kong
PEK Beijing | PVG Shanghai | HND Tokyo | NRT Narita | KIX Osaka | ICN Seoul | BKK Bangkok | SYD Sydney
AKL Auckland | HNL Honolulu | NQZ Astana | HOU Houston | SHA Shanghai
IAD Washington | BWI Baltimore | CUN Cancún | KUL Kuala Lumpur | VRN Verona | MHT Manchester
EDDM Munich | EGLL London | KJFK New York City | RJTT Tokyo | LFPG Paris | ENGM Oslo | SLLP La Paz | K2W6 -`
  .split(/[|\n]/)
  .map((row) => row.trim())
  .filter(Boolean)
  .map((row): [code: string, town: string] => [
    row.split(' ')[0]!,
    row.slice(row.indexOf(' ') + 1),
  ]);

/** Codes of cities with several airports. */
const CITIES: [code: string, city: string][] = [
  ...([
    ['LON', 'London'],
    ['NYC', 'New York City'],
    ['PAR', 'Paris'],
    ['TYO', 'Tokyo'],
  ] as const),
  ...([
    ['WAS', 'Washington'],
    ['CHI', 'Chicago'],
    ['OSA', 'Osaka'],
    ['SPK', 'Sapporo'],
  ] as const),
  ...([
    ['MIL', 'Milan'],
    ['ROM', 'Rome'],
    ['MOW', 'Moscow'],
    ['STO', 'Stockholm'],
  ] as const),
  ...([
    ['BJS', 'Beijing'],
    ['SEL', 'Seoul'],
    ['RIO', 'Rio de Janeiro'],
  ] as const),
].map(([code, city]) => [code, city]);

describe('a code', () => {
  it('of an airport has its name, its position, its height, and its town', () => {
    const munich = gazetteer.byCode('MUC')!;
    assert.deepEqual(munich, {
      ...{ city: 'Munich', country: 'Germany', countryCode: 'DE', region: 'Bavaria' },
      ...{ timeZone: 'Europe/Berlin', latitude: 48.3538, longitude: 11.7861, elevation: 453 },
      ...{ code: 'MUC', airport: 'Munich Airport' },
    });
    assert.deepEqual(gazetteer.byCode('EDDM'), { ...munich, code: 'EDDM' });
    for (const [code, town] of AIRPORTS) {
      assert.equal(gazetteer.byCode(code)?.city ?? '-', town, code);
    }
  });

  it('of a city is the city, unless an airport has the same code', () => {
    for (const [code, city] of CITIES) {
      const place = gazetteer.byCode(code)!;
      assert.deepEqual([place.city, place.airport, place.code], [city, undefined, code]);
      const match = gazetteer.findCity(city, place.countryCode);
      assert.ok(match.kind === 'found', city);
      assert.deepEqual({ ...match.place, code }, place);
    }
    for (const code of ['BER', 'HOU', 'SHA']) assert.ok(gazetteer.byCode(code)?.airport, code);
  });

  it('that is closed, local, or unknown has no place', () => {
    for (const code of ['TXL', 'SXF', 'ZOW', 'QQQ', 'muc', '', '__proto__', 'ZZZZ']) {
      assert.equal(gazetteer.byCode(code), undefined, code);
    }
  });
});
