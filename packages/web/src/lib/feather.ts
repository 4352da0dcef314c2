import { createFeather } from "@feather/sdk";

/** The platform this site belongs to, as the signed-in visitor. */
export const feather = createFeather({
  baseUrl: `${globalThis.location?.origin ?? "http://localhost"}/api`,
  credentials: "same-origin",
});
