import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { description, description3 } from '../../../tools/openapi/index.js';
import { closed } from '../../support/closed-schemas.js';

interface Schema {
  type?: string | string[];
  example?: unknown;
  examples?: unknown[];
  properties?: Record<string, Schema>;
}
interface Response {
  headers?: Record<string, { required: boolean; schema: Schema }>;
  content?: Record<string, { schema: Schema; example: unknown }>;
}
interface Operation {
  operationId: string;
  parameters?: { schema: Schema; example?: unknown }[];
  responses: Record<string, Response>;
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns a copy with every reference resolved. The parser changes its argument. */
async function resolved(document = description3): Promise<Document> {
  const copy = structuredClone(document);
  return (await SwaggerParser.validate(copy as never)) as unknown as Document;
}

function operationIds(paths: Record<string, Record<string, object>>): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => `${method} ${path} ${(operation as Operation).operationId}`,
    ),
  );
}

describe('the description in OpenAPI 3.1', () => {
  it('is valid, and has the operations of the description in OpenAPI 2.0', async () => {
    const { openapi, paths } = await resolved();
    assert.equal(openapi, '3.1.0');
    assert.deepEqual(operationIds(paths), operationIds(description.paths));
  });

  it('has servers that are right behind a path prefix: they are relative to the document', async () => {
    const { servers } = await resolved();
    for (const prefix of ['', '/tools/weather', '/a/b/c']) {
      const addresses = servers.map(
        ({ url }) => new URL(url, `https://host${prefix}/openapi.json`),
      );
      assert.deepEqual(addresses.map(String), [`https://host${prefix}/`]);
    }
  });

  it('has open schemas, also in OpenAPI 2.0: a client accepts new members', () => {
    for (const document of [description, description3]) {
      assert.doesNotMatch(JSON.stringify(document), /"(additional|unevaluated)Properties":false/);
    }
  });

  it('has examples that fit their schemas, without other members', async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const { paths, components } = await resolved(closed(description3));
    const pairs: [Schema, unknown][] = [];
    for (const schema of Object.values(components.schemas)) {
      assert.equal(schema.examples?.length, 1);
      pairs.push([schema, schema.examples[0]]);
    }
    for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
      for (const { schema, example } of operation.parameters ?? []) {
        if (example !== undefined) pairs.push([schema, example]);
      }
      for (const { content } of Object.values(operation.responses)) {
        const body = content?.['application/json'];
        if (body) pairs.push([body.schema, body.example]);
      }
    }
    assert.ok(pairs.length > 40, String(pairs.length));
    for (const [schema, example] of pairs) {
      assert.ok(ajv.validate(schema, example), `${JSON.stringify(example)} ${ajv.errorsText()}`);
    }
  });
});
