import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';
import { sourcePath } from './compile-tests.js';

/** The fields that are used here. */
interface TestEvent {
  type: string;
  data: {
    name?: string;
    file?: string;
    skip?: boolean | string;
    todo?: boolean | string;
    details?: { type?: string };
  };
}

/**
 * The folders whose tests may be skipped, on machines on which no container engine can be started, or that have no
 * Loki. Where `CI` is set, every test must run.
 */
const SKIPPABLE = process.env['CI'] ? [] : ['test/compose/', 'test/dashboards/'];

/** The reason of Node.js 20 for a test that `--test-name-pattern` excludes. */
const NOT_MEANT = 'test name does not match pattern';

/**
 * The reporter of `test/run.ts`: `spec` of Node.js, without excluded tests. A test that must not be skipped but was,
 * and a run without any test, are failures.
 */
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncIterable<string> {
  const wrong: string[] = [];
  let count = 0;
  function judge({ type, data: { name = '', file = '', skip, todo, details } }: TestEvent): void {
    if (skip === NOT_MEANT || (type !== 'test:pass' && type !== 'test:fail')) return;
    const why = skip ?? todo;
    if (why !== undefined || details?.type !== 'suite') count += 1;
    const path = sourcePath(relative(process.cwd(), file));
    const mayBeSkipped = SKIPPABLE.some((folder) => path.startsWith(folder));
    if (why !== undefined && !mayBeSkipped) {
      wrong.push(`${path}: "${name}" must not be skipped: ${String(why)}`);
    }
  }
  async function* judged() {
    for await (const event of source) {
      judge(event);
      yield event;
    }
  }
  const shown = Readable.from(judged()).compose(new spec()) as AsyncIterable<Buffer | string>;
  for await (const text of shown) {
    if (!text.includes(NOT_MEANT)) yield String(text);
  }
  if (count === 0) wrong.push('no test ran');
  if (wrong.length === 0) return;
  process.exitCode = 1;
  yield `\n✖ ${wrong.join('\n✖ ')}\n`;
}
