import { createHash } from "node:crypto";

/** A label and value at the bottom of a share image; `units` adds barbs for concurrency units. */
export type CardFact = { label: string; value: string; units?: number };

/** The content of a page's share image. */
export type ShareCard = {
  /** The kind of page, in one or two words. */
  kind: string;
  /** Shown dimmed above the title: the owner of a model. */
  owner: string | null;
  title: string;
  text: string | null;
  facts: readonly CardFact[];
};

/** Size of share images in pixels. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

/** Increased when the design changes, so that cached images are not reused. */
const LOOK = 1;
const LONGEST_TITLE = 120;
const LONGEST_TEXT = 160;
const LONGEST_FACT = 18;
/** Characters that the fonts lack: all but Latin letters, digits and punctuation. */
const NOT_DRAWN = /[^\p{Script=Latin}\p{Mark}\d\s!-/:-@[-`{-~°±·×÷–—‘’“”„…€£¥™©®]/gu;

/** The card without characters that the fonts lack; null if too little of the title remains. */
export function drawable(card: ShareCard): ShareCard | null {
  const title = words(card.title, LONGEST_TITLE);
  if (title.length * 2 < Math.min(card.title.trim().length, LONGEST_TITLE) || !/[\p{Letter}\d]/u.test(title))
    return null;
  return {
    kind: words(card.kind, LONGEST_TITLE),
    owner: card.owner === null ? null : words(card.owner, LONGEST_TITLE),
    title,
    text: card.text === null ? null : words(card.text, LONGEST_TEXT) || null,
    facts: card.facts.map((fact) => ({ ...fact, value: words(fact.value, LONGEST_FACT) })),
  };
}

/** A hash that changes with the content of the image. */
export function versionOf(card: ShareCard, productName: string): string {
  return createHash("sha256")
    .update(JSON.stringify([LOOK, productName, card]))
    .digest("base64url")
    .slice(0, 16);
}

function words(text: string, most: number): string {
  const plain = text.normalize("NFC").replaceAll(NOT_DRAWN, "").replaceAll(/\s+/g, " ").trim();
  return plain.length <= most ? plain : `${plain.slice(0, most - 1).trimEnd()}…`;
}
