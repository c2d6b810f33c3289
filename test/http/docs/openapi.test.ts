import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { SERVICE_VERSION } from '../../../src/base/version.js';
import { description, description3 } from '../../../tools/openapi/index.js';

interface Operation {
  summary: string;
  description: string;
}
interface Document {
  info: { version: string; description: string; license: { name: string } };
  basePath: string;
  paths: Record<string, Record<string, Operation>>;
}

/** A copy with every reference resolved. The parser changes its argument. */
async function resolved(): Promise<Document> {
  const copy = structuredClone(description);
  return (await SwaggerParser.validate(copy as never)) as unknown as Document;
}

function operationsOf(document: Document): { name: string; operation: Operation }[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

describe('the OpenAPI description', () => {
  it('is a valid OpenAPI 2.0 document', async () => {
    const document = await resolved();
    assert.equal(document.info.version, SERVICE_VERSION);
    // It is valid at every address.
    assert.deepEqual(['host' in document, 'schemes' in document], [false, false]);
    assert.equal(document.basePath, '/');
    for (const { name, operation } of operationsOf(document)) {
      assert.ok(operation.summary !== '' && operation.description !== '', name);
    }
  });

  it('names the license and the attribution that the data requires', async () => {
    const { info } = await resolved();
    assert.equal(info.license.name, 'MIT');
    for (const needed of [
      'Weather data by Open-Meteo.com',
      'https://open-meteo.com/',
      'Data from MET Norway',
      'GeoNames',
      'https://creativecommons.org/licenses/by/4.0/',
    ]) {
      assert.ok(info.description.includes(needed), needed);
    }
  });

  it('lists every value of `error`, also those of its tables and examples', () => {
    const { error } = description3.components.schemas['Error']!.properties!;
    const text = JSON.stringify(description);
    const ofExamples = [...text.matchAll(/"error":"([^"]+)"/g)].map(([, title]) => title!);
    const ofTables = [...text.matchAll(/\\n\| (?!`error`)([^|]+) \| /g)].flatMap(([, titles]) =>
      titles!.split(', '),
    );
    assert.ok(ofExamples.length > 5 && ofTables.length > 20);
    for (const title of [...ofExamples, ...ofTables])
      assert.ok(error!.enum!.includes(title), title);
  });

  it('accepts every name that the service may accept, and no blocked character', () => {
    const [city, country] = description3.paths['/api/v1/weather']!['get']!.parameters!;
    for (const { pattern, minLength, ...rules } of [city!.schema, country!.schema]) {
      const accepted = new RegExp(String(pattern), 'u');
      for (const name of ["L'Aquila", 'St. John’s', '東京']) assert.match(name, accepted);
      for (const refused of ['Paris1', '<', '>', ';', '&', '|', '$', '\\']) {
        assert.doesNotMatch(refused, accepted);
      }
      assert.equal(minLength, 1);
      // A maximum would apply before trimming and composing.
      assert.ok(!('maxLength' in rules));
    }
  });
});
