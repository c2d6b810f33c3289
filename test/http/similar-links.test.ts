import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTarget } from '../../src/http/request-target.js';
import { similarLinks } from '../../src/http/similar-links.js';

const linksFor = (target: string, city: string, country: string) =>
  similarLinks(parseTarget(target), [{ city, country }]);

describe('the link to a similar place', () => {
  it('has the path and the parameters of the request, with the city and country of the place', () => {
    assert.equal(
      linksFor('/api/v1/weather?country=Norway&city=Olso', 'Oslo', 'Norway'),
      `</api/v1/weather?city=Oslo&country=Norway>; rel="alternate"; title*=UTF-8''Oslo`,
    );
    assert.equal(
      linksFor('http://x/api/v1/forecast?city=Olso&days=2&country=NO&x=1&x=2', 'Oslo', 'NO'),
      `</api/v1/forecast?city=Oslo&country=NO&days=2&x=1&x=2>; rel="alternate"; title*=UTF-8''Oslo`,
    );
    assert.equal(
      linksFor('/api/weather', 'Oslo', 'Norway'),
      `</api/weather?city=Oslo&country=Norway>; rel="alternate"; title*=UTF-8''Oslo`,
    );
  });

  it('encodes every character that could end its parts', () => {
    const link = linksFor('/w?a=>%2C;%0D%0A"', `Köln's (a*), <"b">`, '東京, ;=');
    assert.match(link, /^<[\w/?=&%+*.-]+>; rel="alternate"; title\*=UTF-8''[\w%.~!-]+$/);
    const [, address = '', title = ''] = /^<(.*)>; .*''(.*)$/.exec(link) ?? [];
    assert.equal(decodeURIComponent(title), `Köln's (a*), <"b">`);
    const { searchParams } = new URL(address, 'http://x');
    assert.deepEqual(
      [...searchParams],
      [
        ['city', `Köln's (a*), <"b">`],
        ['country', '東京, ;='],
        ['a', '>,;\r\n"'],
      ],
    );
  });

  it('has only as many other parameters as proxies accept in a header', () => {
    const long = `a=${'x'.repeat(60)}&b=${'y'.repeat(60)}&days=2`;
    assert.equal(
      linksFor(`/w?${long}`, 'Oslo', 'NO'),
      `</w?city=Oslo&country=NO&a=${'x'.repeat(60)}&days=2>; rel="alternate"; title*=UTF-8''Oslo`,
    );
  });

  it('is one of several in one header', () => {
    const places = ['Oslo', 'Os'].map((city) => ({ city, country: 'NO' }));
    assert.equal(
      similarLinks(parseTarget('/w'), places),
      `</w?city=Oslo&country=NO>; rel="alternate"; title*=UTF-8''Oslo, ` +
        `</w?city=Os&country=NO>; rel="alternate"; title*=UTF-8''Os`,
    );
    assert.equal(similarLinks(parseTarget('/w'), []), '');
  });
});
