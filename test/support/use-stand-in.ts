import { after, before, beforeEach } from 'node:test';
import { createUpstreamClient, type UpstreamClient } from '../../src/upstream/client.js';
import { systemClock } from './manual-clock.js';
import { startStandIn, type StandIn } from './stand-in.js';

/** The User-Agent of the client. */
export const USER_AGENT = 'weather-test/1.0 ops@example.org';

/**
 * Creates a stub provider and a client for the tests of the suite that calls it. Before each test, the stub provider is
 * reset.
 */
export function useStandIn(): { readonly standIn: StandIn; readonly client: UpstreamClient } {
  const options = { userAgent: USER_AGENT, timeoutMs: 20_000, clock: systemClock };
  const client = createUpstreamClient(options);
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  beforeEach(() => {
    standIn.reset();
  });
  after(async () => {
    client.close();
    await standIn.close();
  });
  return {
    client,
    get standIn() {
      return standIn;
    },
  };
}
