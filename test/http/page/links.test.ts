import assert from 'node:assert/strict';
import { it } from 'node:test';
import { linkedChoices } from '../../../src/http/page/browser/messages/alternatives.js';
import { linksIn } from '../../../src/http/page/browser/service/links.js';

/** The `Link` headers of errors, which name similar places (RFC 8288). */

it('a Link header is read with all forms of parameters', () => {
  for (const [header, links] of [
    ['', []],
    ['no link', []],
    ['<a>', [['a', '', '']]],
    ['</x?a=1,2;3> ; rel=next', [['/x?a=1,2;3', 'next', '']]],
    [
      '<a>; rel="Alternate  up", <b>;rel=self',
      [
        ['a', 'alternate up', ''],
        ['b', 'self', ''],
      ],
    ],
    ['<a>; title="x, <y>; \\"z\\\\"; rel="n"', [['a', 'n', 'x, <y>; "z\\']]],
    [`<a>; title=plain; title*=UTF-8'ja'%E6%9D%B1%E4%BA%AC; rel=n`, [['a', 'n', '東京']]],
    [`<a>; title*=utf-8''S%C3%A3o%20Paulo`, [['a', '', 'São Paulo']]],
    [`<a>; title=plain; title*=UTF-8''%FF`, [['a', '', 'plain']]],
    [`<a>; title=plain; title*=ISO-8859-1''%E9`, [['a', '', 'plain']]],
    ['<a>; rel=first; rel=second; crossorigin', [['a', 'first', '']]],
  ] as const) {
    const read = linksIn(header).map(({ target, relations, title }) => [
      target,
      relations.join(' '),
      title,
    ]);
    assert.deepEqual(read, links, header);
  }
});

it('a similar place is a link to the same request for that place, below any path', () => {
  const header = [
    `</weather/api/v1/conditions?city=S%C3%A3o+Paulo&country=Brasil>; rel="alternate"; title*=UTF-8''S%C3%A3o%20Paulo%2C%20Brazil`,
    '<https://a.example/?city=Lima&country=Peru>; rel=alternate',
    '<?city=Other&country=Peru>; rel="license"',
    '</api/v1/conditions/coordinates?lat=1&lon=2>; rel="alternate"',
    '</docs>; rel="alternate"',
  ].join(', ');
  assert.deepEqual(linkedChoices(new Headers({ Link: header })), [
    { city: { city: 'São Paulo', country: 'Brasil' }, label: 'São Paulo, Brazil' },
    { city: { city: 'Lima', country: 'Peru' }, label: 'Lima, Peru' },
  ]);
  assert.deepEqual(linkedChoices(new Headers()), []);
});
