import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cookiesOf } from '../../tools/bench/tools/own-load.js';
import { ticksOf } from '../../tools/bench/tools/proc.js';
import { addresses, cityPaths, pointPaths } from '../../tools/bench/tools/requests.js';
import { commandReader } from '../../tools/bench/tools/resp.js';
import { compare, type Sample } from '../../tools/bench/tools/rounds.js';
import { median, medianRatio, quantile } from '../../tools/bench/tools/statistics.js';

describe('median', () => {
  it('is the middle value', () => {
    assert.equal(median([9, 1, 5]), 5);
  });
  it('is the mean of the middle two', () => {
    assert.equal(median([9, 1, 5, 3]), 4);
  });
  it('of nothing is no number', () => {
    assert.equal(median([]), NaN);
  });
});

describe('medianRatio', () => {
  it('compares within a pair, so that a slow round does not count', () => {
    const pairs = [
      { value: 20, over: 10 },
      { value: 200, over: 100 },
      { value: 21, over: 10 },
    ];
    assert.equal(medianRatio(pairs), 2);
  });
});

describe('quantile', () => {
  it('is the value that this share does not exceed', () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i);
    assert.deepEqual([quantile(values, 0.5), quantile(values, 0.99)], [50, 99]);
    assert.equal(quantile([7], 0.99), 7);
  });
});

describe('compare', () => {
  it('takes the figures of the same round', () => {
    const sample = (cpu: number): Sample => ({ cpu, redisCpu: cpu / 2, rate: 1 });
    const samples = { a: [sample(2), sample(9), sample(4)], b: [sample(1), sample(3), sample(1)] };
    assert.deepEqual(compare(samples, ['a', 'cpu'], ['b', 'cpu']), {
      ratio: 3,
      range: '2.00–4.00',
    });
    assert.equal(compare(samples, ['a', 'redisCpu'], ['b', 'cpu']).ratio, 1.5);
  });
});

describe('ticksOf', () => {
  it('adds user and system time, whatever the process is called', () => {
    const stat = '7 (a) b (c) S 1 7 7 0 -1 4194304 100 0 0 0 123 45 6 7 20 0 11 0 900 0 0';
    assert.equal(ticksOf(stat), 168);
  });
});

describe('cookiesOf', () => {
  it('takes names and values of all cookies', () => {
    const head = 'HTTP/1.1 200 OK\r\nSet-Cookie: session=a; path=/\r\nset-cookie: session.sig=b';
    assert.equal(cookiesOf(head), 'session=a; session.sig=b');
  });
});

describe('commandReader', () => {
  const bytes = Buffer.from(
    '*2\r\n$3\r\nget\r\n$5\r\na\r\nb*\r\n*1\r\n$4\r\nPING\r\n*3\r\n$3\r\nSET\r\n$0\r\n\r\n$2\r\nä\r\n',
  );

  it('tells the names of all commands, in one piece', () => {
    const names: string[] = [];
    commandReader((name) => names.push(name))(bytes);
    assert.deepEqual(names, ['GET', 'PING', 'SET']);
  });

  it('tells them in pieces of any size', () => {
    for (let size = 1; size < bytes.length; size += 1) {
      const names: string[] = [];
      const read = commandReader((name) => names.push(name));
      for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
      assert.deepEqual(names, ['GET', 'PING', 'SET']);
    }
  });
});

describe('the requests', () => {
  it('are of different addresses', () => {
    const list = addresses(100_000);
    assert.equal(new Set(list).size, 100_000);
    assert.equal(list.at(-1), '10.1.134.159');
  });

  it('are of as many different places as are asked for', () => {
    for (const paths of [pointPaths(1000), cityPaths(1000)]) {
      assert.equal(new Set(paths).size, 1000);
    }
    assert.deepEqual(pointPaths(10, 5).slice(0, 5), pointPaths(10).slice(5));
  });
});
