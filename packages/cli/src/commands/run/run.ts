import { type Feather, isNotFound, type Model } from "@feather/sdk";
import { formatBytes } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { SignInError, UsageError, WorkFailedError } from "../../errors.ts";
import { canAdminister } from "../../sign-in/rights.ts";
import { isBeingDownloaded } from "../../views/model.ts";
import { answerOnce } from "../chat/answer-once.ts";
import { startConversation } from "../chat/conversation.ts";
import type { ChatOptions } from "../chat/options.ts";
import { DEFAULT_PULL_TIMEOUT_MS, waitForPull } from "../models/wait-for-pull.ts";
import { toModelChoices } from "./model-choices.ts";

type Options = { readonly model: string; readonly prompt: string };

/** How long the first call waits for the model to load, in seconds. */
const LOADING_WAIT_S = 600;
const PAGE_SIZE = 100;
/** How many pages of models that fit are offered where none is named. */
const MAX_PAGES = 3;

/** Downloads a model if it is not on the server, and talks to it. */
export const run: Command<Options> = {
  name: "run",
  summary: "Download a model if it is not here, and talk to it",
  description:
    "Says what will be downloaded, asks once, waits for the download, and starts a conversation, or answers the prompt. Without a model you choose among those on the server and those that fit it. Downloads need an admin.",
  arguments: [
    {
      name: "[model]",
      summary: "model as owner/name, with or without a quantization: owner/name:Q5_K_M",
      values: "models",
    },
    { name: "[prompt...]", summary: "what to say; without it, a conversation starts" },
  ],
  confirms: true,
  needs: "sign-in",
  examples: [
    "feather run Qwen/Qwen3-0.6B",
    'feather run Qwen/Qwen3-0.6B:Q4_K_M "Why do feathers insulate?"',
    "feather run Qwen/Qwen3-0.6B --yes",
  ],
  options: ([model = "", ...prompt]) => ({ model, prompt: prompt.join(" ") }),
  async run(context, { model, prompt }) {
    const feather = await context.signedInClient();
    const reference = model === "" ? await pickModel(context, feather) : model;
    const id = await ensureDownloaded(context, feather, reference);
    const chatOptions = toChatOptions(id, prompt);
    if (prompt === "") await startConversation(context, chatOptions);
    else await answerOnce(context, chatOptions, []);
  },
};

const toChatOptions = (model: string, prompt: string): ChatOptions => ({
  model,
  prompt,
  files: [],
  images: [],
  collections: [],
  sampling: {},
  stream: true,
  continues: false,
  waitForModel: LOADING_WAIT_S,
});

/** Lets the person choose among the models that are on the server, and for admins among those that fit it. */
async function pickModel({ interactive, pick, now, signal }: Context, feather: Feather): Promise<string> {
  const alternative = "the model's id: feather models list --fit";
  if (!interactive) return pick("Model", [], alternative);
  const mayDownload = await canAdminister(feather, signal);
  const [here, fitting] = await Promise.all([
    feather.models.list({ availability: "warm,loading,cold", perPage: PAGE_SIZE }, { signal }),
    mayDownload ? listFitting(feather, signal) : [],
  ]);
  const choices = toModelChoices({ here: here.items, fitting }, now());
  if (choices.length === 0) throw new UsageError("no model fits this server", "feather models list --sort fit");
  return pick("Model", choices, alternative);
}

/** Returns models for conversations that the server's memory can hold: those in nearly their original precision first. */
async function listFitting(feather: Feather, signal: AbortSignal): Promise<readonly Model[]> {
  const query = { tags: "chat", fit: "fits,fits_quantized", sort: "fit", perPage: PAGE_SIZE } as const;
  const models: Model[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { items, pagination } = await feather.models.list({ ...query, page }, { signal });
    models.push(...items);
    if (page >= pagination.total_pages) break;
  }
  return models;
}

/** Returns the id of the model of a reference, after its file has been downloaded if nothing on the server runs it. */
async function ensureDownloaded(context: Context, feather: Feather, reference: string): Promise<string> {
  const { confirm, output, signal } = context;
  const named = await findModel(feather, reference, signal);
  if (named && isHere(named)) return named.id;
  const colon = reference.lastIndexOf(":");
  const id = colon < 0 ? reference : reference.slice(0, colon);
  const model = colon < 0 ? named : await findModel(feather, id, signal);
  const isOnItsWay = model !== null && isBeingDownloaded(model.availability);
  if (!(await canAdminister(feather, signal))) {
    if (isOnItsWay) return model.id;
    throw await createDownloadRefusal(context, feather, reference, id);
  }

  const { model_id, repository, files, chosen, reason } = await feather.admin.store.files(
    { model_id: reference },
    { signal },
  );
  if (chosen === null)
    throw new WorkFailedError(reason ?? `${reference} cannot be loaded here`, "feather models list --fit");
  if (model && isHere(model) && model.fit?.file === chosen) return model.id;
  const found = files.find(({ file }) => file === chosen);
  const source = repository === model_id ? chosen : `${chosen} of ${repository}`;
  if (found?.fits === false) output.info("The file is larger than the server's memory for models: it may not load.");
  if (!isOnItsWay) await confirm(`Download ${source}, ${formatBytes(found?.bytes ?? 0)}?`);
  const pull = await feather.admin.store.pulls.create({ model_id: reference }, { signal });
  const done = await waitForPull(context, feather, {
    pull,
    resume: `feather run ${reference}`,
    timeout: DEFAULT_PULL_TIMEOUT_MS,
  });
  output.info(`${done.model_id} is ready to run.`);
  return done.model_id;
}

/**
 * Returns the error for a caller who may not download models. It tells admins how to sign in as one, and others to
 * request the model.
 */
async function createDownloadRefusal(
  context: Context,
  feather: Feather,
  reference: string,
  id: string,
): Promise<Error> {
  const user = await feather.auth.me({ signal: context.signal });
  if (user.is_admin) return (await import("../../sign-in/access-errors.ts")).createNotAdminError(context, user);
  const message = `nothing on this server runs ${reference}, and only admins download models`;
  return new SignInError(message, `feather models request ${id}`);
}

/** Whether something on the server runs a model, or can load it. */
const isHere = ({ availability }: Model): boolean =>
  availability.tier !== "offline" && !isBeingDownloaded(availability);

/** Returns the model of the catalogue, or null if it has none of this id. */
async function findModel(feather: Feather, id: string, signal: AbortSignal): Promise<Model | null> {
  try {
    return await feather.models.get(id, {}, { signal });
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}
