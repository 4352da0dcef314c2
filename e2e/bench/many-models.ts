/** Fills a platform's catalogue with very many models: variants of each known model by many owners, as on a hub. */
import pg from "pg";

/** Inserts models directly into the database in `socketFolder`: through the API it would take hours. */
export async function addModels(socketFolder: string, count: number): Promise<void> {
  const client = new pg.Client({ host: socketFolder, user: "feather", database: "feather" });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(SEARCH_INDEXES);
    await client.query("set maintenance_work_mem = '512MB'");
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await client.query(INSERT, [count]);
    for (const { definition } of indexes) await client.query(definition);
    await client.query("vacuum analyze models");
    await client.query("vacuum analyze catalogue_words");
    await client.query("checkpoint"); // so that writing this is over before anything is measured
  } finally {
    await client.end();
  }
}

/** These indexes are dropped first and rebuilt afterwards, which is many times faster. */
const SEARCH_INDEXES = `
  select indexname as name, indexdef as definition from pg_indexes
  where tablename = 'models' and indexdef like '%gin_trgm_ops%'`;

const INSERT = `
  with base as (
    select row_number() over (order by id) - 1 as place, count(*) over () as total,
      name, family_id, parameter_size, tags, model_class_id from models
  ), made as (
    select base.*, n, (n * 7919::bigint) % 60000 as maker,
      (array['gguf', 'awq', 'gptq', 'exl2', 'lora', 'sft', 'dpo', 'merge', 'abliterated', 'instruct', 'roleplay',
        'medical', 'law', 'math', 'code', 'ja', 'de', 'fr', 'ko', 'zh'])[1 + (n / 7) % 20] as form,
      (array['chat', 'code', 'mathematics', 'stories', 'medicine', 'law', 'translation', 'summaries'])[1 + n % 8] as use
    from generate_series(1, $1::integer) as n join base on base.place = n % base.total
  ), named as (
    select *, 'maker' || maker as owner, name || '-' || form || '-v' || (n / 997) % 9 || '-' || n as title from made
  )
  insert into models (id, id_lower, owned_by, name, family_id, model_class_id, parameter_size, downloads, tags,
    released_date, source, description)
  select owner || '/' || title, lower(owner || '/' || title), owner, title, family_id, model_class_id, parameter_size,
    (n * 7919::bigint % 1000003)::integer, tags, date '2023-01-01' + n % 1100, 'hub',
    'A fine-tune of ' || name || ' by ' || owner || ' for ' || use || '.'
  from named
  on conflict do nothing`;
