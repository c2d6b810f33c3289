import { lookup } from 'node:dns';
import { before, beforeEach } from 'node:test';
import { createUpstreamClient, type UpstreamClient } from '../../src/upstream/upstream-client.js';
import { suiteLifetime } from './lifetime.js';
import { startStubProvider, type StubProvider } from './stub-provider.js';
import { fixedClock, TEST_TIME } from './test-time.js';

/** The User-Agent of the client. */
export const USER_AGENT = 'weather-test/1.0 ops@example.org';

/** A suite's stub provider and client, at `TEST_TIME`. The provider is reset before each test. */
export function useStubProvider(): {
  readonly stub: StubProvider;
  readonly client: UpstreamClient;
} {
  const log = { warn: () => undefined };
  const options = { userAgent: USER_AGENT, timeoutMs: 20_000, lookup, log };
  // The clock of the process shows the time of the stub provider.
  const clock = { ...fixedClock, now: () => fixture.stub.now() };
  const client = createUpstreamClient({ ...options, clock });
  const lifetime = suiteLifetime();
  const fixture = { client } as { stub: StubProvider; client: UpstreamClient };
  before(async () => {
    const stub = await startStubProvider({ now: () => TEST_TIME });
    lifetime.after(() => stub.close());
    fixture.stub = stub;
  });
  beforeEach(() => {
    fixture.stub.reset();
  });
  lifetime.after(() => {
    client.close();
  });
  return fixture;
}
