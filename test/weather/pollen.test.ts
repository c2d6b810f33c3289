import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pointRequest } from '../../src/weather/kinds/point.js';
import { POLLEN } from '../../src/weather/kinds/pollen.js';
import { storedKindContract } from '../contracts/stored-kind.contract.js';

storedKindContract(POLLEN, {
  key: 'pollen:52.5244:13.4105',
  request: '{"point":{"latitude":52.5244,"longitude":13.4105}}',
  values: [
    '{"time":1795655700000,"alder_pollen":0,"birch_pollen":12.5,"grass_pollen":0.3,"mugwort_pollen":5.4,"olive_pollen":0,"ragweed_pollen":1.3}',
    '{"time":1795655700000,"alder_pollen":null,"birch_pollen":null,"grass_pollen":null,"mugwort_pollen":null,"olive_pollen":null,"ragweed_pollen":null}',
  ],
  notRequests: ['null', '{}'],
  notValues: ['null', '{"birch_pollen":1}', '{"time":1795655700000,"birch_pollen":-1}'],
});

it('pollen is known without a call outside of the European model, and nowhere else', () => {
  const known = (latitude: number, longitude: number) =>
    POLLEN.valueWithoutCall?.(pointRequest({ latitude, longitude }), 1_795_655_700_000);
  for (const [latitude, longitude] of [
    [30.1, 10],
    [71.9, 10],
    [50, -24.9],
    [50, 44.9],
    [52.5, 13.4],
  ] as const) {
    assert.equal(known(latitude, longitude), undefined, `${latitude} ${longitude}`);
  }
  for (const [latitude, longitude] of [
    [30, 10],
    [72, 10],
    [50, -25],
    [50, 45],
    [40.7, -74],
  ] as const) {
    const value = known(latitude, longitude);
    assert.equal(value?.time, 1_795_654_800_000);
    assert.deepEqual([value.birch_pollen, value.grass_pollen], [null, null]);
  }
});
