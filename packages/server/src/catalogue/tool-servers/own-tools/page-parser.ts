/** Turns web pages into text. Runs in worker threads (`platform/core/parse-pool.ts`), because pages are untrusted. */
import { convert } from "html-to-text";

/** A web page, and the lengths up to which it is read and its text is returned, in characters. */
export type PageText = { html: string; maxInput: number; maxOutput: number };

/** What of a page is not its text. */
const SKIPPED = ["script", "style", "noscript", "svg", "nav", "footer", "form", "iframe", "img"];

/** Returns the text of a page, with the addresses of its links. */
export default function parsePage({ html, maxInput, maxOutput }: PageText): string {
  const text = convert(html, {
    wordwrap: false,
    limits: { maxInputLength: maxInput, maxDepth: 100, maxChildNodes: 20_000 },
    selectors: SKIPPED.map((selector) => ({ selector, format: "skip" })),
  });
  return text.trim().slice(0, maxOutput);
}
