import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnswerStore, StoredAnswer } from '../../src/providers/answers.js';

export interface AnswersUnderTest {
  answers: AnswerStore;
  advance: (ms: number) => Promise<void>;
}

const ANSWER: StoredAnswer = {
  entries: [
    {
      from: 1_795_230_000_000,
      weather: { temperature: -1.5, condition: 'Fog', humidity: 96, wind_speed: 7.2 },
    },
  ],
  lastModified: 'Sat, 21 Nov 2026 00:36:49 GMT',
  freshMs: 1_800_000,
};

/** What every adapter of the port does. */
export function answersContract(adapter: string, create: () => AnswersUnderTest): void {
  describe(`answers: ${adapter}`, () => {
    it('has nothing under a key that was never set', async () => {
      assert.equal(await create().answers.get('never'), undefined);
    });

    it('gives back what was kept, and how long it stays fresh', async () => {
      const { answers, advance } = create();
      await answers.set('kept', ANSWER, 7_200_000);
      await advance(600_000);
      const kept = await answers.get('kept');
      assert.deepEqual(kept?.entries, ANSWER.entries);
      assert.equal(kept.lastModified, ANSWER.lastModified);
      assert.ok(kept.freshMs <= 1_200_000 && kept.freshMs > 1_100_000, `${kept.freshMs} ms`);
      assert.ok(kept.ageMs >= 600_000 && kept.ageMs < 700_000, `${kept.ageMs} ms`);
      await advance(3_600_000);
      assert.ok(((await answers.get('kept'))?.freshMs ?? 1) <= 0);
    });

    it('keeps an answer without a date of its own', async () => {
      const { answers } = create();
      await answers.set('undated', { ...ANSWER, lastModified: undefined }, 60_000);
      assert.equal((await answers.get('undated'))?.lastModified, undefined);
    });

    it('replaces an answer and its life', async () => {
      const { answers, advance } = create();
      await answers.set('replaced', ANSWER, 7_200_000);
      await advance(3_600_000);
      await answers.set('replaced', { ...ANSWER, freshMs: 60_000 }, 7_200_000);
      const kept = await answers.get('replaced');
      assert.ok(kept && kept.freshMs > 50_000 && kept.freshMs <= 60_000);
    });

    it('forgets an answer at the end of its life', async () => {
      const { answers, advance } = create();
      await answers.set('old', ANSWER, 60_000);
      await advance(60_000);
      assert.equal(await answers.get('old'), undefined);
    });
  });
}
