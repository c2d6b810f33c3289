import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { useService } from '../support/conformance.js';
import { ask } from '../support/http-client.js';
import { placePath } from '../support/places.js';
import { PATHS } from '../support/stub-provider.js';

const folder = mkdtempSync(join(tmpdir(), 'weather-crawlers-'));
const CLIENTS_FILE = join(folder, 'clients');
writeFileSync(CLIENTS_FILE, `bot ${hash('sha256', 's3cret-bot')} 500/3600 6/3600\n`);
after(() => {
  rmSync(folder, { recursive: true });
});

const [FETCHES, BUDGET, WARM, TTL_SECONDS] = [3, 40, 4, 2];
const from = (ip: string) => ({ 'X-Forwarded-For': ip });

describe('crawlers that request new places beside ordinary clients', () => {
  const fixture = useService({
    ...{ CLIENTS_FILE, TRUST_PROXY: '1', WEATHER_PROVIDERS: 'open-meteo' },
    ...{
      RATE_LIMIT_PER_IP: '30',
      RATE_LIMIT_TOTAL: '500',
      RATE_LIMIT_FETCHES_PER_IP: String(FETCHES),
    },
    CACHE_TTL_SECONDS: String(TTL_SECONDS),
    PROVIDER_BUDGETS: `open-meteo=${BUDGET}/3600`,
  });
  const get = (place: number, headers: Record<string, string>) =>
    ask(fixture.url + placePath(place), { headers });
  let newPlace = 100;
  const crawl = async (times: number, headersOf: (n: number) => Record<string, string>) => {
    const statuses: number[] = [];
    for (let n = 0; n < times; n += 1) {
      statuses.push((await get((newPlace += 1), headersOf(n))).status);
    }
    return statuses.filter((status) => status === 200).length;
  };
  const totalLeft = async () =>
    Number(
      /"total";r=(\d+)/.exec(String((await get(1, from('192.0.2.200'))).headers['ratelimit']))?.[1],
    );
  const fetched = () => fixture.stub.count(PATHS.openMeteo);

  it('may start a few fetches each, and what is rejected counts in no window', async () => {
    for (let n = 1; n <= WARM; n += 1) await get(n, from(`192.0.2.${n}`));
    const [leftBefore, fetchedBefore] = [await totalLeft(), fetched()];
    assert.equal(await crawl(50, () => from('203.0.113.1')), FETCHES);
    assert.equal(await crawl(20, (n) => from(`2001:db8::${n + 1}`)), FETCHES);
    const bot = { Authorization: 'Bearer s3cret-bot' };
    assert.equal(await crawl(20, (n) => ({ ...from(`203.0.113.${n + 50}`), ...bot })), 2 * FETCHES);
    assert.equal(fetched() - fetchedBefore, 4 * FETCHES);
    // The total limit counts neither what is rejected nor a client with a limit of its own.
    assert.equal(leftBefore - (await totalLeft()), 2 * FETCHES + 1);
  });

  it('from many addresses leave the calls by which known places stay fresh', async () => {
    assert.ok((await crawl(3 * BUDGET, (n) => from(`198.51.100.${n}`))) < BUDGET);
    assert.equal(fetched(), (3 / 4) * BUDGET);
    await sleep(1000 * TTL_SECONDS);
    for (let n = 1; n <= WARM; n += 1) {
      const { status, headers } = await get(n, from(`192.0.2.${n}`));
      assert.deepEqual([status, headers['x-cache']], [200, 'MISS']);
    }
  });
});
