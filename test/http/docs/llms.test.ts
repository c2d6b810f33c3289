import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CREDITS } from '../../../tools/openapi/credits.js';
import { description, llmsText } from '../../../tools/openapi/index.js';
import { sectionOf } from '../../support/markdown.js';

/** The operations by method and path. */
const operations = Object.entries(description.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    isDeprecated: 'deprecated' in operation,
  })),
);
const isAlias = ({ name }: { name: string }) => !name.includes('/api/v1/');

describe('the order of the paths', () => {
  it('has the conditions first, and the aliases last, which remain available', () => {
    assert.equal(operations[0]?.name, 'GET /api/v1/conditions');
    assert.equal(operations[1]?.name, 'GET /api/v1/conditions/coordinates');
    const aliases = operations.filter(isAlias);
    assert.equal(aliases.length, 3);
    assert.deepEqual(operations.slice(-3), aliases);
    assert.ok(operations.every(({ isDeprecated }) => !isDeprecated));
  });
});

describe('llms.txt', () => {
  it('has the form of llmstxt.org: a title, a summary, and sections', () => {
    assert.match(llmsText, /^# Weather lookup service\n\n> .+\n\n[^]+\n## Endpoints\n/);
    const sections = [...llmsText.matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    assert.deepEqual(sections, ['Endpoints', 'Values', 'Errors', 'Details', 'Credit']);
  });

  it('has every operation that is no alias, with a request and its response', () => {
    const examples = [...llmsText.matchAll(/^### (\S+ \S+)\n[^#]*?\n```\n(.*)\n([^]*?)\n```/gm)];
    assert.deepEqual(
      examples.map(([, name]) => name),
      operations.filter((each) => !isAlias(each)).map(({ name }) => name),
    );
    for (const [, name = '', request = '', bodies = ''] of examples) {
      assert.equal(request.split('?')[0], name);
      const parsed = bodies.split('\n').map((line) => JSON.parse(line) as object);
      assert.equal(parsed.length, name.startsWith('POST') ? 2 : 1);
      assert.notDeepEqual(parsed.at(-1), {});
    }
    assert.ok(llmsText.includes('GET /api/v1/weather?city=Paris&country=France\n'));
    assert.ok(llmsText.includes('POST /api/v1/weather\n{"city":"Paris","country":"France"}\n'));
  });

  it('has the bounds and the default of each number', () => {
    const lines = new Set(llmsText.split('\n').filter((line) => / to \d+/.test(line)));
    for (const line of [
      '- `days` (optional): The number of days. Forecasts beyond seven days are unreliable. A whole number from 1 to 14, by default 3.',
      '- `hours` (optional): The number of hours. A whole number from 1 to 168, by default 24.',
      '- `limit` (optional): The maximum number of places. A whole number from 1 to 10, by default 5.',
    ]) {
      assert.ok(lines.has(line), line);
    }
    assert.match(llmsText, /^- `lat`: .* From -90 to 90\.$/m);
    assert.match(llmsText, /^- `lon`: .* From -180 to 180\.$/m);
  });

  it('has a line with the unit for each value of the weather', () => {
    const values = sectionOf(llmsText, '## Values');
    for (const [value, unit] of [
      ['temperature', 'Celsius'],
      ['dew_point', 'Celsius'],
      ['pressure', 'Hectopascals'],
      ['precipitation', 'Millimeters'],
      ['wind_gusts_max', 'kilometers per hour'],
      ['visibility', 'Meters'],
      ['precipitation_probability', 'percent'],
      ['wind_direction', 'Degrees'],
      ['sunrise', 'Local time'],
    ] as const) {
      assert.match(values, new RegExp(`^- \`${value}\` .*${unit}`, 'im'), value);
    }
    for (const name of ['ConditionsRecord', 'DailyWeather', 'HourlyWeather']) {
      const members = description.definitions[name]!['properties'] as object;
      for (const member of Object.keys(members).filter(
        (each) => !['place', 'location'].includes(each),
      )) {
        assert.match(values, new RegExp(`^- \`${member}\` `, 'm'), `${name}.${member}`);
      }
    }
  });

  it('says nothing longer than a line twice', () => {
    // The list of languages grows with each, and belongs to each endpoint.
    const prose = llmsText.replaceAll(/```[^]*?```|^- `lang`.*$/gm, '');
    const sentences = prose.split(/(?<=[.!?]) |\n/).filter((each) => each.length > 100);
    assert.ok(sentences.length > 10);
    assert.deepEqual(sentences, [...new Set(sentences)]);
  });

  it('has the errors, the limits, and the credit of every provider', () => {
    const errors = sectionOf(llmsText, '## Errors');
    for (const [status, error] of [
      [400, 'Geocoding failed'],
      [400, 'Missing required parameters'],
      [413, 'Payload too large'],
      [429, 'Rate limit exceeded'],
      [503, 'Service unavailable'],
    ] as const) {
      assert.match(errors, new RegExp(`^- ${status} ${error}: “.+”$`, 'm'));
    }
    assert.match(
      sectionOf(llmsText, '## Details'),
      /\*\*Limits\.\*\* .* After a 429 or a 503, wait for `Retry-After` /,
    );
    for (const { credit } of CREDITS) assert.ok(llmsText.includes(credit));
    // Relative to the folder of the file.
    assert.ok(llmsText.includes('(apidocs/third-party-notices.txt)'));
  });
});
