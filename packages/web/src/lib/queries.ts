import { createQueries } from "@feather/sdk/react";
import { feather } from "./feather.ts";

/** TanStack Query options for every API call; the query key is the name of the call and its inputs. */
export const queries = createQueries(feather);
