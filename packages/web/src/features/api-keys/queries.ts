import type { Schemas } from "@feather/sdk";
import { queries } from "#/lib/queries.ts";

/** An API key without its secret. */
export type ApiKey = Schemas["ApiKey"];
/** The organization's API keys. */
export const keysQuery = queries.apiKeys.list.queryOptions({ perPage: 100 });
