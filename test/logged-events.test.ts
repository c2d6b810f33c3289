import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { codeIn, rowsOf, sectionOf } from './support/markdown.js';

/** docs/operations/watch.md, compared with every log call in `src/` and in the configuration of nginx. */

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const SECTION = sectionOf(read('docs/operations/watch.md'), '## Logs');
const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('http/page/browser'))
  .map((name) => ts.createSourceFile(name, read(join('src', name)), ts.ScriptTarget.ES2023, true));

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

/** The string literals that an expression may evaluate to. Undefined: it may evaluate to something else. */
function literalsOf(expression: ts.Expression): string[] | undefined {
  if (ts.isStringLiteral(expression)) return [expression.text];
  if (ts.isConditionalExpression(expression)) {
    const branches = [literalsOf(expression.whenTrue), literalsOf(expression.whenFalse)];
    return branches.every((branch) => branch !== undefined) ? branches.flat() : undefined;
  }
  return ts.isIdentifier(expression) ? argumentsFor(expression) : undefined;
}

/** The string literals that a parameter of a named arrow function receives in all calls in its file. */
function argumentsFor(identifier: ts.Identifier): string[] | undefined {
  let node: ts.Node = identifier;
  const declares = (candidate: ts.Node) =>
    ts.isArrowFunction(candidate) &&
    candidate.parameters[0]?.name.getText() === identifier.text &&
    ts.isVariableDeclaration(candidate.parent);
  while (!declares(node)) {
    if (ts.isSourceFile(node)) return undefined;
    node = node.parent;
  }
  const name = (node.parent as ts.VariableDeclaration).name.getText();
  const calls = nodesIn(identifier.getSourceFile()).filter(
    (call): call is ts.CallExpression =>
      ts.isCallExpression(call) && call.expression.getText() === name,
  );
  const values = calls.map(({ arguments: [first] }) => first && literalsOf(first));
  return values.every((value) => value !== undefined) ? values.flat() : undefined;
}

/** The names of the properties of a record, and of object literals that it spreads. */
function fieldsOf(record: ts.ObjectLiteralExpression): string[] {
  return record.properties.flatMap((property) =>
    ts.isSpreadAssignment(property)
      ? nodesIn(property).filter(ts.isObjectLiteralExpression).flatMap(fieldsOf)
      : property.name.getText(),
  );
}

/** The names of the members of an interface whose value is spread into a record. */
function membersOf(file: string, name: string): string[] {
  const source = sources.find(({ fileName }) => fileName === file);
  const declaration = (source ? nodesIn(source) : []).find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === name,
  ) as ts.InterfaceDeclaration | undefined;
  assert.ok(declaration, `${file} has no interface ${name}`);
  return declaration.members.flatMap((member) => member.name?.getText() ?? []);
}

function loggedIn(source: ts.SourceFile): Logged[] {
  return nodesIn(source).flatMap((node) => {
    if (!ts.isObjectLiteralExpression(node)) return [];
    const event = node.properties.find((property) => property.name?.getText() === 'event');
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
    assert.deepEqual(missing, []);
  });

  it('describes the fields about the location in a `weather_request` record', () => {
    const described = codeIn(SECTION);
    const fields = membersOf('http/context.ts', 'LocationFields');
    assert.deepEqual(
      fields.filter((field) => !described.includes(field)),
      [],
    );
  });
});
