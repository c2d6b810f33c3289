import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseClients, type NamedClient } from './clients-file.js';

/** Milliseconds between two reads of the file, and until a removed client is rejected. */
const READ_AGAIN_MS = 5000;
const BEARER = /^bearer +(\S+)$/i;

export type NamedClients = ReturnType<typeof createNamedClients>;

/**
 * Creates the clients of a file, which is read again in the background. If a change is damaged, the
 * clients before it stay.
 * @param options.onDamaged receives the reason, once for each change
 * @throws Error if the file cannot be read, or is damaged
 */
export function createNamedClients(options: { file: string; onDamaged: (reason: string) => void }) {
  const { file, onDamaged } = options;
  let known = readFileSync(file, 'utf8');
  let clients = parseClients(known);
  let reported = '';

  async function readAgain(): Promise<void> {
    try {
      const text = await readFile(file, 'utf8');
      if (text !== known) {
        clients = parseClients(text);
        known = text;
      }
      reported = '';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The message of a system error would contain the path.
      const reason = code === undefined ? (error as Error).message : `it cannot be read (${code})`;
      if (reason !== reported) onDamaged(reason);
      reported = reason;
    }
  }

  const timer = setInterval(() => void readAgain(), READ_AGAIN_MS).unref();
  return {
    /**
     * Returns the client whose key the `Authorization` header of a request has, or undefined. Only
     * hashes are compared: the time of a comparison says nothing about the hash of a key that
     * somebody guesses.
     */
    find(authorization: string): NamedClient | undefined {
      const [, key] = BEARER.exec(authorization.trim()) ?? [];
      return key === undefined ? undefined : clients.get(hash('sha256', key, 'hex'));
    },
    stop: (): void => {
      clearInterval(timer);
    },
  };
}
