/** Sections of the docs, in reading order. */
export const SECTIONS = [
  "Start",
  "Call models",
  "Account",
  "Build on it",
  "Host models",
  "Run Feather",
  "How it works",
] as const;

/** Sorts entries of the docs in reading order: by section, then by their order in it. */
export function sortDocs<Entry extends { meta: { section: string; order: number } }>(entries: Entry[]): Entry[] {
  const indexOf = ({ meta }: Entry) => (SECTIONS as readonly string[]).indexOf(meta.section);
  return entries.sort((a, b) => indexOf(a) - indexOf(b) || a.meta.order - b.meta.order);
}
