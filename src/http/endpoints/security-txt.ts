import type Router from '@koa/router';
import { SERVICE_REPOSITORY } from '../../base/version.js';
import type { RequestState } from '../context.js';

/** Milliseconds until the file expires. RFC 9116 recommends less than a year. */
const VALID_MS = 180 * 24 * 60 * 60 * 1000;

/**
 * Serves the address for reports of vulnerabilities (RFC 9116). The file always expires in the future.
 * @param options.now the current Unix time in milliseconds
 */
export function securityTxtRoute(
  router: Router<RequestState>,
  options: { now: () => number },
): void {
  router.get('/.well-known/security.txt', (ctx) => {
    const lines = [
      `Contact: ${SERVICE_REPOSITORY}/security/advisories/new`,
      `Expires: ${new Date(options.now() + VALID_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Policy: ${SERVICE_REPOSITORY}/blob/main/SECURITY.md`,
    ];
    ctx.set('Cache-Control', 'public, max-age=86400');
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = `${lines.join('\n')}\n`;
  });
}
