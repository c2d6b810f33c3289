import { after, before, beforeEach } from 'node:test';
import { createUpstreamClient, type UpstreamClient } from '../../src/upstream/upstream-client.js';
import { systemClock } from './manual-clock.js';
import { startStubProvider, type StubProvider } from './stub-provider.js';

/** The User-Agent of the client. */
export const USER_AGENT = 'weather-test/1.0 ops@example.org';

/**
 * Creates a stub provider and a client for the tests of the suite that calls it. Before each test, the stub provider is
 * reset.
 */
export function useStubProvider(): {
  readonly stub: StubProvider;
  readonly client: UpstreamClient;
} {
  const options = { userAgent: USER_AGENT, timeoutMs: 20_000, clock: systemClock };
  const client = createUpstreamClient(options);
  let stub: StubProvider;
  before(async () => {
    stub = await startStubProvider();
  });
  beforeEach(() => {
    stub.reset();
  });
  after(async () => {
    client.close();
    await stub.close();
  });
  return {
    client,
    get stub() {
      return stub;
    },
  };
}
