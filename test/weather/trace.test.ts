import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTraceParent, traceIdOf } from '../../src/weather/trace.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

const read = (traceparent: unknown, tracestate?: unknown) =>
  readTraceParent({ traceparent, tracestate });

describe('the trace of a request', () => {
  it('is that of a well-formed traceparent', () => {
    const wellFormed = [
      `00-${TRACE}-${PARENT}-01`,
      `00-${TRACE}-${PARENT}-00`,
      // A later version may say more, and its beginning keeps its meaning.
      `cc-${TRACE}-${PARENT}-01`,
      `cc-${TRACE}-${PARENT}-01-what-the-future-will-be-like`,
    ];
    for (const given of wellFormed) assert.equal(traceIdOf(read(given)), TRACE, given);
  });

  it('is unknown without one', () => {
    const illFormed = [
      undefined,
      '',
      TRACE,
      `00-${TRACE}-${PARENT}`,
      `00-${TRACE}-${PARENT}-1`,
      `00-${TRACE}-${PARENT}-01-more`,
      `00-${TRACE}-${PARENT}-01 `,
      ` 00-${TRACE}-${PARENT}-01`,
      `00-${TRACE}-${PARENT}-01\n`,
      `cc-${TRACE}-${PARENT}-01more`,
      `ff-${TRACE}-${PARENT}-01`,
      `0g-${TRACE}-${PARENT}-01`,
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
      `00-${TRACE.slice(1)}-${PARENT}-01`,
      `00-${TRACE}0-${PARENT}-01`,
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
      `00_${TRACE}_${PARENT}_01`,
      [`00-${TRACE}-${PARENT}-01`],
    ];
    for (const given of illFormed) assert.equal(read(given), undefined, String(given));
  });

  it('is passed on in the form that every reader knows, with its state', () => {
    const traceparent = `00-${TRACE}-${PARENT}-01`;
    assert.deepEqual(read(`cc-${TRACE}-${PARENT}-01-more`, 'a=1,b=2'), {
      traceparent,
      tracestate: 'a=1,b=2',
    });
    for (const state of [undefined, '', ['a=1'], 'a=1\n', 'a'.repeat(513)]) {
      assert.deepEqual(read(traceparent, state), { traceparent }, String(state));
    }
  });
});
