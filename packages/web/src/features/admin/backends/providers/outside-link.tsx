/** A link to a page of a provider, in a new tab, so that what was entered stays. */
export function OutsideLink({ to, text }: { to: string; text: string }) {
  return (
    <a className="link" href={to} target="_blank" rel="noreferrer">
      {text} ↗
    </a>
  );
}
