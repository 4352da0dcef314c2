/** What a preview draws. */
export type PreviewKind = "mermaid" | "html" | "svg";

/** Longer code has no preview: drawing it would take too long. */
const MAX_PREVIEW_LENGTH = 200_000;

/** Returns what a preview of a code block draws; null if it has none. */
export function previewKind(language: string, code: string): PreviewKind | null {
  if (code.trim() === "" || code.length > MAX_PREVIEW_LENGTH) return null;
  const name = language.toLowerCase();
  if (name === "xml") return /^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/i.test(code) ? "svg" : null;
  return name === "mermaid" || name === "html" || name === "svg" ? name : null;
}
