import type { Model } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatBytes } from "#/lib/format.ts";

/** Says that nothing runs the model and whether it can be downloaded to this server, if the visitor may know that. */
export function describeFit({ fit }: Model): string {
  if (fit?.verdict === "too_large" && fit.memory_bytes !== null) {
    const [memory, available] = [formatBytes(fit.memory_bytes), formatBytes(fit.available_bytes)];
    return t`Nothing here runs it just now. It is too large for this machine: it takes ${memory} of memory or more, and models may take ${available}.`;
  }
  if (fit && fit.memory_bytes !== null) {
    const memory = formatBytes(fit.memory_bytes);
    return t`Nothing here runs it just now. It fits this machine with about ${memory} of memory: an admin can download it.`;
  }
  return t`Nothing here runs it just now. An admin can download it to this machine, if the memory is enough, or connect a provider that has it.`;
}
