import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import {
  type Parse,
  type ParseOptions,
  type ParsePool,
  type ParserModule,
  UnreadableTextError,
} from "../../platform/core/parse-pool.ts";
import { HOUR_MS, SECOND_MS } from "../../platform/core/time.ts";
import type { CardText, ParsedCard } from "./card-parser.ts";
import { toCardFacts } from "./model-card.ts";

/**
 * Reads a model card or a readme. If the parser reaches a limit, the result has no facts and no readme. Throws
 * `parsing.busy` if too many texts of the account are waiting.
 */
export type ReadCard = Parse<CardText, ParsedCard>;

/** Long readmes take a tenth of a second. */
const CARD_PARSER: ParserModule = { file: new URL("./card-parser.ts", import.meta.url), timeLimitMs: 5 * SECOND_MS };
/** A card for which the parser reached a limit is not parsed again for an hour, unless its text changes. */
const GIVEN_UP_OPTIONS = { max: 1_000, ttl: HOUR_MS };
const GIVEN_UP: ParsedCard = { facts: toCardFacts({}), readme: null, summary: "" };
const TOO_COMPLEX = "This readme is too long or too complex to be shown here.";

/** Creates the reader of model cards. */
export function createReadCard(pool: ParsePool, parser: ParserModule = CARD_PARSER): ReadCard {
  const parse = pool.create<CardText, ParsedCard>(parser);
  const givenUp = new LRUCache<string, true>(GIVEN_UP_OPTIONS);
  return (card, options) => readOnce(parse, givenUp, card, options);
}

async function readOnce(
  parse: Parse<CardText, ParsedCard>,
  givenUp: LRUCache<string, true>,
  card: CardText,
  options?: ParseOptions,
): Promise<ParsedCard> {
  const digest = createHash("sha256").update(card.text).digest("base64");
  if (givenUp.has(digest)) return GIVEN_UP;
  try {
    return await parse(card, options);
  } catch (error) {
    if (!(error instanceof UnreadableTextError)) throw error;
    givenUp.set(digest, true);
    return GIVEN_UP;
  }
}

/** Returns the readme to show. If it could not be parsed, that is a sentence, with the readme's address if it has one. */
export function toShownReadme({ readme }: ParsedCard, url?: string): string {
  if (readme !== null) return readme;
  return url === undefined ? `${TOO_COMPLEX}\n` : `${TOO_COMPLEX} [Read it on the hub](${url}).\n`;
}

/** The beginning of a readme that only says that the model's own one cannot be shown. */
export const README_NOT_SHOWN = TOO_COMPLEX;
