/** Measures searches of a catalogue with a million models. */
import { join } from "node:path";
import type { BenchEnvironment } from "./environment.ts";
import { addModels } from "./many-models.ts";
import { median, quantile, type ResultRow } from "./result-row.ts";

const MODEL_COUNT = 1_000_000;
const ROUNDS = 5;
/**
 * Rounds that are not measured, until code is compiled and PostgreSQL has read the searched rows: the first searches
 * take up to twice as long.
 */
const WARM_UP_ROUNDS = 12;
/** Exact names, prefixes, words, sizes, misspellings, filters, sorting, rare and very common terms. */
const SEARCHES = [
  ...["search=Qwen%2FQwen3-32B", "search=gpt-oss-20b", "search=maker1234", "search=deepse", "search=tinyl"],
  ...["search=qwen", "search=llama", "search=qwen+coder", "search=roleplay+qwen+32b", "search=coder+32b"],
  ...["search=llama+70b", "search=mistrl", "search=tinylama", "search=deepsek+r1+distil", "search=qwne+coder"],
  ...["search=llama3.1", "search=phi4", "search=kimi+k2", "search=abliterated", "search=zzzzqqqq"],
  ...["search=qwen&family=qwen&size=4-15", "search=coder&tags=code", "search=llama&sort=-downloads", "search=gemma"],
];

/** Measures the duration of searches, with reading one model as the reference. */
export async function measureCatalogue(environment: BenchEnvironment): Promise<ResultRow[]> {
  await addModels(join(environment.folder, "postgres/run"), MODEL_COUNT);
  const modelsUrl = `${environment.platform.baseUrl}/api/feather/models`;
  for (let round = 0; round < WARM_UP_ROUNDS; round++)
    for (const search of SEARCHES) await timeRequest(`${modelsUrl}?facets=1&${search}`);
  const searchTimes: number[] = [];
  const direct: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const search of SEARCHES) {
      searchTimes.push(await timeRequest(`${modelsUrl}?facets=1&${search}`));
      direct.push(await timeRequest(`${modelsUrl}/Qwen%2FQwen3-32B`));
    }
  const p95 = quantile(searchTimes, 0.95);
  const reference = median(direct);
  return [
    {
      what: "search with facets among 1,000,000 models, p95",
      measured: `${p95.toFixed(0)} ms (median ${median(searchTimes).toFixed(0)})`,
      reference: `one model by its id: ${reference.toFixed(1)} ms`,
      ratio: (p95 / reference).toFixed(1),
      bar: "≤ 50 ms",
    },
  ];
}

async function timeRequest(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return performance.now() - started;
}
