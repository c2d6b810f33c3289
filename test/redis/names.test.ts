import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createNames } from '../../src/redis/names.js';

/** A name of every kind. */
function namesOf(prefix: string, database: number): string[] {
  const { entry, window, session, healthCheck, fetchMessages, queue } = createNames(
    prefix,
    database,
  );
  return [entry('a'), window('{a}'), session('a'), healthCheck('a'), fetchMessages, queue];
}

it('deployments with different prefixes share no name, and those in different databases no channel', () => {
  const [ours, theirs] = [namesOf('weather', 0), namesOf('staging', 0)];
  assert.equal(new Set([...ours, ...theirs]).size, 12);
  for (const name of theirs) assert.match(name, /^\{?staging:/);
  assert.notEqual(createNames('weather', 1).fetchMessages, createNames('weather', 0).fetchMessages);
});
