import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTarget } from '../../src/http/input/request-target.js';
import { similarLinks } from '../../src/http/error-answers.js';

const linksFor = (target: string, city: string, country: string) =>
  similarLinks(parseTarget(target).query, [{ city, country }]);

describe('the link to a similar place', () => {
  it('encodes every character that could end its parts', () => {
    const link = linksFor('/w?a=>%2C;%0D%0A"', `Köln's (a*), <"b">`, '東京, ;=');
    assert.match(link, /^<\?[\w=&%+*.-]+>; rel="alternate"; title\*=UTF-8''[\w%.~!-]+$/);
    const [, address = '', title = ''] = /^<(.*)>; .*''(.*)$/.exec(link) ?? [];
    assert.equal(decodeURIComponent(title), `Köln's (a*), <"b">`);
    const { searchParams } = new URL(address, 'http://x/w');
    assert.deepEqual(
      [...searchParams],
      [
        ['city', `Köln's (a*), <"b">`],
        ['country', '東京, ;='],
        ['a', '>,;\r\n"'],
      ],
    );
  });

  it('is left out if the header would exceed 1,500 bytes', () => {
    const place = (length: number) => ({ city: '\u{20000}'.repeat(length), country: 'NO' });
    const countOf = (lengths: number[]) => similarLinks('', lengths.map(place)).split(', ').length;
    assert.equal(countOf([10, 10, 10]), 3);
    assert.equal(countOf([50, 50, 1]), 2);
    assert.equal(similarLinks('', [place(96)]), '');
    assert.equal(linksFor(`/w?a=${'x'.repeat(1500)}`, 'Oslo', 'NO'), '');
    for (const length of [1, 10, 20, 21, 59, 60, 61, 96]) {
      const places = [place(length), place(length), place(length)];
      assert.ok(similarLinks('', places).length <= 1500);
    }
  });
});
