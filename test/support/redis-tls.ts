import type { Certificate } from './certificate.js';

/** Settings of a server or sentinel with TLS on a port and between peers. Clients need a certificate. */
export function tlsSettings({ key, cert }: Certificate, port: number): [string, string][] {
  return [
    ['tls-port', String(port)],
    ['tls-cert-file', cert],
    ['tls-key-file', key],
    ['tls-ca-cert-file', cert],
    ['tls-auth-clients', 'yes'],
    ['tls-replication', 'yes'],
  ];
}

/** Settings as command-line arguments. */
export function asArguments(settings: [string, string][]): string[] {
  return settings.flatMap(([name, value]) => [`--${name}`, value]);
}
