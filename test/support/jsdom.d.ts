/** The part of jsdom that the tests use. With `@types/jsdom`, `src/` would have the types of a browser, too. */
declare module 'jsdom' {
  export interface Element {
    readonly id: string;
    readonly textContent: string;
    readonly title: string;
    readonly value: string;
    readonly children: Iterable<Element>;
    readonly classList: { contains: (name: string) => boolean };
    addEventListener(
      type: 'click',
      listener: (event: { preventDefault: () => void }) => void,
    ): void;
    closest(selector: string): Element | null;
    /** @returns 4 if the other element follows */
    compareDocumentPosition(other: Element): number;
    focus(): void;
    getAttribute(name: string): string | null;
    querySelector(selector: string): Element | null;
    querySelectorAll(selector: string): Iterable<Element>;
  }

  export class VirtualConsole {
    on(event: 'jsdomError', listener: (error: Error) => void): this;
  }

  export class JSDOM {
    constructor(html: string, options: object);
    readonly window: {
      readonly document: Element & {
        readonly activeElement: Element;
        readonly body: Element & { readonly dataset: Record<string, string | undefined> };
        getElementById(id: string): Element | null;
      };
      readonly history: { back: () => void };
      readonly localStorage: Record<string, string>;
      readonly location: { readonly search: string };
      readonly navigator: object;
      readonly performance: object;
      readonly HTMLElement: { readonly prototype: object };
      close(): void;
      eval(code: string): void;
    };
  }
}
