import { eventually } from './eventually.js';
import { attempt } from './load.js';

/** Sends a client's requests one by one. Returns how many are admitted. @param next returns URLs */
export async function admittedOf(
  address: string,
  count: number,
  next: (n: number) => string,
): Promise<number> {
  let admitted = 0;
  for (let n = 0; n < count; n += 1) {
    const { status } = await attempt(next(n), { headers: { 'X-Forwarded-For': address } });
    if (status === 200) admitted += 1;
  }
  return admitted;
}

/**
 * Waits until exactly `limit` requests of a client are admitted. On a busy machine, a reply of
 * Redis may take more than 250 ms. Then a replica counts alone for a moment.
 */
export async function limitIsExact(limit: number, next: (n: number) => string): Promise<void> {
  let client = 0;
  const isExact = async () =>
    (await admittedOf(`192.0.2.${(client += 1)}`, limit + 10, next)) === limit;
  await eventually(isExact, 'a client whose limit is exact');
}
