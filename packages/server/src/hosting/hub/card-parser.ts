/** Parses model cards. Runs in worker threads (`platform/core/parse-pool.ts`), because cards are untrusted. */
import { type CardFacts, parseModelCard, toCardFacts } from "./model-card.ts";
import { extractSummary, sanitizeMarkdown } from "./sanitize-markdown.ts";

/** A model card or a readme. */
export type CardText = {
  text: string;
  /** Whether it may begin with front matter. */
  hasFrontMatter: boolean;
  /** The base of relative links. Without one, they become text. */
  base?: string | undefined;
};

/** The parsed content of a model card. */
export type ParsedCard = {
  facts: CardFacts;
  /** The text, sanitized by `sanitizeMarkdown`; null if it is too complex to parse. */
  readme: string | null;
  /** The first sentences of the readme; empty if it has none. */
  summary: string;
};

/** Returns the facts and the sanitized text of a model card. */
export default function parseCard({ text: card, hasFrontMatter, base }: CardText): ParsedCard {
  const { facts, text } = hasFrontMatter ? parseModelCard(card) : { facts: toCardFacts({}), text: card };
  const readme = sanitizeMarkdown(text, base);
  return { facts, readme, summary: readme === null ? "" : extractSummary(readme) };
}
