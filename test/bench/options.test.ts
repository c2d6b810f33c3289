import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { GROUPS } from '../../tools/bench/groups.js';
import { readOptions, type Options } from '../../tools/bench/options.js';
import { ROWS } from '../../tools/bench/rows.js';

function read(...args: string[]): Options {
  const options = readOptions(args);
  if (options === 'help') throw new Error('only asked for help');
  return options;
}
const ids = (options: Options) => options.rows.map(({ id }) => id);

describe('readOptions', () => {
  it('measures every row by default', () => {
    const { rows, ...rest } = read();
    assert.deepEqual(rows, ROWS);
    assert.deepEqual(rest, { rounds: 5, quick: false, json: false, check: false });
  });

  it('takes fewer rounds when quick, but those that are asked for', () => {
    assert.equal(read('--quick').rounds, 3);
    assert.equal(read('--quick', '--rounds', '7').rounds, 7);
  });

  it('takes rows and groups of rows, in the order of the table', () => {
    const rows = ['trips', 'commands', 'ready-memory', 'ready'];
    assert.deepEqual(ids(read('--only', 'ready, lone-hit')), rows);
  });

  it('refuses a row that does not exist', () => {
    assert.throws(() => read('--only', 'ready,speed'), /no row is called "speed"/);
  });

  it('refuses rounds that are no number', () => {
    for (const rounds of ['0', '1.5', 'many']) {
      assert.throws(() => read('--rounds', rounds), /--rounds must be at least 1/);
    }
  });
});

describe('the groups', () => {
  it('are those that the rows name', () => {
    assert.deepEqual(Object.keys(GROUPS).sort(), [...new Set(ROWS.map((row) => row.group))].sort());
  });
});
