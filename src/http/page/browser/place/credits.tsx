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
      {[...credits].map(([text, isInvented]) => (
        <span key={text} class={isInvented ? 'warning' : ''}>
          {' '}
          <Credit attribution={text} />
        </span>
      ))}
    </>
  );
}

/** Shows "Text <address>, license" as a link and the rest. */
function Credit({ attribution }: { attribution: string }) {
  const [, text, href, rest] = /^(.*?) <(https?:\/\/[^<>]+)>(.*)$/.exec(attribution) ?? [];
  if (!href) return <>{attribution}</>;
  return (
    <>
      <a href={href}>{text}</a>
      {rest}
    </>
  );
}
