import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { it } from 'node:test';
import { readJson } from '../../../src/http/input/json-body.js';

/** A request with this body. @param length the value of `Content-Length` */
const requestOf = (body: Readable, length: string) =>
  Object.assign(body, {
    headers: { 'content-length': length },
    socket: { bytesRead: 0 },
  }) as unknown as IncomingMessage;

it('a body that the client sends incompletely is its fault, and any other failure is not', async () => {
  const short = requestOf(Readable.from([Buffer.from('{}')]), '5');
  await assert.rejects(readJson(short), { name: 'InvalidInputError' });
  const failure = new Error('the stream failed');
  const failing = new Readable({ read: () => failing.destroy(failure) });
  await assert.rejects(readJson(requestOf(failing, '5')), failure);
  const decoded = requestOf(Readable.from(['{}']).setEncoding('utf8'), '2');
  await assert.rejects(readJson(decoded), /encoding should not be set/);
});

it('a body is parsed only up to 500 commas and opening brackets, and text that is not JSON is undefined', async () => {
  const read = (text: string) =>
    readJson(requestOf(Readable.from([Buffer.from(text)]), String(text.length)));
  const list = (commas: number) => `[0${',0'.repeat(commas)}]`;
  assert.equal(((await read(list(499))) as unknown[]).length, 500);
  assert.equal(await read('{"city":'), undefined);
  const deep = `${'['.repeat(21)}${']'.repeat(21)}`;
  for (const text of [list(500), '['.repeat(501), `[${'{},'.repeat(250)}0]`, deep]) {
    await assert.rejects(read(text), { name: 'InvalidInputError' }, text.slice(0, 30));
  }
});
