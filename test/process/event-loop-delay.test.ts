import { it } from 'node:test';
import { createEventLoopDelay } from '../../src/process/event-loop-delay.js';
import { eventually } from '../support/eventually.js';

it('a stall is reported until the end of the next window', async () => {
  const maxDelaySeconds = createEventLoopDelay(300);
  await eventually(() => maxDelaySeconds() > 0, 'the first measurement');
  const end = performance.now() + 1000;
  while (performance.now() < end);
  await eventually(() => maxDelaySeconds() >= 0.9, 'the stall');
  await eventually(() => maxDelaySeconds() < 0.9, 'the end of the second window');
});
