import type { Middleware } from "openapi-fetch";
import { VERSION } from "../generated/version.ts";

/** Names the SDK and its version to the server. In browsers, whose own name is better, it does nothing. */
export const nameUserAgent: Middleware = {
  onRequest({ request }) {
    if ("document" in globalThis || request.headers.has("user-agent")) return;
    request.headers.set("user-agent", `feather-sdk/${VERSION}`);
  },
};
