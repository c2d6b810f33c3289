/** The part of jsdom that tests use. With `@types/jsdom`, `src/` would have browser types, too. */
declare module 'jsdom' {
  export interface Element {
    readonly id: string;
    readonly textContent: string;
    readonly value: string;
    dispatchEvent(event: object): boolean;
    focus(): void;
    remove(): void;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    querySelector(selector: string): Element | null;
    querySelectorAll(selector: string): Iterable<Element>;
  }

  export class VirtualConsole {
    on(event: 'jsdomError', listener: (error: Error) => void): this;
  }

  export class JSDOM {
    constructor(html: string, options: object);
    readonly window: {
      readonly document: Element & { readonly activeElement: Element; readonly title: string };
      readonly history: { back: () => void };
      readonly localStorage: Record<string, string>;
      readonly location: { readonly search: string };
      readonly navigator: object;
      readonly HTMLElement: { readonly prototype: object };
      readonly Event: new (type: string, options?: object) => object;
      readonly DOMException: new (message: string, name: string) => Error;
      dispatchEvent(event: object): boolean;
      close(): void;
      eval(code: string): void;
    };
  }
}
