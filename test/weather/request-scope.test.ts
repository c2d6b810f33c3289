import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTraceId } from '../../src/weather/request-scope.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

describe('the trace of a request', () => {
  it('is that of a valid traceparent', () => {
    const valid = [
      `00-${TRACE}-${PARENT}-01`,
      `00-${TRACE}-${PARENT}-00`,
      // A later version may append fields.
      `cc-${TRACE}-${PARENT}-01`,
      `cc-${TRACE}-${PARENT}-01-more-fields`,
    ];
    for (const given of valid) assert.equal(readTraceId(given), TRACE, given);
  });

  it('is unknown without one', () => {
    const invalid = [
      undefined,
      '',
      `00-${TRACE}-${PARENT}-1`,
      `00-${TRACE}-${PARENT}-01-more`,
      `cc-${TRACE}-${PARENT}-01more`,
      `ff-${TRACE}-${PARENT}-01`,
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
      [`00-${TRACE}-${PARENT}-01`],
    ];
    for (const given of invalid) assert.equal(readTraceId(given), undefined, String(given));
  });
});
