import type { Middleware } from "openapi-fetch";
import { errorFrom } from "../errors.ts";

/** Throws an `ApiError` for statuses of 400 and above. */
export const throwErrors: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw errorFrom(response.status, response.headers, await response.text());
  },
};
