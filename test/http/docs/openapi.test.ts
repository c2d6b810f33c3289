import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv } from 'ajv';
import { ServiceUnavailableError, StoreUnavailableError } from '../../../src/errors.js';
import { tooLarge, tooSlow } from '../../../src/http/json-body.js';
import { describe as bodyOf, type HttpError } from '../../../src/http/error-responses.js';
import { OVERLOADED } from '../../../src/http/middleware/overload.js';
import { exceeded } from '../../../src/http/middleware/rate-limit.js';
import {
  daysFromQuery,
  placeFrom,
  pointFromQuery,
  suggestionFromQuery,
} from '../../../src/http/validate.js';
import { SERVICE_VERSION } from '../../../src/process/version.js';
import { description } from '../../../tools/openapi/index.js';

type Schema = Record<string, unknown>;
interface Parameter extends Schema {
  name: string;
  schema?: Schema;
}
interface Operation {
  summary: string;
  description: string;
  tags: string[];
  parameters?: Parameter[];
  responses: Record<string, unknown>;
  security?: object[];
}
interface Document {
  info: { version: string; description: string; license: { name: string }; contact: object };
  basePath: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  securityDefinitions: Record<string, Record<string, string>>;
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

/** Translates `x-nullable` to JSON Schema, so that null is validated. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { 'x-nullable': nullable, ...rest } = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, withNull(value)]),
  );
  return nullable === true ? { ...rest, type: [rest['type'], 'null'] } : rest;
}

function assertFits(schema: Schema, value: unknown, what: string): void {
  // OpenAPI has its own formats (double, int64) and keywords (example).
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const fits = ajv.compile(withNull(schema) as object);
  assert.ok(fits(value), `${what}: ${ajv.errorsText(fits.errors)}`);
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

  it('groups operations by tags in the order of the operations, each tag described', async () => {
    const document = await resolved();
    const used = operationsOf(document).flatMap(({ operation }) => operation.tags);
    assert.deepEqual(
      document.tags.map(({ name }) => name),
      [...new Set(used)],
      'the tags in tools/openapi/info.ts and those of the operations differ',
    );
    for (const tag of document.tags) assert.notEqual(tag.description, '');
    for (const { name, operation } of operationsOf(document)) {
      const segment = name.split('/').at(name.includes('/v1/') ? 3 : 2) ?? '';
      assert.deepEqual(
        operation.tags,
        [segment === 'recent-searches' ? 'searches' : segment],
        name,
      );
    }
  });

  it('names the license, the contact, and the attribution that the data requires', async () => {
    const { info } = await resolved();
    assert.equal(info.license.name, 'MIT');
    assert.ok(info.contact);
    for (const needed of [
      'Weather data by Open-Meteo.com',
      'https://open-meteo.com/',
      'Data from MET Norway',
      'NLOD 2.0',
      'GeoNames',
      'https://creativecommons.org/licenses/by/4.0/',
    ]) {
      assert.ok(info.description.includes(needed), needed);
    }
  });

  it('describes the session as a cookie, which recent searches accept and do not require', async () => {
    const document = await resolved();
    const { type, in: place, name } = document.securityDefinitions['session']!;
    assert.deepEqual({ type, place, name }, { type: 'apiKey', place: 'header', name: 'Cookie' });
    for (const { name: operationName, operation } of operationsOf(document)) {
      const expected = operation.tags[0] === 'searches' ? [{ session: [] }, {}] : undefined;
      assert.deepEqual(operation.security, expected, operationName);
    }
  });

  /** The schema of a parameter outside of the body, without `required: true`. */
  function constraintsOf(parameter: Parameter): Schema {
    return Object.fromEntries(Object.entries(parameter).filter(([key]) => key !== 'required'));
  }

  it('accepts every name that the service may accept, and no blocked character', async () => {
    const { paths } = await resolved();
    for (const path of ['/api/weather', '/api/v1/weather']) {
      const { get, post } = paths[path]!;
      const body = post!.parameters![0]!.schema!['properties'] as Record<string, Schema>;
      for (const [index, field] of ['city', 'country'].entries()) {
        const query = get!.parameters![index]!;
        assert.equal(query.name, field);
        for (const rules of [constraintsOf(query), body[field]!]) {
          for (const name of ["L'Aquila", 'St. John’s', '東京', 'a\u0301'.repeat(100)]) {
            assertFits(rules, name, field);
          }
          for (const refused of ['', 'Paris1', '<', '>', ';', '&', '|', '$', '\\']) {
            assert.throws(() => {
              assertFits(rules, refused, field);
            }, `${field}: ${refused}`);
          }
        }
      }
    }
  });

  /** The response of the service to the error of a function. */
  function thrownBy(work: () => unknown): HttpError {
    try {
      work();
    } catch (error) {
      return bodyOf(error);
    }
    throw new Error('the function throws nothing');
  }

  it('has the errors that the service sends as its examples of errors', () => {
    const sent: Record<string, HttpError> = {
      InvalidQuery: thrownBy(() => placeFrom({}, 'parameters')),
      InvalidBody: thrownBy(() => placeFrom({}, 'fields')),
      InvalidCoordinates: thrownBy(() => pointFromQuery({ lat: '91', lon: '0' })),
      InvalidForecastQuery: thrownBy(() => daysFromQuery({ days: '8' })),
      InvalidForecastCoordinates: thrownBy(() => daysFromQuery({ days: '' })),
      InvalidSuggestion: thrownBy(() => suggestionFromQuery({})),
      RequestTimeout: bodyOf(tooSlow()),
      PayloadTooLarge: bodyOf(tooLarge()),
      RateLimited: exceeded({ limit: 30, resetMs: 12_000 }, 'per_ip'),
      InternalError: bodyOf(new Error('any')),
      WeatherUnavailable: bodyOf(new ServiceUnavailableError('any')),
      Overloaded: bodyOf(OVERLOADED),
      StoreUnavailable: bodyOf(new StoreUnavailableError()),
    };
    const examples = Object.entries(description.responses).flatMap(([name, { examples: all }]) =>
      all ? [[name, all['application/json']]] : [],
    );
    assert.deepEqual(
      Object.fromEntries(examples),
      Object.fromEntries(
        Object.entries(sent).map(([name, { title, message }]) => [name, { error: title, message }]),
      ),
    );
  });
});
