import { createHash } from "node:crypto";

/** A label and value at the bottom of a share image; `units` adds barbs for concurrency units. */
export type CardFact = { label: string; value: string; units?: number };

/** The content of a page's share image. */
export type ShareCard = {
  /** The kind of page, in one or two words. */
  kind: string;
  /** The owner of a model, which is shown dimmed above the title. */
  owner: string | null;
  title: string;
  text: string | null;
  facts: readonly CardFact[];
};

/** Size of share images in pixels. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

/** Increased when the design changes, so that cached images are not reused. */
const DESIGN_VERSION = 1;
const MAX_TITLE_LENGTH = 120;
const MAX_TEXT_LENGTH = 160;
const MAX_FACT_LENGTH = 18;
/** Matches characters that the fonts lack: all but Latin letters, digits and punctuation. */
const UNSUPPORTED_CHARACTERS = /[^\p{Script=Latin}\p{Mark}\d\s!-/:-@[-`{-~°±·×÷–—‘’“”„…€£¥™©®]/gu;

/** Returns the card without characters that the fonts lack; null if too little of the title remains. */
export function toDrawableCard(card: ShareCard): ShareCard | null {
  const title = cleanText(card.title, MAX_TITLE_LENGTH);
  if (title.length * 2 < Math.min(card.title.trim().length, MAX_TITLE_LENGTH) || !/[\p{Letter}\d]/u.test(title))
    return null;
  return {
    kind: cleanText(card.kind, MAX_TITLE_LENGTH),
    owner: card.owner === null ? null : cleanText(card.owner, MAX_TITLE_LENGTH),
    title,
    text: card.text === null ? null : cleanText(card.text, MAX_TEXT_LENGTH) || null,
    facts: card.facts.map((fact) => ({ ...fact, value: cleanText(fact.value, MAX_FACT_LENGTH) })),
  };
}

/** Returns a hash that changes with the content of the image. */
export function computeVersion(card: ShareCard, productName: string): string {
  return createHash("sha256")
    .update(JSON.stringify([DESIGN_VERSION, productName, card]))
    .digest("base64url")
    .slice(0, 16);
}

function cleanText(text: string, maxLength: number): string {
  const plain = text.normalize("NFC").replaceAll(UNSUPPORTED_CHARACTERS, "").replaceAll(/\s+/g, " ").trim();
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1).trimEnd()}…`;
}
