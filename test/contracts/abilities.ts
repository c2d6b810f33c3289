import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { REMOTE_PROVIDER_NAMES, type RemoteProviderName } from '../../src/config/providers.js';
import type { UpstreamClient } from '../../src/upstream/upstream-client.js';
import { QUANTITIES, type Quantity } from '../../src/weather/kinds/quantities.js';
import { POINT_KINDS, type AbilityName } from '../../src/weather/kinds/kinds.js';
import { codeIn, rowsOf, sectionOf } from '../support/markdown.js';
import { providerAt } from '../support/providers.js';
import { testAir, type AirUnderTest } from './abilities/air.contract.js';
import { testCurrent, type CurrentUnderTest } from './abilities/current.contract.js';
import { testDaily, type DailyUnderTest } from './abilities/daily.contract.js';
import { testHourly, type HourlyUnderTest } from './abilities/hourly.contract.js';
import {
  COMPUTED,
  testValues,
  useProvider,
  type ProviderFixture,
  type UnderTest,
} from './ability.js';

/** What differs between the providers in each ability that has tests of its own. */
interface Cases extends Partial<Record<AbilityName, UnderTest>> {
  current?: CurrentUnderTest;
  daily?: DailyUnderTest;
  hourly?: HourlyUnderTest;
  air?: AirUnderTest;
}

const SUITES: Partial<Record<string, (fixture: ProviderFixture, each: never) => void>> = {
  current: testCurrent,
  daily: testDaily,
  hourly: testHourly,
  air: testAir,
};

/** Tests all abilities of a provider. */
export function testAbilities(name: RemoteProviderName, cases: Cases): void {
  describe(`the abilities of ${name}`, () => {
    it('are exactly those that are tested', () => {
      const nowhere = { client: {} as UpstreamClient, stub: { url: 'http://nowhere.example' } };
      const provider = providerAt(name, nowhere);
      const having = POINT_KINDS.map(({ ability }) => ability).filter((each) => provider[each]);
      assert.deepEqual(Object.keys(cases).sort(), having.sort());
    });
    it('have each value for which docs/clients.md says yes, and none for which it says null', () => {
      const table = sectionOf(
        readFileSync('docs/clients.md', 'utf8'),
        '## Which provider has what',
      );
      const column = REMOTE_PROVIDER_NAMES.indexOf(name) + 1;
      const having = new Set(
        Object.entries(cases).flatMap(
          ([ability, { optional, derived = [] }]: [string, UnderTest]) => [
            ...optional.map(([quantity]) => quantity),
            ...derived,
            ...(ability === 'daily' ? COMPUTED : []),
          ],
        ),
      );
      const wrong = (Object.keys(QUANTITIES) as Quantity[]).filter((quantity) => {
        const rows = rowsOf(table).filter(([members = '']) => codeIn(members).includes(quantity));
        const cells = rows.map((row) => row[column] ?? '');
        const isNone = cells.length > 0 && cells.every((cell) => /^(`null`|none)$/.test(cell));
        return having.has(quantity) ? isNone : cells.includes('yes');
      });
      assert.deepEqual(wrong, []);
    });
    for (const [ability, each] of Object.entries(cases) as [AbilityName, UnderTest][]) {
      describe(ability, () => {
        const fixture = useProvider(name, ability, each);
        testValues(ability, fixture, each);
        SUITES[ability]?.(fixture, each as never);
      });
    }
  });
}
