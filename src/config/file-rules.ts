import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseClients } from '../limits/clients-file.js';
import { text } from './rules.js';

/** The schemas of variables that name a file. */

export const certificateFile = pemFile('a certificate', (content) => new X509Certificate(content));
const privateKeyFile = pemFile('a private key without a passphrase', createPrivateKey);

/** The file with the private key of the certificate in `variable`, which is validated before. */
export const privateKeyFileOf = (variable: string) =>
  privateKeyFile.custom((path: string, { state }) => {
    const [{ [variable]: certificate }] = state.ancestors as [Record<string, string | undefined>];
    if (certificate !== undefined && !isKeyOf(contentOf(certificate), contentOf(path))) {
      throw new Error(`is not the private key of ${variable}`);
    }
    return path;
  });

/** The name of a file that is not empty. The value is the name, because the content may change. */
export const file = text.custom((path: string) => {
  if (contentOf(path).trim() === '') {
    throw new Error('must name a file that can be read and is not empty');
  }
  return path;
});

/** The name of a file of named clients. The value is the name, because the content may change. */
export const clientsFile = text.custom((path: string) => {
  try {
    parseClients(contentOf(path));
  } catch (error) {
    throw new Error(`names a damaged file: ${(error as Error).message}`, { cause: error });
  }
  return path;
});

/** The name of a PEM file. Its content may change, and `parse` must accept the present one. */
function pemFile(what: string, parse: (content: string) => unknown) {
  return text.custom((path: string) => {
    try {
      parse(contentOf(path));
    } catch {
      throw new Error(`must name a PEM file that can be read, with ${what}`);
    }
    return path;
  });
}

/**
 * Returns whether a private key belongs to a certificate. True if one of them is not valid, because
 * their own rules report that.
 */
function isKeyOf(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return true;
  }
}

/** Returns the content of a file, or an empty text: an error would contain the path. */
export function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
