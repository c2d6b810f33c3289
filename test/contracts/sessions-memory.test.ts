import { createMemorySessions } from '../../src/memory/memory-sessions.js';
import { manualClock } from '../support/manual-clock.js';
import { TTLS, sessionsContract } from './sessions.contract.js';

sessionsContract('memory', () => {
  const clock = manualClock();
  // The library treats an entry of time 0 as one without a time.
  clock.advance(1);
  return {
    sessions: createMemorySessions({ clock, ttls: TTLS, maxSessions: 100 }),
    advance(ms) {
      clock.advance(ms);
      return Promise.resolve();
    },
  };
});
