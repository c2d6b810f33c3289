import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type Joi from 'joi';
import { rule } from './rules.js';

/** The schemas of variables that name a file. */

export const certificateFile = pemFile('a certificate', (content) => new X509Certificate(content));
export const privateKeyFile = pemFile('a private key without a passphrase', createPrivateKey);

/** Whether a certificate is that of a private key. True if one of them is not valid: that is another fault. */
export function isKeyOf(certificate: string, key: string): boolean {
  try {
    return new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch {
    return true;
  }
}

/** The name of a file that is not empty. The value is the name, because the content may change. */
export const file = rule<string>((path) => {
  if (contentOf(path).trim() === '') {
    throw new Error('must name a file that can be read and is not empty');
  }
  return path;
});

/** The name of a PEM file. The value is its content, which `parse` must accept. */
function pemFile(what: string, parse: (content: string) => unknown): Joi.StringSchema {
  return rule<string>((path) => {
    const content = contentOf(path);
    try {
      parse(content);
    } catch {
      throw new Error(`must name a PEM file that can be read, with ${what}`);
    }
    return content;
  });
}

/** Returns the content of a file, or an empty text. The message of an error would contain the path. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
