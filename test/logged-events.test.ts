import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { codeIn, rowsOf, sectionOf } from './support/markdown.js';

/** docs/operations/watch.md, compared with all log calls in `src/` and nginx's configuration. */

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const SECTION = sectionOf(read('docs/operations/watch.md'), '## Logs');
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('http/page/browser'))
  .map((name) => ({ name, text: read(join('src', name)) }))
  // Parsing every file takes a second.
  .filter(({ text }) => /\bevent\b|LogFields/.test(text))
  .map(({ name, text }) => ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true));

/** Fields of every record, which the section describes before its table. */
const COMMON = ['event', 'err', 'request_id', 'trace_id'];

interface Logged {
  where: string;
  /** Undefined if the expression is not made of string literals. */
  events: string[] | undefined;
  fields: string[];
}

function nodesIn(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  node.forEachChild((child) => void children.push(child));
  return [node, ...children.flatMap(nodesIn)];
}

/** The string literals that an expression may evaluate to; undefined if also something else. */
function literalsOf(expression: ts.Expression): string[] | undefined {
  if (ts.isStringLiteral(expression)) return [expression.text];
  if (ts.isConditionalExpression(expression)) {
    const branches = [literalsOf(expression.whenTrue), literalsOf(expression.whenFalse)];
    return branches.every((branch) => branch !== undefined) ? branches.flat() : undefined;
  }
  return undefined;
}

/** The arguments of the calls of the function that has this parameter. */
function argumentsFor(parameter: ts.ParameterDeclaration): ts.Node[] {
  const { parameters, parent: variable } = parameter.parent;
  const name = ts.isVariableDeclaration(variable) ? variable.name.getText() : undefined;
  const index = [...parameters].indexOf(parameter);
  return nodesIn(parameter.getSourceFile())
    .filter(ts.isCallExpression)
    .filter(({ expression }) => expression.getText() === name)
    .flatMap((call) => call.arguments[index] ?? []);
}

/** What the variables and parameters of a name stand for in a file. */
const valuesOf = (name: ts.Identifier): ts.Node[] =>
  nodesIn(name.getSourceFile()).flatMap((node) => {
    const isNamed = (ts.isVariableDeclaration(node) || ts.isParameter(node)) && node.name;
    if (!isNamed || isNamed.getText() !== name.text) return [];
    return ts.isParameter(node) ? argumentsFor(node) : (node.initializer ?? []);
  });

/** The object literals that a record spreads, itself or by the name of a variable or parameter. */
const spreadIn = (record: ts.ObjectLiteralExpression): ts.ObjectLiteralExpression[] =>
  record.properties
    .filter(ts.isSpreadAssignment)
    .flatMap(({ expression }) => (ts.isIdentifier(expression) ? valuesOf(expression) : expression))
    .flatMap(nodesIn)
    .filter(ts.isObjectLiteralExpression);

/** The names of the properties of a record, and of object literals that it spreads. */
const fieldsOf = (record: ts.ObjectLiteralExpression): string[] =>
  [record, ...spreadIn(record)].flatMap(({ properties }) =>
    properties.flatMap(({ name }) => name?.getText() ?? []),
  );

function loggedIn(source: ts.SourceFile): Logged[] {
  return nodesIn(source).flatMap((node) => {
    if (!ts.isObjectLiteralExpression(node)) return [];
    // Also in an object that the record spreads.
    const event = [node, ...spreadIn(node)]
      .flatMap(({ properties }) => [...properties])
      .find((property) => property.name?.getText() === 'event');
    if (!event) return [];
    const value = ts.isPropertyAssignment(event)
      ? event.initializer
      : (event.name as ts.Identifier);
    const fields = fieldsOf(node);
    return { where: source.fileName, events: literalsOf(value), fields };
  });
}

const logged = sources.flatMap(loggedIn);

describe('docs/operations/watch.md', () => {
  it('lists every event that the service or nginx logs, and no other', () => {
    assert.deepEqual(
      logged.filter(({ events }) => events === undefined).map(({ where }) => where),
      [],
      'an event must be a string literal, so that this test finds it',
    );
    const nginx = read('k8s/nginx/weather.conf.template').matchAll(/"event":"(\w+)"/g);
    const events = [
      ...logged.flatMap((each) => each.events ?? []),
      ...[...nginx].map(([, event = '']) => event),
    ];
    const listed = rowsOf(SECTION.split('###')[0] ?? '').flatMap(([names = '']) => codeIn(names));
    assert.deepEqual(listed.sort(), [...new Set(events)].sort());
  });

  it('describes every field of the records', () => {
    const described = new Set([...codeIn(SECTION), ...COMMON]);
    const missing = logged.flatMap(({ events, fields }) =>
      fields.filter((field) => !described.has(field)).map((field) => `${events?.[0]}.${field}`),
    );
    // The values of these interfaces are spread into records.
    const spread = sources
      .flatMap(nodesIn)
      .filter(ts.isInterfaceDeclaration)
      .filter(({ name }) => name.text.endsWith('LogFields'));
    assert.deepEqual(spread.map(({ name }) => name.text).sort(), ['LogFields', 'RequestLogFields']);
    for (const { name } of spread.flatMap(({ members }) => [...members])) {
      if (!described.has(String(name?.getText()))) missing.push(String(name?.getText()));
    }
    // Of these records, the fields that the test can see.
    const requests = logged.filter(({ events }) => events?.includes('weather_request'));
    assert.ok(requests.some(({ fields }) => fields.includes('refused_by')));
    assert.deepEqual(missing, []);
  });
});
