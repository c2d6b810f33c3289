import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ensureCommand } from './packages.js';

/** The files of a certificate for 127.0.0.1, signed by itself. */
export interface Certificate {
  key: string;
  cert: string;
}

/** Makes a certificate for one test. */
export async function makeCertificate(t: TestContext): Promise<Certificate> {
  ensureCommand('openssl', 'openssl');
  const folder = await mkdtemp(join(tmpdir(), 'weather-tls-'));
  t.after(() => rm(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  // prettier-ignore
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2',
    '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1',
    '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key, cert };
}

/** The settings of a server or a sentinel that speaks TLS at a port, to its peers too. */
export function tlsSettings({ key, cert }: Certificate, port: number): [string, string][] {
  return [
    ['tls-port', String(port)],
    ['tls-cert-file', cert],
    ['tls-key-file', key],
    ['tls-ca-cert-file', cert],
    ['tls-auth-clients', 'no'],
    ['tls-replication', 'yes'],
  ];
}

/** Settings as a command line has them. */
export function asArguments(settings: [string, string][]): string[] {
  return settings.flatMap(([name, value]) => [`--${name}`, value]);
}
