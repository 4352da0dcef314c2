import { expect, onTestFinished, test } from "vitest";
import { createParsePool, type ParsePool, UnreadableTextError } from "../../platform/core/parse-pool.ts";
import type { CardText, ParsedCard } from "./card-parser.ts";
import { createReadCard, README_NOT_SHOWN, toShownReadme } from "./read-card.ts";

const CARD: CardText = {
  text: "---\nlicense: mit\n---\n# A\n\n<b>This model</b> answers questions.",
  hasFrontMatter: true,
};

/** Creates a pool whose parser fails for every text. `tries` counts the attempts. */
function createStrictPool() {
  const tried: unknown[] = [];
  const pool: ParsePool = {
    create: () => async (input) => {
      tried.push(input);
      throw new UnreadableTextError("time", "it takes too long to read");
    },
    close: async () => {},
  };
  return { pool, tried };
}

test("a model card is parsed in a thread of the pool", async () => {
  const pool = createParsePool();
  onTestFinished(() => pool.close());
  expect(await createReadCard(pool)(CARD)).toEqual({
    facts: { license: "mit", languages: [], tags: [], baseModel: null, baseModelRelation: null },
    readme: "# A\n\nThis model answers questions.\n",
    summary: "This model answers questions.",
  } satisfies ParsedCard);
});

test("a text without front matter keeps a line that looks like it", async () => {
  const pool = createParsePool();
  onTestFinished(() => pool.close());
  const { facts, readme } = await createReadCard(pool)({ ...CARD, hasFrontMatter: false });
  expect([facts.license, readme]).toEqual([null, expect.stringContaining("license: mit")]);
});

test("a card that was given up is not parsed again, and says so where it would be shown", async () => {
  const { pool, tried } = createStrictPool();
  const readCard = createReadCard(pool);
  const given = [await readCard(CARD), await readCard({ ...CARD }), await readCard({ ...CARD, text: "another" })];
  expect(tried).toHaveLength(2);
  for (const card of given) {
    expect(card).toMatchObject({ readme: null, summary: "" });
    expect(toShownReadme(card)).toBe(`${README_NOT_SHOWN}\n`);
    expect(toShownReadme(card, "https://hub.example/a/b/README.md")).toBe(
      `${README_NOT_SHOWN} [Read it on the hub](https://hub.example/a/b/README.md).\n`,
    );
  }
});

test("a card that waits too long in the queue of its account is tried again later", async () => {
  let isBusy = true;
  const pool: ParsePool = {
    create: () => async () => {
      if (isBusy) throw new Error("busy");
      return { facts: {}, readme: "x", summary: "" } as never;
    },
    close: async () => {},
  };
  const readCard = createReadCard(pool);
  await expect(readCard(CARD)).rejects.toThrow("busy");
  isBusy = false;
  expect(await readCard(CARD)).toMatchObject({ readme: "x" });
});
