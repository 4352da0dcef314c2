import ipaddr from "ipaddr.js";
import type { CallableModel } from "../../modules/catalogue/callable-models.ts";
import { AppError, invalidRequest } from "../../shared/errors.ts";
import type { CallBody } from "../call.ts";
import { isRecord } from "../reported-usage.ts";

/** What a part of a message asks a model to be able to take. */
const NEEDS: Readonly<Record<string, string>> = { image_url: "image", input_audio: "audio", video_url: "video" };

/** Refuses parts of messages that the model cannot take, and pictures from addresses that are nobody's business. */
export function admitModalities(body: CallBody, model: CallableModel): void {
  if (!Array.isArray(body.messages)) return;
  for (const [at, message] of body.messages.entries()) {
    if (!isRecord(message) || !Array.isArray(message.content)) continue;
    for (const [index, part] of message.content.entries()) {
      if (!isRecord(part)) continue;
      const param = `messages[${at}].content[${index}]`;
      const needed = NEEDS[String(part.type)];
      if (needed !== undefined && !model.inputModalities.includes(needed)) throw unsupported(model, needed, param);
      if (part.type === "image_url") admitAddress(isRecord(part.image_url) ? part.image_url.url : null, param);
    }
  }
}

function unsupported(model: CallableModel, modality: string, param: string): AppError {
  const able = model.inputModalities.join(", ") || "text";
  return new AppError(400, "unsupported_modality", `${model.id} takes no ${modality} (it takes ${able}).`, {
    param,
    details: { modality, input_modalities: model.inputModalities },
  });
}

/** The gateway fetches nothing, but a backend might: it must not be sent to addresses inside. */
function admitAddress(url: unknown, param: string): void {
  if (typeof url === "string" && /^data:image\/[\w.+-]+;base64,/i.test(url)) return;
  const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol !== "https:" || isInside(parsed.hostname))
    throw invalidRequest("A picture is a data URL (data:image/png;base64,…) or a public https address.", { param });
}

function isInside(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== "unicast";
  return !host.includes(".") || /(^|\.)(localhost|local|internal|home\.arpa)\.?$/.test(host);
}
