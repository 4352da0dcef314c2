import { createError, errors } from "../../platform/core/errors/index.ts";
import { UnsuitableBackendError } from "../upstream-errors.ts";

/** Returns the refusal of a field that the API of a backend has no place for. `message` follows "What runs this model". */
export function unsuitableField(param: string, message: string): UnsuitableBackendError {
  const refusal = errors.unsupportedParameter(`What runs this model ${message}`, { param });
  return new UnsuitableBackendError(refusal, { isLasting: false });
}

/** Returns the refusal of media that the API of a backend does not take. */
export function unsuitableMedia(media: string): UnsuitableBackendError {
  const refusal = createError("unsupported_modality", `What runs this model takes no ${media}.`, { param: "messages" });
  return new UnsuitableBackendError(refusal, { isLasting: false });
}
