import type { Certificate } from './certificate.js';

/** The settings of a server or a sentinel that speaks TLS at a port, to its peers too, and demands the certificate of each client. */
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

/** Settings as a command line has them. */
export function asArguments(settings: [string, string][]): string[] {
  return settings.flatMap(([name, value]) => [`--${name}`, value]);
}
