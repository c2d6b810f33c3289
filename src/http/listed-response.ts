import {
  ServerResponse,
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
} from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * A response that keeps its headers as a list of names and values, which Node.js writes as it is. Node's
 * own keeps them in a dictionary, which takes a tenth of a hit's processor time more. What is wrong with
 * a name or a value is thrown when they are written, not when they are set.
 */
export class ListedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** A name, its value, the next name … */
  private readonly listed: OutgoingHttpHeader[] = [];

  override setHeader(name: string, value: number | string | readonly string[]): this {
    // It throws.
    if (this.headersSent) return super.setHeader(name, value);
    const at = this.find(name);
    const place = at === -1 ? this.listed.length : at;
    this.listed[place] = name;
    this.listed[place + 1] = value as OutgoingHttpHeader;
    return this;
  }

  override appendHeader(name: string, value: string | readonly string[]): this {
    const at = this.find(name);
    if (at === -1) return this.setHeader(name, value);
    const values = [this.listed[at + 1] ?? [], value].flat().map(String);
    return this.setHeader(String(this.listed[at]), values);
  }

  override getHeader(name: string): OutgoingHttpHeader | undefined {
    const at = this.find(name);
    return at === -1 ? undefined : this.listed[at + 1];
  }

  override hasHeader(name: string): boolean {
    return this.find(name) !== -1;
  }

  override removeHeader(name: string): void {
    // Node.js adds some by itself, unless they were removed.
    super.removeHeader(name);
    const at = this.find(name);
    if (at !== -1) this.listed.splice(at, 2);
  }

  /** In the letters in which they were set. */
  getRawHeaderNames(): string[] {
    return this.listed.filter((_, i) => i % 2 === 0).map(String);
  }

  override getHeaderNames(): string[] {
    return this.getRawHeaderNames().map((name) => name.toLowerCase());
  }

  override getHeaders(): OutgoingHttpHeaders {
    const headers = Object.create(null) as OutgoingHttpHeaders;
    for (const name of this.getHeaderNames()) headers[name] = this.getHeader(name);
    return headers;
  }

  /** Headers given here take the place of those that were set; in a list a name may come again. */
  override writeHead(status: number, reason?: string | Headers, given?: Headers): this {
    const message = typeof reason === 'string' ? reason : undefined;
    const headers = typeof reason === 'object' ? reason : given;
    if (Array.isArray(headers)) {
      for (let i = 0; i < headers.length; i += 2) this.removeHeader(String(headers[i]));
      this.listed.push(...headers);
    } else if (headers) {
      for (const name in headers) this.setHeader(name, headers[name] ?? '');
    }
    return super.writeHead(status, message, this.listed);
  }

  /** Where a name is in the list, or -1. */
  private find(name: string): number {
    for (let i = 0; i < this.listed.length; i += 2) {
      const other = this.listed[i] as string;
      // Most names have other lengths, and making small letters costs.
      if (other === name) return i;
      if (other.length === name.length && other.toLowerCase() === name.toLowerCase()) return i;
    }
    return -1;
  }
}
