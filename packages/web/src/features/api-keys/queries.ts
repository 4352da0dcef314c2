import type { Schemas } from "@feather/sdk";
import { queries } from "#/lib/queries.ts";

export type ApiKey = Schemas["ApiKey"];
export const keysQuery = queries.apiKeys.list.queryOptions({ perPage: 100 });
