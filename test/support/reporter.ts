import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { spec } from 'node:test/reporters';
import { whyNotSkipped } from './allowed-skips.js';
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

/** The reason of Node.js 20 for a test that `--test-name-pattern` excludes. */
const NOT_MEANT = 'test name does not match pattern';

/**
 * The reporter of `test/run.ts`: `spec` of Node.js, without excluded tests. A test that must not be skipped but was,
 * and a run without any test, are failures.
 */
export default async function* reporter(source: AsyncIterable<TestEvent>): AsyncIterable<string> {
  const wrong: string[] = [];
  let ran = 0;
  let excused = 0;
  function judge({ type, data: { name = '', file = '', skip, todo, details } }: TestEvent): void {
    if (skip === NOT_MEANT || (type !== 'test:pass' && type !== 'test:fail')) return;
    const why = skip ?? todo;
    if (why === undefined) {
      if (details?.type !== 'suite') ran += 1;
      return;
    }
    const path = sourcePath(relative(process.cwd(), file));
    const refusal = whyNotSkipped(path, process.env);
    if (refusal) wrong.push(`${path}: "${name}" was skipped (${String(why)}): ${refusal}`);
    else excused += 1;
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
  if (ran + excused + wrong.length === 0) wrong.push('no test ran');
  if (wrong.length === 0) return;
  process.exitCode = 1;
  yield `\n✖ ${wrong.join('\n✖ ')}\n`;
}
