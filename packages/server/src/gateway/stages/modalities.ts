import { type AppError, errors } from "../../core/errors/index.ts";
import type { CallBody } from "../call.ts";
import type { CallableModel } from "../ports.ts";
import { isRecord } from "../reported-usage.ts";

/** The input modality that each type of message part requires. */
const MODALITY_BY_PART_TYPE: Readonly<Record<string, string>> = {
  image_url: "image",
  input_audio: "audio",
  audio_url: "audio",
  video_url: "video",
  file: "file",
};

/** Throws `unsupported_modality` for message parts that the model does not accept. */
export function admitModalities(body: CallBody, model: CallableModel): void {
  if (!Array.isArray(body.messages)) return;
  for (const [at, message] of body.messages.entries()) {
    if (!isRecord(message) || !Array.isArray(message.content)) continue;
    for (const [index, part] of message.content.entries()) {
      if (!isRecord(part)) continue;
      const needed = MODALITY_BY_PART_TYPE[String(part.type)];
      if (needed !== undefined && !model.inputModalities.includes(needed))
        throw unsupportedModality(model, needed, `messages[${at}].content[${index}]`);
    }
  }
}

function unsupportedModality(model: CallableModel, modality: string, param: string): AppError {
  const supported = model.inputModalities.join(", ") || "text";
  return errors.unsupportedModality(
    { model: model.id, modality, supported },
    {
      param,
      details: { modality, input_modalities: model.inputModalities },
    },
  );
}
