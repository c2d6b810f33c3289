/** A part of the weather that is loading: its text, and the space that it needs. */
export function Skeleton({ name, text }: { name: string; text: string }) {
  return (
    <div class={`skeleton ${name}`} aria-busy="true">
      <p>
        {text} <span>This takes longer than usual.</span>
      </p>
    </div>
  );
}
