import { createHash } from "node:crypto";

/** One thing that a picture says at its foot, with the barbs of concurrency units where it counts them. */
export type CardFact = { label: string; value: string; units?: number };

/** What the picture of a page says when its address is shared. */
export type ShareCard = {
  /** What kind of page it is, in a word or two. */
  kind: string;
  /** Stands dim above the title: the owner of a model. */
  owner: string | null;
  title: string;
  text: string | null;
  facts: readonly CardFact[];
};

export const CARD_SIZE = { width: 1200, height: 630 } as const;

/** Goes up with the look of the pictures, so that nobody keeps the old ones. */
const LOOK = 1;
const LONGEST_TITLE = 120;
const LONGEST_TEXT = 160;
const LONGEST_FACT = 18;
/** What the fonts can draw: Latin letters, figures, and the marks between them. */
const NOT_DRAWN = /[^\p{Script=Latin}\p{Mark}\d\s!-/:-@[-`{-~°±·×÷–—‘’“”„…€£¥™©®]/gu;

/** The card with the words that can be drawn, or null where too little is left to be read. */
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

/** Changes with the picture. */
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
