import { parse as parseYaml } from "yaml";

/** The front matter of a model card. */
export type CardFacts = {
  license: string | null;
  languages: readonly string[];
  tags: readonly string[];
  baseModel: string | null;
  /** How it was made from the base model, such as `quantized` or `finetune`; null if the card does not state it. */
  baseModelRelation: string | null;
};

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const MAX_FRONT_MATTER_LENGTH = 100_000;

/** Splits a model card into front matter and text. Front matter that is not valid YAML is ignored. */
export function parseModelCard(card: string): { facts: CardFacts; text: string } {
  const match = FRONT_MATTER.exec(card);
  if (!match) return { facts: toCardFacts({}), text: card };
  return { facts: toCardFacts(parseFrontMatter(match[1] ?? "")), text: card.slice(match[0].length).trimStart() };
}

/** Reads the facts from the hub's `cardData` or from front matter; both are untrusted and may have any form. */
export function toCardFacts(data: unknown): CardFacts {
  const card = typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
  return {
    license: toStrings(card.license_name ?? card.license)[0] ?? null,
    languages: toStrings(card.language),
    tags: toStrings(card.tags),
    baseModel: toStrings(card.base_model)[0] ?? null,
    baseModelRelation: toStrings(card.base_model_relation)[0] ?? null,
  };
}

function toStrings(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((item): item is string => typeof item === "string" && item !== "" && item.length <= 200);
}

function parseFrontMatter(text: string): unknown {
  if (text.length > MAX_FRONT_MATTER_LENGTH) return {};
  try {
    return parseYaml(text, { maxAliasCount: 10 });
  } catch {
    return {};
  }
}

/** Parses a `config.json`; returns null if it is not a JSON object. */
export function parseConfig(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
