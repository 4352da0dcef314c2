import type { ModelDetail } from "@feather/sdk";
import { formatCount, formatParameters } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { DetailLine, DetailView } from "../../output/index.ts";
import { formatDay } from "../../output/time.ts";
import {
  deriveState,
  formatFit,
  formatState,
  formatUnitBarbs,
  MODEL_FIELDS,
  paintId,
  paintState,
} from "../../views/model.ts";
import { formatPlace } from "../../views/places.ts";
import { formatProbes } from "../../views/probes.ts";
import { MODEL_ARGUMENT, resolveModelId } from "./resolve-model.ts";
import { withSuggestions } from "./suggestions.ts";

/** Shows one model. */
export const modelsShow: Command<{ readonly id: string }> = {
  name: "models show",
  summary: "Show a model",
  arguments: [MODEL_ARGUMENT],
  prints: "one",
  fields: [...MODEL_FIELDS, "readme", "places", "probes", "state"],
  isPublic: true,
  examples: ["feather models show Qwen/Qwen3-32B", "feather models show Qwen/Qwen3-32B --json license,features"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { io, output, client, now, signal } = context;
    const feather = await client();
    const id = await resolveModelId(context, feather, given);
    const model = await withSuggestions(feather, id, signal, () => feather.models.get(id, {}, { signal }));
    output.printDetails(createDetailView(io.env.unicode, now()), model);
    if (model.availability.tier === "warm") output.hint(`\nfeather chat -m ${model.id}`);
  },
};

function createDetailView(unicode: boolean, now: Date): DetailView<ModelDetail> {
  return {
    derived: deriveState,
    id: (model) => model.id,
    lines: (model) => {
      const features = Object.entries(model.features).flatMap(([name, yes]) =>
        yes ? [name.replaceAll("_", " ")] : [],
      );
      const units = `${formatUnitBarbs(model.concurrency_cost, unicode)} ${model.concurrency_cost}`;
      const rows: [string, string | null, DetailLine[2]?][] = [
        ["model", model.id, paintId],
        ["about", model.description || null],
        ["state", formatState(model, now), (text, style) => paintState(text, style, model)],
        ...model.places.map((place): [string, string] => ["answers at", formatPlace(place)]),
        ...formatProbes(model.probes, now).map((text): [string, string] => ["shown at", text]),
        ["reason", model.availability.loading_reason],
        ["size", model.parameter_size === null ? null : formatParameters(model.parameter_size)],
        ["memory", formatFit(model) || null],
        ["context", model.context_length === null ? "unknown" : `${formatCount(model.context_length)} tokens`],
        ["units", units],
        [
          "rating",
          model.avg_rating === null
            ? null
            : `${model.avg_rating.toFixed(1)} of 5, ${model.total_reviews} ${model.total_reviews === 1 ? "review" : "reviews"}`,
        ],
        ["takes", model.input_modalities.join(", ") || null],
        ["can", features.join(", ") || null],
        ["family", model.family],
        ["licence", model.license],
        ["released", model.released_date === null ? null : formatDay(new Date(model.released_date))],
      ];
      return rows.flatMap(([label, text, paint]) =>
        text === null ? [] : [[label, text, paint ?? unpainted] as const],
      );
    },
  };
}

const unpainted = (text: string) => text;
