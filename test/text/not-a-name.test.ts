import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { instead } from '../../src/text/not-a-name.js';
import { positionIn } from '../../src/text/position.js';

describe('a position', () => {
  it('is understood as maps, phones, and people write it', () => {
    const rows: [lat: string, lon: string, ...texts: string[]][] = [
      ['48.1', '11.5', '48.1, 11.5', '48.1 11.5', '48.1/11.5', '(48.1, 11.5)', '48.1°, 11.5°'],
      ['48.1', '11.5', '48,1 11,5', '48,1, 11,5', '48,1; 11,5', 'geo:48.1,11.5'],
      ['+48.1', '+11.', '+48.1 +11.'],
      ['48.1', '11.5', '48.1N 11.5E', '48.1N11.5E', 'N48.1 E11.5', 'E 11.5, N 48.1'],
      [
        '48.1',
        '11.5',
        'lat 48.1 lon 11.5',
        'lat=48.1, lon=11.5',
        'latitude: 48.1, longitude: 11.5',
      ],
      ['52.52', '13.41', '52.52° N, 13.41° E', '52°31′12″N 13°24′36″E', `52°31.2'N, 13°24.6'E`],
      ['-33.8688', '151.2093', '−33,8688; 151,2093', '33.8688 S, 151.2093 E', '33.8688S 151.2093E'],
      ['40.44611', '-79.98222', `40°26'46"N 79°58'56"W`, `40° 26' 46" N, 79° 58' 56" W`],
      ['48', '11', '48,11', '48 11'],
    ];
    for (const [lat, lon, ...texts] of rows) {
      for (const text of texts) assert.deepEqual(positionIn(text), { lat, lon }, text);
    }
  });

  it('is not a text out of range, with two latitudes, or with one or three numbers', () => {
    for (const text of [
      '91, 5',
      '5, 181',
      '48.1N 11.5N',
      '48.1',
      '1 2 3',
      '123 45',
      'Paris, France',
    ]) {
      assert.equal(positionIn(text), undefined, text);
    }
  });
});

describe('a text that is not the name of a city', () => {
  it('gets a sentence that says what to write instead', () => {
    const rows: [beginning: string, ...texts: string[]][] = [
      ['This is a position. Send it as lat=48.1 and lon=11.5', '48,1 11,5', '48.1N 11.5E'],
      // The United States, Germany, India, Brazil, Portugal, Poland, Japan.
      [
        'Postal codes are',
        '90210',
        '90210-1234',
        '10115',
        '110001',
        '12345-678',
        '1010-001',
        '00-950',
      ],
      ['Postal codes are', '１００－０００１'],
      ['This can be the code of an airport. Send it as code=HND', 'HND', 'ＨＮＤ', ' ｈｎｄ '],
      ['Postal codes are', '100-0001', 'SW1A 1AA', 'ec1a1bb', 'M5V 2T6', '1012 AB', 'D02 AF30'],
      [
        'Postal codes are',
        'C1002AAA',
        'D-10115',
        'CH-8001',
        'SE-111 22',
        '111 22',
        'VLT 1117',
        'AD500',
      ],
      [
        'Postal codes and addresses',
        '10115 Berlin',
        'Beverly Hills, CA 90210',
        '10 Downing Street',
        'D-80331 München',
        'EC1A 1BB London',
        '〒100-0001 東京都千代田区',
        '4HX8+QC Munich',
      ],
      ['This can be the code of an airport. Send it as code=MUC:', 'MUC', ' muc'],
      ['This can be the code of an airport. Send it as code=EDDM:', 'EDDM'],
    ];
    for (const [beginning, ...texts] of rows) {
      for (const text of texts) assert.ok(instead(text)?.startsWith(beginning), text);
    }
  });

  it('is not a name, or a name with a typing error', () => {
    for (const text of ['Oslo', 'Ulm', 'St. Louis', 'Seattle1', 'Seattle123', '<b>', 'Åre', '']) {
      assert.equal(instead(text), undefined, text);
    }
  });
});
