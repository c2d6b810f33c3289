import type { Part } from '../state/store.js';

/** The credits that the providers require, each once. A credit for invented data is a warning. */
export function Credits({ parts }: { parts: Part<unknown>[] }) {
  const credits = new Map<string, boolean>();
  for (const part of parts) {
    const text = part?.headers.get('X-Weather-Attribution');
    if (text) credits.set(text, part?.headers.get('X-Weather-Provider') === 'demo');
  }
  return (
    <>
      {[...credits].map(([text, isInvented]) => {
        // "Text <address>, license"
        const [, name, href, rest] = /^(.*?) <(https?:\/\/[^<>]+)>(.*)$/.exec(text) ?? [];
        return (
          <span key={text} class={isInvented ? 'warning' : ''}>
            {' '}
            {href ? <a href={href}>{name}</a> : text}
            {rest}
          </span>
        );
      })}
    </>
  );
}
