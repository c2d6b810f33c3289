import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { europeanIndex } from '../../src/weather/european-aqi.js';
import { stubEuropeanIndex } from '../support/stub-provider-air.js';
import { fc } from '../support/properties.js';

/** Air in which no pollutant matters. */
const CLEAN = { pm2_5: 0, pm10: 0, ozone: 0, nitrogen_dioxide: 0, sulphur_dioxide: 0 };
const rounded = (air: object) => Math.round((europeanIndex({ ...CLEAN, ...air }) ?? NaN) * 10) / 10;

describe('the European air quality index', () => {
  it('is that of the worst pollutant, by the table of 2024', () => {
    for (const [air, index] of [
      [{}, 0],
      [{ pm2_5: 3.2 }, 12.8],
      [{ pm2_5: 5 }, 20],
      [{ pm2_5: 13.7 }, 37.4],
      [{ pm2_5: 20 }, 42.9],
      [{ pm2_5: 60 }, 65],
      [{ pm2_5: 160 }, 108],
      [{ ozone: 58, pm2_5: 3.2 }, 19.3],
      [{ ozone: 116, pm2_5: 13.7, pm10: 25.3, nitrogen_dioxide: 5.7 }, 56],
      [{ nitrogen_dioxide: 100 }, 80],
      [{ sulphur_dioxide: 275 }, 100],
      [{ pm10: 1000 }, 294.7],
    ] as const) {
      assert.equal(rounded(air), index, JSON.stringify(air));
    }
  });

  it('is not known if a pollutant is missing or implausible', () => {
    for (const name of Object.keys(CLEAN)) {
      for (const value of [undefined, null, -1, NaN]) {
        assert.equal(europeanIndex({ ...CLEAN, [name]: value }), undefined, name);
      }
    }
  });

  it('is that of another computation for any concentrations', () => {
    const amount = fc.double({ min: 0, max: 1500, noNaN: true });
    fc.assert(
      fc.property(amount, amount, amount, amount, amount, (pm2_5, pm10, o3, no2, so2) => {
        const air = { pm2_5, pm10, ozone: o3, nitrogen_dioxide: no2, sulphur_dioxide: so2 };
        const other = stubEuropeanIndex({ pm2_5, pm10, o3, no2, so2 });
        assert.ok(Math.abs(europeanIndex(air)! - other!) <= 0.5 + 1e-6);
      }),
    );
  });
});
