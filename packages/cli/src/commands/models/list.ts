import type { Model, Query } from "@feather/sdk";
import { formatParameters, formatTokens } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../errors.ts";
import { optionalText, parseListOf } from "../../flags.ts";
import type { TableView } from "../../output/index.ts";
import type { Column } from "../../output/table.ts";
import { type Paging, parsePaging, readPages } from "../../paging.ts";
import {
  deriveState,
  formatFit,
  formatState,
  formatUnitBarbs,
  MODEL_FIELDS,
  paintId,
  paintState,
} from "../../views/model.ts";
import { formatHosted } from "../../views/places.ts";

type Sort = NonNullable<Query<"models.list">["sort"]>;
type Modality = NonNullable<Query<"models.list">["modality"]>;
/** Filters and paging of `models list`. */
export type ModelsListOptions = Query<"models.list"> & { readonly paging: Paging };

const SORTS: readonly Sort[] = [
  "-trending_rank",
  "-downloads",
  "-likes",
  "-favorites",
  "-released_date",
  "-created_at",
  "parameter_size",
  "-parameter_size",
  "-avg_rating",
  "name",
  "fit",
];
const UNIT_FACTORS: Readonly<Record<string, number>> = { "": 1, M: 0.001, B: 1, T: 1000 };

/** Lists the catalogue, page by page. */
export const modelsList: Command<ModelsListOptions> = {
  name: "models list",
  summary: "List models",
  prints: "list",
  fields: [...MODEL_FIELDS, "state"],
  paged: true,
  flags: [
    { name: "--search <words>", summary: "words, owner or size; close spellings are found too" },
    { name: "--family <names>", summary: "families, by comma" },
    { name: "--size <range>", summary: "parameters: 15B..34B, 8B.., ..4B" },
    {
      name: "--sort <order>",
      summary: "order; a minus means falling (--sort=-released_date); fit: what fits the server first",
      choices: SORTS,
    },
    {
      name: "--takes <kinds>",
      summary: "models that read these, by comma: text, image",
      parse: parseListOf(["text", "image"]),
    },
    { name: "--warm", summary: "only models that answer now" },
    {
      name: "--where <places>",
      summary: "only models that can be called here, in the server's networks, or elsewhere; with a column",
      choices: ["here", "elsewhere"],
    },
    { name: "--callable", summary: "only models that you can call now" },
    { name: "--fit", summary: "only models that the server's memory can hold, with how; sign in first" },
    { name: "--saved", summary: "only your favorites" },
  ],
  isPublic: true,
  examples: [
    "feather models list --search coder --size 15B..34B",
    "feather models list --warm --json id,state",
    "feather models list --fit --sort -parameter_size",
    "feather models list --sort fit",
    "feather models list --where here --callable",
    "feather models list --family qwen -q",
  ],
  options: (_, flags) => ({
    ...optionalText("search", flags.search),
    ...optionalText("family", flags.family),
    ...parseSizeRange(flags.size),
    ...parseSort(flags.sort),
    ...(Array.isArray(flags.takes) && { modality: flags.takes.join(",") as Modality }),
    ...(flags.warm === true && { availability: "warm" as const }),
    ...((flags.where === "here" || flags.where === "elsewhere") && { hosted: flags.where }),
    ...(flags.callable === true && { callable: true }),
    ...(flags.fit === true && { fit: "fits,fits_quantized" as const }),
    ...(flags.saved === true && { saved: true }),
    paging: parsePaging(flags),
  }),
  async run(context, { paging, ...query }) {
    const client = await context.client();
    const { signal } = context;
    const response = await readPages(paging, (page) => client.models.list({ ...query, ...page }, { signal }));
    const tableView: TableView<Model> = {
      columns: [
        ...columns(context),
        ...(query.fit === undefined && query.sort !== "fit" ? [] : [FIT_COLUMN]),
        ...(query.hosted === undefined ? [] : [HOSTED_COLUMN]),
      ],
      derived: deriveState,
      id: (model) => model.id,
      noun: "models",
      empty: describeEmptyList(query),
    };
    context.output.printList(tableView, response.items, response);
  },
};

/** Says what finds more, when no model fits. */
function describeEmptyList({ min_params: min, max_params: max }: Query<"models.list">): string {
  if (min === undefined || min !== max) return "No model fits. Fewer words or a wider size find more.";
  const [from, to] = [Math.floor(min * 0.8), Math.ceil(min * 1.2)];
  return `No model fits that has exactly ${formatParameters(min * 1e9)} parameters. A range finds more: --size ${from}B..${to}B.`;
}

function columns({ now, io }: Context): Column<Model>[] {
  return [
    { header: "MODEL", cell: (model) => model.id, paint: paintId },
    {
      header: "SIZE",
      cell: ({ parameter_size: size }) => (size === null ? "" : formatParameters(size)),
      plain: (model) => String(model.parameter_size ?? ""),
      align: "right",
      dropOrder: 1,
    },
    {
      header: "CONTEXT",
      cell: ({ context_length: tokens }) => (tokens === null ? "unknown" : formatTokens(tokens)),
      plain: (model) => String(model.context_length ?? ""),
      align: "right",
      dropOrder: 3,
    },
    {
      header: "UNITS",
      cell: (model) => formatUnitBarbs(model.concurrency_cost, io.env.unicode),
      plain: (model) => String(model.concurrency_cost),
      dropOrder: 2,
    },
    {
      header: "RATING",
      cell: (model) => model.avg_rating?.toFixed(1) ?? "",
      plain: (model) => String(model.avg_rating ?? ""),
      align: "right",
      dropOrder: 4,
    },
    {
      header: "STATE",
      cell: (model) => formatState(model, now()),
      plain: (model) => model.availability.tier,
      paint: paintState,
    },
  ];
}

const FIT_COLUMN: Column<Model> = {
  header: "FITS",
  cell: formatFit,
  plain: ({ fit }) => fit?.verdict ?? "",
};

const HOSTED_COLUMN: Column<Model> = {
  header: "WHERE",
  cell: formatHosted,
  plain: ({ hosted }) => hosted.join(","),
};

function parseSizeRange(value: unknown): { min_params?: number; max_params?: number } {
  if (typeof value !== "string") return {};
  const [from = "", to = from] = value.split("..");
  const [min, max] = [parseBillions(from), parseBillions(to)];
  if (min === null || max === null || (min === undefined && max === undefined))
    throw new UsageError(`${value} is not a range of sizes`, "--size 15B..34B, --size 8B.. or --size ..4B");
  return { ...(min !== undefined && { min_params: min }), ...(max !== undefined && { max_params: max }) };
}

/** Parses a number of parameters, in billions: 15 for `15B`. Undefined for an empty text, null for an invalid one. */
function parseBillions(text: string): number | null | undefined {
  if (text === "") return undefined;
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)([mbt])?$/i.exec(text.trim()) ?? [];
  const factor = UNIT_FACTORS[unit.toUpperCase()];
  return digits === undefined || factor === undefined ? null : Number(digits) * factor;
}

function parseSort(value: unknown): { sort?: Sort } {
  const sort = SORTS.find((known) => known === value);
  return sort === undefined ? {} : { sort };
}
