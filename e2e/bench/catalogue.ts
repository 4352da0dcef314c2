/** Measures searches of a catalogue with a million models. */
import { join } from "node:path";
import { addModels } from "./many-models.ts";
import { median, quantile, type Row } from "./row.ts";
import type { Stand } from "./stand.ts";

const MODELS = 1_000_000;
const ROUNDS = 5;
/** Exact names, prefixes, words, sizes, misspellings, filters, sorting, rare and very common terms. */
const SEARCHES = [
  ...["search=Qwen%2FQwen3-32B", "search=gpt-oss-20b", "search=maker1234", "search=deepse", "search=tinyl"],
  ...["search=qwen", "search=llama", "search=qwen+coder", "search=roleplay+qwen+32b", "search=coder+32b"],
  ...["search=llama+70b", "search=mistrl", "search=tinylama", "search=deepsek+r1+distil", "search=qwne+coder"],
  ...["search=llama3.1", "search=phi4", "search=kimi+k2", "search=abliterated", "search=zzzzqqqq"],
  ...["search=qwen&family=qwen&size=4-15", "search=coder&tags=code", "search=llama&sort=-downloads", "search=gemma"],
];

/** Measures the duration of searches, with reading one model as the reference. */
export async function catalogueRows(stand: Stand): Promise<Row[]> {
  await addModels(join(stand.folder, "postgres/run"), MODELS);
  const at = `${stand.platform.baseUrl}/api/feather/models`;
  for (const search of SEARCHES) await timed(`${at}?facets=1&${search}`);
  const searched: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    for (const search of SEARCHES) {
      searched.push(await timed(`${at}?facets=1&${search}`));
      plain.push(await timed(`${at}/Qwen%2FQwen3-32B`));
    }
  const p95 = quantile(searched, 0.95);
  const reference = median(plain);
  return [
    {
      what: "search with facets among 1,000,000 models, p95",
      measured: `${p95.toFixed(0)} ms (median ${median(searched).toFixed(0)})`,
      reference: `one model by its id: ${reference.toFixed(1)} ms`,
      ratio: (p95 / reference).toFixed(1),
      bar: "≤ 50 ms",
    },
  ];
}

async function timed(url: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  return performance.now() - started;
}
