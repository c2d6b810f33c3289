import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]+?-----END CERTIFICATE-----/g;

/**
 * Returns when the first of the certificates in a PEM file expires, in seconds since 1970.
 * @throws Error if there is none
 */
export async function certificateEnd(file: string): Promise<number> {
  const certificates = (await readFile(file, 'utf8')).match(CERTIFICATE) ?? [];
  const ends = certificates.map((text) => Date.parse(new X509Certificate(text).validTo));
  if (ends.length === 0) throw new Error('the file has no certificate');
  return Math.min(...ends) / 1000;
}
