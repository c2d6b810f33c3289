import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { MAX_FILE_SIZE, parseClients, TOO_LARGE, type NamedClient } from './clients-file.js';

/** Milliseconds between two reads of the file, and until a removed client is rejected. */
const READ_AGAIN_MS = 5000;
const BEARER = /^bearer +(\S+)$/i;

export type NamedClients = ReturnType<typeof createNamedClients>;

/**
 * Creates the clients of a file, which is read again in the background. If a change is damaged, the
 * clients before it stay, and the reason is logged, once for each change.
 * @throws Error if the file cannot be read, or is damaged
 */
export function createNamedClients(options: { file: string; log: Pick<Logger, 'warn'> }) {
  const { file, log } = options;
  let lastText = readFileSync(file, 'utf8');
  let clients = parseClients(lastText);
  let reported = '';

  async function readAgain(): Promise<void> {
    try {
      const { size } = await stat(file);
      // All of a larger file may not fit into the memory.
      if (size > MAX_FILE_SIZE) throw new Error(TOO_LARGE);
      const text = await readFile(file, 'utf8');
      if (text !== lastText) {
        clients = parseClients(text);
        lastText = text;
      }
      reported = '';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // The message of a system error would contain the path.
      const reason = code === undefined ? (error as Error).message : `it cannot be read (${code})`;
      const hint = 'the previous clients stay in force';
      if (reason !== reported) log.warn({ event: 'clients_file_damaged', reason, hint });
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
