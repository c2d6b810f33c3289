import { SERVICE_REPOSITORY } from '../../base/version.js';
import { answerOf } from '../answer.js';
import type { Route } from '../route.js';

/** Milliseconds until the file expires. RFC 9116 recommends less than a year. */
const VALID_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * The route of the address for reports of vulnerabilities (RFC 9116). The file always expires in the future.
 * @param options.now the current Unix time in milliseconds
 */
export function securityTxtRoute(options: { now: () => number }): Route {
  return {
    ...{ method: 'get', paths: ['/.well-known/security.txt'] },
    answer() {
      const lines = [
        `Contact: ${SERVICE_REPOSITORY}/security/advisories/new`,
        `Expires: ${new Date(options.now() + VALID_MS).toISOString()}`,
        'Preferred-Languages: en',
        `Policy: ${SERVICE_REPOSITORY}/blob/main/SECURITY.md`,
      ];
      return answerOf(200, 'text/plain; charset=utf-8', `${lines.join('\n')}\n`, {
        'Cache-Control': 'public, max-age=86400',
      });
    },
  };
}
