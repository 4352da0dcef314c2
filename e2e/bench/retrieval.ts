/** Measures how long a search of a collection takes, and whether it finds the passages that are nearest. */
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Feather } from "@feather/sdk";
import { startFakeUpstream } from "@feather/testing/fake-upstream";
import { signInAsAdmin } from "../support/accounts.ts";
import { startPlatform } from "../support/platform.ts";
import { createKeyWithoutLimit } from "./environment.ts";
import { median, type ResultRow } from "./result-row.ts";

const MODEL = "bench/embeddings";
const DIMENSIONS = 384;
const [FEW, MANY] = [2_000, 10_000];
const PASSAGES_OF_DOCUMENT = 2_000;
/** So long that each text ends a passage of its own. */
const FILLER = "feather ".repeat(130);
const QUERIES = 30;
const NEAREST = 10;
const LOOK_MS = 500;
const MAX_WAIT_MS = 600_000;

type Searched = { passages: number; ms: number; found: number };

/** Measures two numbers of passages on one server. A search is one call over HTTP, with the call for its own vector. */
export async function measureRetrieval(): Promise<ResultRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "feather-retrieval-"));
  chmodSync(folder, 0o711);
  const embedded = new Map<string, Float64Array>();
  const embed = (text: string) => {
    const vector = vectorOf(text);
    embedded.set(text, vector);
    return [...vector];
  };
  const upstream = await startFakeUpstream({ embed });
  const backends = [{ name: "bench", base_url: upstream.baseUrl, models: [MODEL] }];
  const platform = await startPlatform(folder, {
    FEATHER_BACKENDS: JSON.stringify(backends),
    FEATHER_DOCUMENT_CHARACTERS: "5900000",
  });
  try {
    const { feather } = await signInAsAdmin(platform.baseUrl);
    await createKeyWithoutLimit(platform.baseUrl);
    const few = await search(feather, FEW, embedded);
    const many = await search(feather, MANY, embedded);
    return toRows(few, many);
  } finally {
    platform.process.kill("SIGTERM");
    await platform.ended;
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function toRows(few: Searched, many: Searched): ResultRow[] {
  return [
    {
      what: `search of ${many.passages} passages with vectors of ${DIMENSIONS} numbers, median`,
      measured: `${many.ms.toFixed(0)} ms`,
      reference: `${few.passages} passages: ${few.ms.toFixed(0)} ms`,
      ratio: (many.ms / few.ms).toFixed(2),
      bar: `≤ ${MANY / FEW}`,
    },
    {
      what: `share of the ${NEAREST} nearest passages of ${many.passages} that are found`,
      measured: many.found.toFixed(3),
      reference: "compared one by one in doubles: 1",
      ratio: many.found.toFixed(3),
      bar: "≥ 0.99",
    },
  ];
}

/** Fills a collection, waits until its passages have vectors, and searches it. */
async function search(
  feather: Feather,
  passages: number,
  embedded: ReadonlyMap<string, Float64Array>,
): Promise<Searched> {
  const { id } = await feather.collections.create({ name: `${passages} passages`, embedding_model: MODEL });
  const texts = Array.from({ length: passages }, (_, index) => `${FILLER}${passages}p${index}`);
  for (let start = 0; start < passages; start += PASSAGES_OF_DOCUMENT) {
    const content = texts.slice(start, start + PASSAGES_OF_DOCUMENT).join("\n\n");
    await feather.collections.documents.add(id, { file: new File([content], `${start}.txt`) });
  }
  const giveUpAt = Date.now() + MAX_WAIT_MS;
  while ((await countWaiting(feather, id)) > 0) {
    if (Date.now() > giveUpAt) throw new Error("The passages have no vectors.");
    await sleep(LOOK_MS);
  }
  const vectors = [...embedded].filter(([text]) => text.includes(`${passages}p`));
  const times: number[] = [];
  let found = 0;
  for (let query = 0; query < QUERIES; query++) {
    const text = `q${query}`;
    const startedAt = performance.now();
    const { items } = await feather.collections.search({ collection_ids: [id], query: text, limit: NEAREST });
    times.push(performance.now() - startedAt);
    const nearest = new Set(findNearest(vectors, vectorOf(text)));
    found += items.filter((item) => nearest.has(item.text)).length;
  }
  return { passages, ms: median(times), found: found / (QUERIES * NEAREST) };
}

async function countWaiting(feather: Feather, id: string): Promise<number> {
  const { items } = await feather.collections.documents.list(id);
  return items.filter(({ state }) => state !== "ready").length;
}

/** Returns the texts whose vectors are nearest to one. */
function findNearest(vectors: readonly (readonly [string, Float64Array])[], query: Float64Array): string[] {
  const similarities = vectors.map(([text, vector]) => ({
    text,
    similarity: vector.reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
  }));
  return similarities
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, NEAREST)
    .map(({ text }) => text);
}

/** Returns a vector of length 1 in a direction that its text alone decides. */
function vectorOf(text: string): Float64Array {
  const bytes = createHash("shake256", { outputLength: DIMENSIONS * 2 })
    .update(text)
    .digest();
  const vector = Float64Array.from({ length: DIMENSIONS }, (_, index) => bytes.readUInt16LE(index * 2) / 2 ** 16 - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
