import type { Schemas } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { count, parameters } from "../../output/format.ts";
import type { Sheet, SheetLine } from "../../output/index.ts";
import { day } from "../../output/time.ts";
import { withClosest } from "./close.ts";
import { derivedState, MODEL_FIELDS, paintId, paintState, stateText, unitBarbs } from "./model.ts";

type Detail = Schemas["ModelDetail"];

/** Shows one model. */
export const modelsShow: Command<{ readonly id: string }> = {
  name: "models show",
  summary: "Show a model",
  arguments: [{ name: "<id>", summary: "model, as owner/name", values: "models" }],
  prints: "one",
  fields: [...MODEL_FIELDS, "readme", "state"],
  examples: ["feather models show Qwen/Qwen3-32B", "feather models show Qwen/Qwen3-32B --json license,features"],
  options: ([id = ""]) => ({ id }),
  async run({ io, output, client, now, signal }, { id }) {
    const feather = await client();
    const model = await withClosest(feather, id, signal, () => feather.models.get(id, {}, { signal }));
    output.one(sheet(io.env.unicode, now()), model);
    if (model.availability.tier === "warm") output.hint(`\nfeather chat -m ${model.id}`);
  },
};

function sheet(unicode: boolean, now: Date): Sheet<Detail> {
  return {
    derived: derivedState,
    id: (model) => model.id,
    lines: (model) => {
      const able = Object.entries(model.features).flatMap(([name, yes]) => (yes ? [name.replaceAll("_", " ")] : []));
      const units = `${unitBarbs(model.concurrency_cost, unicode)} ${model.concurrency_cost}`;
      const rows: [string, string | null, SheetLine[2]?][] = [
        ["model", model.id, paintId],
        ["about", model.description || null],
        ["state", stateText(model, now), (text, style) => paintState(text, style, model)],
        ["size", parameters(model.parameter_size) || null],
        ["context", model.context_length === null ? null : `${count(model.context_length)} tokens`],
        ["units", units],
        [
          "rating",
          model.avg_rating === null
            ? null
            : `${model.avg_rating.toFixed(1)} of 5, ${model.total_reviews} ${model.total_reviews === 1 ? "review" : "reviews"}`,
        ],
        ["takes", model.input_modalities.join(", ") || null],
        ["can", able.join(", ") || null],
        ["family", model.family],
        ["licence", model.license],
        ["released", model.released_date === null ? null : day(new Date(model.released_date))],
      ];
      return rows.flatMap(([label, text, paint]) => (text === null ? [] : [[label, text, paint ?? same] as const]));
    },
  };
}

const same = (text: string) => text;
