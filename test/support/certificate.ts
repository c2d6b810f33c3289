import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lifetime } from './lifetime.js';
import { ensureCommand } from './packages.js';

/** The files of a certificate. */
export interface Certificate {
  key: string;
  cert: string;
}

/** Creates a self-signed certificate for 127.0.0.1 or another subject. @param days of validity */
export async function makeCertificate(
  t: Lifetime,
  subject = 'IP:127.0.0.1',
  days = 2,
): Promise<Certificate> {
  ensureCommand('openssl', 'openssl');
  const folder = await mkdtemp(join(tmpdir(), 'weather-tls-'));
  t.after(() => rm(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  // prettier-ignore
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes',
    '-days', String(days), '-subj', '/CN=weather', '-addext', `subjectAltName=${subject}`,
    '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key, cert };
}
