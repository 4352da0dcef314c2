/** An id, wrapped wherever it has to be. */
export function Id({ children }: { children: string }) {
  return <span className="mono small faint user-text">{children}</span>;
}
