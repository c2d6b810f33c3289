import type { ComponentChildren } from 'preact';

interface PageLinkProps {
  /** An address of this page. */
  href: string;
  /** Shows what the address asks for, without loading the page again. */
  onFollow: () => void;
  /** BCP 47, so that screen readers pronounce the text. */
  lang?: string | undefined;
  children: ComponentChildren;
}

/** A link to another view of this page. A click with a modifier key opens another tab or window. */
export function PageLink({ href, onFollow, lang, children }: PageLinkProps) {
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onFollow();
  };
  return (
    <a href={href} dir="auto" lang={lang} onClick={onClick}>
      {children}
    </a>
  );
}
