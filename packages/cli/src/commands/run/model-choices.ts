import type { Model } from "@feather/sdk";
import { formatParameters } from "@feather/sdk/format";
import type { Choice } from "../../prompts.ts";
import { formatFit, formatState } from "../../views/model.ts";

/** The owner of the models that come with the server: they prove that it works and explain it, and know nothing else. */
const SHIPPED_OWNER = "feather/";
/** The most memory of a model that is suggested, in bytes: larger ones answer slowly on a machine without a GPU. */
const MAX_SUGGESTED_BYTES = 16e9;
/** The most memory of a suggested model, as a share of the memory for models, so that other models fit too. */
const MAX_SUGGESTED_SHARE = 0.5;

const TASKS = ["chat", "reasoning", "code", "vision"] as const;
type Task = (typeof TASKS)[number];
const TASK_GROUPS: Record<Task, string> = { chat: "Chat", reasoning: "Reasoning", code: "Code", vision: "Vision" };

/** The fields of a model that its choice shows. */
export type OfferedModel = Pick<Model, "id" | "parameter_size" | "fit" | "classified_tags" | "features"> & {
  readonly availability: Pick<
    Model["availability"],
    "tier" | "loading_stage" | "loading_progress" | "estimated_ready_at"
  >;
};

/** Models that the server runs or can load, and those that it can download, the newest first. */
export type ModelOffer = { readonly here: readonly OfferedModel[]; readonly fitting: readonly OfferedModel[] };

/**
 * Returns the choices in groups: a suggestion, which Enter chooses, then the models on the server, then those that fit
 * its memory, by task. Models that cannot chat are left out.
 */
export function toModelChoices({ here, fitting }: ModelOffer, now: Date): readonly Choice<string>[] {
  const ready = here.filter(conversesWithPeople).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const readyIds = new Set(ready.map(({ id }) => id));
  const downloadable = fitting.filter((model) => conversesWithPeople(model) && !readyIds.has(model.id));
  const suggested = suggestModel(ready, downloadable);
  const groups: readonly (readonly [string, readonly OfferedModel[]])[] = [
    ["Suggested", suggested === undefined ? [] : [suggested]],
    ["On this server", ready.filter((model) => model !== suggested)],
    ...TASKS.map(
      (task) =>
        [
          TASK_GROUPS[task],
          downloadable.filter((model) => model !== suggested && listTasks(model).at(-1) === task),
        ] as const,
    ),
  ];
  return groups.flatMap(([group, models]) =>
    models.map((model) => ({ label: model.id, note: describe(model, now), group, value: model.id })),
  );
}

/**
 * Returns the largest model that needs no download, apart from those that come with the server. Without one: of the models that fit well,
 * the newest that is at least half as large as the largest of them; or else the smallest.
 */
function suggestModel(ready: readonly OfferedModel[], downloadable: readonly OfferedModel[]): OfferedModel | undefined {
  const installed = ready.find(({ id }) => !id.startsWith(SHIPPED_OWNER));
  if (installed !== undefined) return installed;
  const comfortable = downloadable.filter(fitsComfortably);
  const largest = Math.max(...comfortable.map(sizeOf));
  return (
    comfortable.find((model) => sizeOf(model) >= largest / 2) ??
    downloadable.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] ??
    ready[0]
  );
}

function fitsComfortably({ fit }: OfferedModel): boolean {
  if (fit?.verdict !== "fits" || fit.memory_bytes === null) return false;
  return fit.memory_bytes <= Math.min(fit.available_bytes * MAX_SUGGESTED_SHARE, MAX_SUGGESTED_BYTES);
}

const sizeOf = ({ parameter_size: size }: OfferedModel): number => size ?? 0;

const conversesWithPeople = ({ classified_tags: { modalities } }: OfferedModel): boolean =>
  !modalities.includes("embedding");

/** Returns what a model is made for, the most special last. */
function listTasks({ classified_tags: { domains }, features }: OfferedModel): readonly Task[] {
  return TASKS.filter(
    (task) =>
      task === "chat" ||
      (task === "reasoning" && features.reasoning) ||
      (task === "code" && domains.includes("code")) ||
      (task === "vision" && features.image_input),
  );
}

function describe(model: OfferedModel, now: Date): string {
  const { tier } = model.availability;
  const state = tier === "offline" ? formatFit(model) : formatState(model, now);
  const size = model.parameter_size === null ? "" : formatParameters(model.parameter_size);
  return [size, state, listTasks(model).join(" ")].filter((part) => part !== "").join(", ");
}
